#pragma once

#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/trajectory.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/validation/timeline.hpp"

namespace planner_ccd::python {

/// `planner_ccd.TrajectoryResult`: the result of check_trajectory, and everything its reports and pages need.
struct PyReport {
  std::shared_ptr<const Checker> checker;
  PyTrajectory trajectory;
  TrajectoryOptions options;
  std::vector<Assumption> assumptions;
  double seconds = 0.0;
  TrajectoryResult result;
  std::shared_ptr<const Timeline> timeline = {};  ///< If the world changed; `trajectory` is then its motion.
  std::vector<InputWarning> limit_warnings = {};  ///< Of a file of limits.
  std::vector<InputFile> limit_inputs = {};

  std::vector<InputWarning> warnings() const;
  std::vector<InputFile> inputs() const;
  /// The same value as the command's.
  Report report() const;
  /// A page of it.
  std::string html() const;
};

/// What `planner_ccd inspect --json` prints. Throws InputError in a build without the command.
std::string inspection_of(const Robot& robot, std::int64_t cell_evaluations);
/// A page of a robot and a scene, with joints moved by hand.
std::string html_of(const Robot& robot, const Scene& scene);
/// A page in a frame of its own, for a notebook cell.
std::string frame_of(const std::string& page);

}  // namespace planner_ccd::python
