#include "bench/support/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace planner_ccd::bench {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string formatted(const char* format, double number) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, number);
  return buffer;
}

/// Four significant digits, and no exponent while the number is of a readable size.
std::string readable(double number) {
  const double size = std::abs(number);
  if (size != 0.0 && (size < 1e-3 || size >= 1e9)) return formatted("%.3e", number);
  if (size >= 1000.0) return formatted("%.0f", number);
  return formatted("%.4g", number);
}

const Value* find(const Row& row, const std::string& column) {
  const auto it = std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == column; });
  return it == row.end() ? nullptr : &it->second;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, text.size()), ' ');
  return left ? text + space : space + text;
}

}  // namespace

std::string Value::text() const {
  if (const auto* text = std::get_if<std::string>(&data_)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&data_)) return std::to_string(*whole);
  const auto* number = std::get_if<double>(&data_);
  return number && std::isfinite(*number) ? readable(*number) : "-";
}

std::string Value::json() const {
  if (const auto* text = std::get_if<std::string>(&data_)) return quoted(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&data_)) return std::to_string(*whole);
  const auto* number = std::get_if<double>(&data_);
  return number && std::isfinite(*number) ? formatted("%.9g", *number) : "null";
}

Table::Table(std::string bench, Arguments arguments) : bench_(std::move(bench)), arguments_(std::move(arguments)) {}

void Table::add(Row row) {
  for (const auto& [column, value] : row) {
    if (std::find(columns_.begin(), columns_.end(), column) == columns_.end()) columns_.push_back(column);
  }
  rows_.push_back(std::move(row));
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r%s: %zu rows", bench_.c_str(), rows_.size());
}

std::string Table::text() const {
  std::vector<std::string> lines(rows_.size() + 1);
  for (const auto& column : columns_) {
    std::vector<std::string> cells = {column};
    bool left = false;
    for (const auto& row : rows_) {
      const Value* value = find(row, column);
      cells.push_back(value ? value->text() : "-");
      left = left || (value && value->is_text());
    }
    std::size_t width = 0;
    for (const auto& cell : cells) width = std::max(width, cell.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i] += (lines[i].empty() ? "" : "  ") + padded(cells[i], width, left);
    }
  }
  std::string result;
  for (auto& line : lines) result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return result;
}

std::string Table::json() const {
  const Machine machine = this_machine();
  std::string result = "{\"bench\": " + quoted(bench_) + ", \"quick\": " + (arguments_.quick ? "true" : "false") +
                       ",\n \"machine\": {\"cpu\": " + quoted(machine.cpu) +
                       ", \"cores\": " + std::to_string(machine.cores) + ", \"simd\": " + quoted(machine.simd) +
                       ", \"compiler\": " + quoted(machine.compiler) + ", \"system\": " + quoted(machine.system) +
                       "},\n \"rows\": [";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    result += i == 0 ? "\n  {" : ",\n  {";
    for (std::size_t k = 0; k < rows_[i].size(); ++k) {
      result += (k == 0 ? "" : ", ") + quoted(rows_[i][k].first) + ": " + rows_[i][k].second.json();
    }
    result += "}";
  }
  return result + "\n ]}\n";
}

int Table::finish() const {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
  std::fputs(text().c_str(), stdout);
  if (arguments_.json.empty()) return 0;
  std::ofstream file(arguments_.json);
  file << json();
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "cannot write %s\n", arguments_.json.c_str());
  return 2;
}

}  // namespace planner_ccd::bench
