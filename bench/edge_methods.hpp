#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/scenarios/scenario.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd::bench {

class FclBisection;
class FclWorld;

/// A way to answer is_free or first_contact about an edge.
struct EdgeMethod {
  std::string name;
  std::string mode;
  bool slow;  ///< Runs the first few edges of a set only.
  /// Hit or not; also sets the counters.
  std::function<bool(const Edge&, QueryCounters&)> run;
};

/// All methods for one checker's world, with their data.
class EdgeMethods {
 public:
  /// `prepared`: the same with a prepared robot; may be null.
  explicit EdgeMethods(const PathChecker& checker, const PathChecker* prepared = nullptr);
  ~EdgeMethods();
  EdgeMethods(const EdgeMethods&) = delete;
  EdgeMethods& operator=(const EdgeMethods&) = delete;

  /// is_free of every method, then first_contact; "taylor" leads both.
  std::vector<EdgeMethod> of_articulated();
  /// Ours without and with a prepared robot, and FCL at fixed steps.
  std::vector<EdgeMethod> of_prepared();
  /// The same, without methods that make no sense for rigid bodies.
  std::vector<EdgeMethod> of_rigid();

 private:
  const PathChecker* checker_;
  const PathChecker* prepared_;
  Workspace workspace_, prepared_workspace_;
  EdgeMotion motion_;
  std::unique_ptr<FclWorld> fcl_;
  std::unique_ptr<FclBisection> bisection_;

  EdgeMethod ours(const std::string& method, bool first);
  /// Samples at a joint step, or, when that is 0, at 1,000 times.
  EdgeMethod discrete(const char* name, double step, bool in_order);
  EdgeMethod distance_bisection(bool first);
};

}  // namespace planner_ccd::bench
