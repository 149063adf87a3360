#pragma once

#include <ompl/base/SpaceInformation.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/planning/problems.hpp"
#include "bench/support/table.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {

/// A motion checked by a planner (AnglePolicy::Literal).
struct PlannerEdge {
  JointVector q0, q1;
};

/// Makes `si` record every motion that its planner checks, before its own validator answers.
void record_motions(const ::ompl::base::SpaceInformationPtr& si, const RobotModel& robot,
                    std::vector<PlannerEdge>& edges);

/// Times of single motions, by verdict: ours, unprepared and with a prepared robot, beside FCL's at two steps, on the
/// same motions, in turns.
class PlannerEdgeTimes {
 public:
  /// `checker` and `prepared` differ only in the preparation of the robot.
  void measure(const PathChecker& checker, const PathChecker& prepared, const std::vector<PlannerEdge>& edges);
  void add_rows(const std::string& scenario, Table& table) const;

 private:
  static constexpr int kMethods = 4;
  std::vector<double> microseconds_[kMethods][2];  ///< By method and verdict, free and hit.
};

}  // namespace planner_ccd::bench
