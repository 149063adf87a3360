#pragma once

#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/trajectory.hpp"
#include "planner_ccd/query/timeline.hpp"

namespace planner_ccd::python {

/// `planner_ccd.MotionLimits`.
struct PyMotionLimits {
  MotionLimits limits;
  std::vector<std::string> warnings;
};

/// `planner_ccd.PathReport`: the result of check_trajectory, and everything its pages and files need.
struct Report {
  std::shared_ptr<const Checker> checker;
  PyTrajectory trajectory;
  TrajectoryOptions options;
  std::vector<Assumption> assumptions;
  double seconds = 0.0;
  PathReport result;
  std::shared_ptr<const Timeline> timeline = {};  ///< If the world changed; `trajectory` is then its motion.
};

/// The command's report formats: reports_cli.cpp; if the command is not built, they throw InputError
/// (reports_none.cpp).
std::string html_of(const Report& report);
std::string junit_of(const Report& report);
std::string json_of(const Report& report);
/// What `planner_ccd inspect --json` prints.
std::string inspection_of(const Robot& robot, std::int64_t cell_evaluations);
/// A page of a robot and a scene, with joints moved by hand.
std::string html_of(const Robot& robot, const Scene& scene);
/// A page in a frame of its own, for a notebook cell.
std::string frame_of(const std::string& page);

}  // namespace planner_ccd::python
