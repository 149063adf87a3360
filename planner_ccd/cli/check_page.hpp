#pragma once

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

/// A motion as the page shows it: consecutive segments, none if the robot is at rest.
std::vector<viewer::Piece> pieces_of(const RobotModel& robot, const Trajectory& trajectory);

/// The command line's options, for the end of the page.
std::vector<std::pair<std::string, std::string>> page_facts(const Arguments& arguments);

/// The page of a check: its motion, its verdict, its contact.
viewer::PageContent check_page(const CheckReport& report, const Trajectory& trajectory, const Scene& scene);

}  // namespace planner_ccd::cli
