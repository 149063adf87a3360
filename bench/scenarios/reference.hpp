#pragma once

#include <memory>

#include "bench/scenarios/scenario.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd::bench {

class FclWorld;

enum class Truth { Free, Hit, WithinTolerance };

/// Determines the truth about an edge by FCL's boolean tests, finer than any measured method: at the reference's step,
/// and at the times of contact that we report. Our answers are never trusted: where only we report a contact, FCL must
/// find it at that time too, or measure a distance within the tolerance.
class Reference {
 public:
  Reference(const PathChecker& checker, const ScenarioOptions& options);
  ~Reference();

  Truth about(const Edge& edge);

 private:
  const PathChecker* checker_;
  double step_;
  int samples_;
  EdgeMotion motion_;
  std::unique_ptr<FclWorld> world_;
  Workspace workspace_;
};

}  // namespace planner_ccd::bench
