// What a page says, as plain HTML: all of it is there without a script, and the script adds to these elements, found by
// their ids and classes (web/src/panel.js), but never writes them.
#include "planner_ccd/viewer/facts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace planner_ccd::viewer {
namespace {

struct Character {
  std::uint32_t code;
  std::size_t bytes;  ///< 0 if the text is no UTF-8 here.
};

/// The first character of a text that is not empty.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t bytes = lead < 0x80                   ? 1
                            : lead >= 0xC2 && lead < 0xE0 ? 2
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xF0 && lead < 0xF5 ? 4
                                                          : 0;
  if (bytes == 0 || bytes > text.size()) return {0, 0};
  std::uint32_t code = bytes == 1 ? lead : lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {0, 0};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  return code < kLeast[bytes] || is_surrogate || code > 0x10FFFF ? Character{0, 0} : Character{code, bytes};
}

/// Control characters, and marks and overrides of the direction of writing.
bool disturbs(std::uint32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE;
}

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + html_text(text) + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string count_of(std::size_t count) { return " <span class=\"count\">" + std::to_string(count) + "</span>"; }

std::string list_of(const std::vector<std::string>& lines) {
  std::string out = "<ul>\n";
  for (const std::string& line : lines) out += element("li", line) + "\n";
  return out + "</ul>";
}

std::string table_of(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string out = "<dl>\n";
  for (const auto& [name, value] : rows) out += element("dt", name) + element("dd", value) + "\n";
  return out + "</dl>";
}

std::string section(const std::string& id, const std::string& heading, const std::string& content) {
  return "<section id=\"" + id + "\">\n<h2>" + heading + "</h2>\n" + content + "\n</section>\n";
}

std::string details(const std::string& id, const std::string& heading, const std::string& content) {
  return "<details id=\"" + id + "\" open><summary>" + heading + "</summary>\n" + content + "\n</details>\n";
}

std::string moment_text(const PageContent& content, double moment) {
  char text[64];
  std::snprintf(text, sizeof text, content.time_is_known ? "%.3f s" : "segment %.3f", moment);
  return text;
}

bool was_checked(const PageContent& content) { return !content.verdict.empty(); }

bool is_finding(const Entry& entry) { return entry.kind != EntryKind::Event; }

/// What the badge shows: "free" only where all was proved and no finding needs attention.
const char* badge_of(const PageContent& content) {
  if (!was_checked(content)) return "unchecked";
  if (content.verdict == "contact") return "contact";
  const bool all_well = std::all_of(content.findings.begin(), content.findings.end(), [](const Entry& entry) {
    return entry.kind == EntryKind::Note || !is_finding(entry);
  });
  return content.verdict == "free" && all_well ? "free" : "undecided";
}

std::string headline_of(const PageContent& content) {
  if (!content.headline.empty()) return content.headline;
  if (!was_checked(content)) return "Nothing was checked";
  if (content.verdict == "free") return "Free";
  if (content.verdict == "contact") return "Contact";
  return content.verdict == "undecided" ? "Undecided" : content.verdict;
}

std::string names_html(const std::vector<std::string>& names, const char* role) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return names.empty() ? "" : element("span class=\"" + std::string(role) + "\"", joined);
}

std::string entry_html(const PageContent& content, const Entry& entry) {
  return "<li><div class=\"finding\"><span class=\"sign " + std::string(to_string(entry.kind)) +
         "\"></span><span class=\"what\">" + element("b", entry.title) + " <span class=\"names\">" +
         names_html(entry.a, "first") + " " + names_html(entry.b, "second") + "</span></span> " +
         element("span class=\"when\"", moment_text(content, entry.moment)) + " " +
         element("span class=\"text\"", entry.text) + "</div></li>\n";
}

std::string findings_html(const PageContent& content) {
  if (!was_checked(content) && content.findings.empty()) return "";
  const auto findings = std::count_if(content.findings.begin(), content.findings.end(), is_finding);
  std::string list;
  if (was_checked(content) && findings == 0) list += "<p class=\"none\">None.</p>\n";
  list += "<ol>\n";
  for (const Entry& entry : content.findings) list += entry_html(content, entry);
  const bool all_events = !was_checked(content);
  return section("findings",
                 (all_events ? "Events (nothing was checked)" : "Findings") +
                     count_of(all_events ? content.findings.size() : static_cast<std::size_t>(findings)),
                 list + "</ol>");
}

std::string warnings_html(const PageContent& content) {
  if (content.warnings.empty()) return "";
  std::string list = "<ul>\n";
  for (const Warning& warning : content.warnings) {
    list += "<li>" + element("b", warning.kind) + " " + html_text(warning.text) + "</li>\n";
  }
  return section("warnings", "Warnings" + count_of(content.warnings.size()), list + "</ul>");
}

std::string inputs_html(const PageContent& content) {
  if (content.inputs.empty()) return "";
  std::string list = "<ul>\n";
  for (const Input& input : content.inputs) {
    list += "<li>" + element("b", input.role) + " " + element("span class=\"path\"", input.path);
    if (!input.sha256.empty()) list += " <span class=\"hash\">SHA-256 " + element("code", input.sha256) + "</span>";
    list += "</li>\n";
  }
  return details("inputs", "Files" + count_of(content.inputs.size()), list + "</ul>");
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    if (bytes == 0 || disturbs(code)) {
      out += "\xEF\xBF\xBD";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '&') {
      out += "&amp;";
    } else if (code == '"') {
      out += "&quot;";
    } else if (code == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return out;
}

std::string result_html(const PageContent& content) {
  std::string out = "<header>\n" + element("h1 id=\"title\"", content.title) + "\n<p id=\"verdict\" data-verdict=\"" +
                    badge_of(content) + "\"><span class=\"badge\"></span>" +
                    element("span class=\"word\"", headline_of(content)) + "</p>\n";
  const bool shows_only = content.summary.empty() && !was_checked(content);
  const std::string summary = shows_only
                                  ? "This page shows a robot and its surroundings; whether anything meets is not said."
                                  : content.summary;
  if (!summary.empty()) out += element("p id=\"summary\"", summary) + "\n";
  out += "</header>\n" + warnings_html(content) + findings_html(content);
  if (!content.not_looked_at.empty()) out += section("not-looked-at", "Not looked at", list_of(content.not_looked_at));
  return out;
}

std::string record_html(const PageContent& content) {
  std::string out;
  if (!content.question.empty()) out += section("question", "What was asked", list_of(content.question));
  if (!content.numbers.empty()) out += section("numbers", "Numbers", table_of(content.numbers));
  if (!content.assumptions.empty()) {
    out += details("assumptions", "Relied on" + count_of(content.assumptions.size()), list_of(content.assumptions));
  }
  out += inputs_html(content);
  if (!content.command_line.empty()) {
    out += details("command", "Command line", "<pre>" + html_text(content.command_line) + "</pre>");
  }
  return out + details("facts", "About this page", table_of(content.facts));
}

}  // namespace planner_ccd::viewer
