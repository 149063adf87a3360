#pragma once

#include <memory>
#include <vector>

#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "planner_ccd/validation/assumptions.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct FilteredCloud {
  CloudPtr cloud;  ///< Of the points that remain, with their numbers; null if there are none.
  int dropped;
};

/// Takes out of clouds what a camera saw of the robot itself. Make it once per robot, and again when it grasps something.
/// Immutable; any number of threads may use it.
class RobotFilter {
 public:
  /// The robot, and what it holds. Throws InputError for geometry that cannot be used and for unknown links.
  explicit RobotFilter(std::shared_ptr<const RobotModel> robot, const std::vector<AttachedObject>& held = {});

  /// Without the points in the robot at q, or within `within` [m] >= 0 of its surface or of a held object. Whatever else
  /// was there is not checked any more: hand on points_dropped() with the scene's assumptions. Throws InputError for q
  /// and poses that cannot be used.
  [[nodiscard]] FilteredCloud drop_robot(const CloudPtr& cloud, const Pose& X_WorldCloud, const JointVectorRef& q,
                                         double within) const;
  [[deprecated("is now drop_robot"), nodiscard]] FilteredCloud without_robot(const CloudPtr& cloud,
                                                                             const Pose& X_WorldCloud,
                                                                             const JointVectorRef& q,
                                                                             double within) const {
    return drop_robot(cloud, X_WorldCloud, q, within);
  }

 private:
  struct Body;

  std::shared_ptr<const RobotModel> robot_;
  std::shared_ptr<const std::vector<Body>> bodies_;
};

/// Without the points in the box from `min` to `max`, in the world: to be seen anew, or held from now on. Hand on
/// region_cleared() with the scene's assumptions.
[[nodiscard]] FilteredCloud drop_region(const CloudPtr& cloud, const Pose& X_WorldCloud, const Eigen::Vector3d& min,
                                        const Eigen::Vector3d& max);
[[deprecated("is now drop_region"), nodiscard]] inline FilteredCloud without_region(const CloudPtr& cloud,
                                                                                    const Pose& X_WorldCloud,
                                                                                    const Eigen::Vector3d& min,
                                                                                    const Eigen::Vector3d& max) {
  return drop_region(cloud, X_WorldCloud, min, max);
}

/// `name`: the cloud's object.
Assumption points_dropped(int count, double within, const std::string& name);
Assumption region_cleared(int count, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
