#pragma once

#include <ompl/base/SpaceInformation.h>

#include <cstdint>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// What a planner spends on checking. For single-threaded planners.
struct OmplMeter {
  std::int64_t motions = 0;        ///< Motions checked.
  std::int64_t valid_motions = 0;  ///< Motions found valid.
  std::int64_t states = 0;         ///< States checked on their own, not as part of a motion.
  double seconds = 0.0;            ///< [s] Processor time of all these checks.
};

/// Gives `si` validators that forward to those of `inner` and count in `meter`. `inner` is a SpaceInformation of the
/// same space that no planner uses; `meter` must outlive `si`.
void meter_validators(const ::ompl::base::SpaceInformationPtr& si, const ::ompl::base::SpaceInformationPtr& inner,
                      OmplMeter& meter);

/// [s] Processor time used by this thread.
double thread_seconds();

}  // namespace planner_ccd
#pragma GCC visibility pop
