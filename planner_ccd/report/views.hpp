#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner_ccd/report/report.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// For people. With `name_assumptions` every name that the verdict relies on, else a few.
std::string report_text(const Report& report, bool name_assumptions = false);
/// One object; docs: planner_ccd/cli/README.md and check.schema.json.
std::string report_json(const Report& report);

/// The check of one of several motions: its report, or why there is none.
struct CheckedFile {
  std::string file;
  std::optional<Report> report;
  std::string refused;  ///< The message of bad input.
};
/// 2 if a file could not be checked, else 1, 2 or 3, whichever is found first among the reports' codes; else 0.
int exit_code(std::span<const CheckedFile> files);
/// A line each, what is wrong with those that are not free, and the sum.
std::string reports_text(std::span<const CheckedFile> files, bool name_assumptions = false);
std::string reports_json(std::span<const CheckedFile> files);
/// A page that lists them, each with the file of its own page in `pages`.
std::string reports_html(std::span<const CheckedFile> files, std::span<const std::string> pages);
/// JUnit XML: a suite for each motion, named by its file; in it a passed case for each kind of finding that did not occur, a failed one for
/// each that did, one for what was refused, and all the report's text as its output.
std::string reports_junit(std::span<const CheckedFile> files);
/// The same for input that could not be used at all.
std::string bad_input_junit(const std::string& message);

/// The clearance profile: from, to, lower (empty where not known), upper, time, a, b; one row a piece.
std::string clearance_csv(const Report& report);

}  // namespace planner_ccd
#pragma GCC visibility pop
