#pragma once

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

/// The motion of a path, as the checker takes it. Paths without times have a clock of one second a segment.
std::vector<viewer::Piece> motion_of(const RobotModel& robot, const JointPath& path, AnglePolicy angles);

/// What was given on the command line, for the page's end.
std::vector<std::pair<std::string, std::string>> page_facts(const Arguments& arguments);

/// The page of a check: its motion, its verdict, its contact.
viewer::PageContent check_page(const CheckReport& report, const JointPath& path, const Scene& scene);

}  // namespace planner_ccd::cli
