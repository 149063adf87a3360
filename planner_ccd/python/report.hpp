#pragma once

#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/trajectory.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd::python {

/// `planner_ccd.PathReport`: what check_trajectory found, and all that its pages and files speak of.
struct Report {
  std::shared_ptr<const Checker> checker;
  PyTrajectory trajectory;
  TrajectoryOptions options;
  std::vector<Assumption> assumptions;
  double seconds = 0.0;
  PathReport result;
};

/// As the command writes them: reports_cli.cpp; where the command is not built they throw InputError (reports_none.cpp).
std::string html_of(const Report& report);
std::string junit_of(const Report& report);
std::string json_of(const Report& report);
/// A robot and a scene alone, joints moved by hand.
std::string html_of(const Robot& robot, const Scene& scene);
/// For a cell of a notebook: a page in a frame of its own.
std::string frame_of(const std::string& page);

}  // namespace planner_ccd::python
