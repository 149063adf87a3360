#include "planner_ccd/geometry/scene_object.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

void validate(const PoseError& error, const std::string& where) {
  for (const double value : {error.position, error.angle}) {
    if (!(value >= 0.0) || !(value <= kMostError)) {
      throw InputError(where + ": the error of a pose must be two numbers from 0 to 1000, in metres and radians");
    }
  }
}

/// A turn by b about a line through the origin moves a point by 2 sin(b / 2) times its distance from the line.
double displacement(const PoseError& error, double reach) {
  return error.any() ? (error.position + std::min(error.angle, 2.0) * reach) * kRoundUp : 0.0;
}

}  // namespace planner_ccd
