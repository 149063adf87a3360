#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner_ccd/report/report.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

// Parts of views that reports about other things (plans, robots) have as well.

/// The label of a line of text, of 23 characters.
std::string label(const std::string& text);

/// As the text of an element, or the value of an attribute, of XML and HTML. Control characters become blanks; with `lines`, the ends of
/// lines stay.
std::string xml_text(const std::string& text, bool lines = false);

const char* to_string(Severity severity);
/// `named`: every name, else a few lines, and the excluded pairs in one of them.
std::string assumptions_text(const std::vector<Assumption>& assumptions, bool named);
std::string warnings_text(const std::vector<InputWarning>& warnings);
std::string inputs_text(const std::vector<InputFile>& inputs);
/// "2026-11-19 10:15:00.250 UTC", from nanoseconds since 1970.
std::string utc_text(std::int64_t ns);
/// What --max-tracking-error found; rounded downwards, so that what is printed is proved as well.
std::string tracking_limit_text(const TrackingLimit& limit);
/// What the comparison of a plan with what ran came to.
std::string outcome_text(const Executed& executed);
/// "    joint1: 0.01 at 3.2 s, allowed 0.02".
std::string joint_text(const JointDeviation& joint);

nlohmann::ordered_json assumptions_json(const std::vector<Assumption>& assumptions);
nlohmann::ordered_json warnings_json(const std::vector<InputWarning>& warnings);
nlohmann::ordered_json inputs_json(const std::vector<InputFile>& inputs);
nlohmann::ordered_json robots_json(const std::vector<RobotPart>& robots);
nlohmann::ordered_json errors_json(const StatedErrors& errors);

}  // namespace planner_ccd
#pragma GCC visibility pop
