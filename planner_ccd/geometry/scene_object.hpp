#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/types.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// How far a pose may be from the one that is given: the origin by `position`, in any direction, and the axes turned by
/// `angle`, about any line through it.
struct PoseError {
  union {
    double position = 0.0;  ///< [m] >= 0
    [[deprecated("is now position")]] double xyz;
  };
  double angle = 0.0;  ///< [rad] >= 0

  bool any() const { return position != 0.0 || angle != 0.0; }
  friend bool operator==(const PoseError& a, const PoseError& b) {
    return a.position == b.position && a.angle == b.angle;
  }
};

/// [m or rad] The greatest error of a pose or of a joint that is accepted.
inline constexpr double kMostError = 1e3;

/// Throws InputError, beginning with `where`, for an error that is negative, not a number or above kMostError.
void validate(const PoseError& error, const std::string& where);
/// [m] Bounds how far a point within `reach` [m] of the pose's origin may be from its place. Rounded up.
double displacement(const PoseError& error, double reach);

/// An obstacle, or an object that can be picked up.
struct SceneObject {
  std::string name;
  std::vector<Geometry> geometry;  ///< In the object's frame.
  Pose pose = Pose::Identity();    ///< X_WorldObject
  PoseError pose_error = {};       ///< Of `pose`. Free then holds wherever the object stands within it.
};

}  // namespace planner_ccd
#pragma GCC visibility pop
