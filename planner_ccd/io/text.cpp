#include "planner_ccd/io/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

// std::from_chars rejects a leading plus sign.
std::string_view number_text(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// from_chars reports 1e-999 and 1e999 alike: the sign of the written exponent, or a leading 0, tells them apart.
bool too_small_for_double(std::string_view text) {
  const auto e = text.find_first_of("eE");
  if (e != std::string_view::npos) return e + 1 < text.size() && text[e + 1] == '-';
  return text.starts_with("0.") || text.starts_with("-0.") || text.starts_with(".") || text.starts_with("-.");
}

// A cell without the blanks and the pair of double quotes around it.
std::string_view cell_text(std::string_view cell) {
  cell = trim(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = trim(cell.substr(1, cell.size() - 2));
  return cell;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t max_bytes) {
  std::string bytes = peek_file(path, max_bytes);
  note_file_read(path, bytes);
  return bytes;
}

std::string peek_file(const std::string& path, std::size_t max_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(path + ": no such file; check the path");
  if (fs::is_directory(status)) throw InputError(path + ": this is a folder, not a file");
  const std::string too_large =
      path + ": larger than the " + std::to_string(max_bytes >> 20) + " MiB that are read of such a file";
  if (fs::is_regular_file(status) && fs::file_size(path, error) > max_bytes && !error) throw InputError(too_large);

  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be opened; check its permissions");
  std::string bytes;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (bytes.size() > max_bytes) throw InputError(too_large);
  }
  if (file.bad()) throw InputError(path + ": reading failed");
  return bytes;
}

std::optional<double> parse_number(std::string_view text) {
  text = number_text(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range && too_small_for_double(text)) return 0.0;
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  text = number_text(text);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(cell_text(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && is_blank(text[i])) ++i;
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    if (i > begin) parts.push_back(text.substr(begin, i - begin));
  }
  return parts;
}

std::string join_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > most) text += " ... and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace planner_ccd
