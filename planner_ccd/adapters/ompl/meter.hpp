#pragma once

#include <ompl/base/SpaceInformation.h>

#include <cstdint>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// What a planner spends on checking. For planners of one thread.
struct OmplMeter {
  std::int64_t motions = 0;        ///< Asked for.
  std::int64_t valid_motions = 0;  ///< Of these.
  std::int64_t states = 0;         ///< Asked for by themselves, not within a motion.
  double seconds = 0.0;            ///< [s] Processor time of all of these.
};

/// Gives `si` validators that ask those of `inner`, which must be a SpaceInformation of the same space that no planner
/// uses, and keep count in `meter`, which must outlive `si`.
void meter_validators(const ::ompl::base::SpaceInformationPtr& si, const ::ompl::base::SpaceInformationPtr& inner,
                      OmplMeter& meter);

/// [s] Processor time this thread has used.
double thread_seconds();

}  // namespace planner_ccd
#pragma GCC visibility pop
