#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner_ccd/cli/check_report.hpp"

namespace planner_ccd::cli {

/// The findings of a check as JSON, and as text, one line each.
nlohmann::ordered_json findings_json(const CheckReport& report);
std::string findings_text(const CheckReport& report);

/// Clearances as JSON (null if not requested) and as text.
nlohmann::ordered_json clearance_json(const CheckReport& report);
std::string clearance_text(const CheckReport& report);

/// A contact as an object; `t_free` is in the segment's own [0, 1].
nlohmann::ordered_json contact_json(const RobotModel& robot, const Contact& contact, double t_free);

struct JUnitCase {
  std::string name;
  std::string failure;  ///< Empty: passed.
};

/// JUnit XML: a test case for each kind of finding that did not occur, a failed one for each finding, and `more`.
std::string findings_junit(const CheckReport& report, const std::vector<JUnitCase>& more = {});

/// The same for unusable input.
std::string bad_input_junit(const std::string& message);

/// The clearance profile: from, to, lower (empty where not known), upper, time, a, b; one row per piece.
std::string clearance_csv(const CheckReport& report);

}  // namespace planner_ccd::cli
