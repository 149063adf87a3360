#include <algorithm>
#include <array>
#include <cmath>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>planner_ccd: checks of several motions</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { border-bottom: 1px solid #8884; padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }
  th { white-space: nowrap }
  .v0 { color: #1a7f37 } .v1 { color: #c62828 } .v2 { color: #8a4b00 } .v3 { color: #8a6d00 }
  @media (prefers-color-scheme: dark) { .v0 { color: #5fd07a } .v1 { color: #ff7b72 } .v2 { color: #ffb35c } .v3 { color: #e5c453 } }
</style>
)";

int code_of(const CheckedFile& file) { return file.report ? exit_code(*file.report) : 2; }

/// How many ended with each exit code, in words.
std::string sum_of(std::span<const CheckedFile> files) {
  std::array<int, 4> count{};
  for (const CheckedFile& file : files) ++count[static_cast<std::size_t>(code_of(file))];
  return std::to_string(files.size()) + " motions: " + std::to_string(count[0]) + " free, " + std::to_string(count[1]) +
         " with a contact or an error, " + std::to_string(count[3]) + " undecided, " + std::to_string(count[2]) +
         " not accepted or not read";
}

std::string line_of(const CheckedFile& file) {
  return file.report ? headline(*file.report) : "not checked: " + file.refused;
}

}  // namespace

std::string xml_text(const std::string& text, bool lines) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && !(lines && c == '\n') ? ' ' : c;
    }
  }
  return out;
}

std::string clearance_csv(const Report& report) {
  std::string text = "from,to,lower,upper,time,a,b\n";
  for (const ClearancePiece& piece : report.result.profile) {
    const PairClearance& c = piece.nearest;
    const auto number = [](double x) { return std::isfinite(x) ? format_number(x) : std::string("inf"); };
    text += number(piece.from) + "," + number(piece.to) + "," + (c.known ? number(c.lower) : "") + ",";
    text += number(c.upper) + "," + number(c.time) + ",";
    text += c.a + "," + c.b + "\n";
  }
  return text;
}

int exit_code(std::span<const CheckedFile> files) {
  std::array<bool, 4> any{};
  for (const CheckedFile& file : files) any[static_cast<std::size_t>(code_of(file))] = true;
  for (const int code : {2, 1, 3}) {
    if (any[static_cast<std::size_t>(code)]) return code;
  }
  return 0;
}

std::string reports_text(std::span<const CheckedFile> files, bool name_assumptions) {
  std::string lines, details;
  for (const CheckedFile& file : files) {
    lines += file.file + ": " + line_of(file) + "\n";
    if (file.report && code_of(file) != 0) {
      details += "\n" + file.file + "\n" + report_text(*file.report, name_assumptions);
    }
  }
  // Robot, scene and options are the same for all: where all are free, the first report tells them.
  const auto first =
      std::find_if(files.begin(), files.end(), [](const CheckedFile& f) { return f.report.has_value(); });
  if (details.empty() && first != files.end()) {
    details = "\n" + first->file + "\n" + report_text(*first->report, name_assumptions);
  }
  return lines + details + "\n" + sum_of(files) + "\n";
}

std::string reports_html(std::span<const CheckedFile> files, std::span<const std::string> pages) {
  std::string html = kHead + ("<h1>" + sum_of(files) + "</h1>\n<table>\n<tr><th>motion<th>answer<th>warnings\n");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const CheckedFile& file = files[i];
    const std::string name = xml_text(file.file);
    html += "<tr><td>" + (file.report ? "<a href=\"" + xml_text(pages[i]) + "\">" + name + "</a>" : name) +
            "<td class=\"v" + std::to_string(code_of(file)) + "\">" + xml_text(line_of(file)) + "<td>";
    if (file.report) {
      for (const InputWarning& w : file.report->warnings) html += xml_text(w.text) + "<br>";
      for (const std::string& kind : file.report->refused_by) html += "not accepted: " + xml_text(kind) + "<br>";
    }
    html += "\n";
  }
  html += "</table>\n";
  const auto first =
      std::find_if(files.begin(), files.end(), [](const CheckedFile& f) { return f.report.has_value(); });
  if (first == files.end()) return html;
  html += "<h2>What was asked</h2>\n<table>\n";
  for (const auto& [name, words] : in_words(first->report->question)) {
    if (name != "motion") html += "<tr><th>" + xml_text(name) + "<td>" + xml_text(words) + "\n";
  }
  for (const InputFile& file : first->report->inputs) {
    if (file.role == "path") continue;
    html += "<tr><th>" + xml_text(file.role) + "<td>" + xml_text(file.path) + ", SHA-256 " + file.sha256_hex() + "\n";
  }
  if (!first->report->command.empty()) html += "<tr><th>command<td>" + xml_text(first->report->command) + "\n";
  return html + "<tr><th>by<td>planner_ccd " + xml_text(first->report->version) + "\n</table>\n</html>\n";
}

}  // namespace planner_ccd
