#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "planner_ccd/robot/robot_spec.hpp"

namespace planner_ccd {

/// Where the roots of a description go.
struct RootPlacement {
  std::string link;              ///< By its name in the whole.
  Pose pose = Pose::Identity();  ///< X_LinkRoot
};

/// Descriptions put together to one, no name there twice: what `combine` and `mount` have in common.
class JoinedSpecs {
 public:
  explicit JoinedSpecs(RobotSpec first);

  /// `part` with `prefix` before its names, its roots fixed to `place`. `robots`: LinkSpec::robot of its links. Throws InputError for a name
  /// that is there already, and for joints that name what is no part of `part`: a prefix may make it exist.
  void add(const RobotSpec& part, const std::string& prefix, const RootPlacement& place,
           const std::vector<int>& robots);

  RobotSpec finish() { return std::move(all_); }

 private:
  RobotSpec all_;
  std::unordered_set<std::string> links_, joints_;
};

}  // namespace planner_ccd
