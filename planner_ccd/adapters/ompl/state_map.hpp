#pragma once

#include <ompl/base/StateSpace.h>

#include <Eigen/Core>
#include <string>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplMapOptions {
  /// Names to use instead of the space's own, one per named part, in their order (see OmplStateMap).
  std::vector<std::string> joints;
  /// Values of the robot's coordinates that are not in the space. Empty: all are in it.
  JointVector elsewhere;
};

/// Maps the values of an OMPL state to the coordinates of a robot. Joints are found by name:
///
///   RealVectorStateSpace   every dimension by its name (setDimensionName): a coordinate of RobotModel
///   SO2StateSpace          by its own name: a coordinate without limits
///   SE2StateSpace          by its own name: a planar joint
///   SE3StateSpace          by its own name: a floating joint; SO3StateSpace: the rotation of one
///   CompoundStateSpace     part by part
///
/// The proved motion is the one OMPL interpolates: SO(2) angles take the shorter way across +-pi; dimensions of real
/// vectors never wrap, whatever the joint. Two deviations: SO(3) rotations below 1e-4 rad, over which OMPL's
/// interpolation stands still, are proved as rotations; and OMPL's states are rounded.
class OmplStateMap {
 public:
  /// Throws InputError for unknown, missing or duplicate names, for unsupported spaces, and for spaces that interpolate
  /// differently (Dubins), which trying a few motions reveals.
  OmplStateMap(const RobotModel& robot, ::ompl::base::StateSpacePtr space, const OmplMapOptions& options = {});

  const ::ompl::base::StateSpacePtr& space() const { return space_; }

  void read(const ::ompl::base::State* state, JointVector& q) const;
  void write(const JointVectorRef& q, ::ompl::base::State* state) const;

  /// Configurations such that the straight line from q0 to q1 (AnglePolicy::Literal) is OMPL's motion. False when that
  /// is ambiguous: an SO(3) rotation by pi has two shortest ways. Each of its halves has one.
  bool read_motion(const ::ompl::base::State* from, const ::ompl::base::State* to, JointVector& q0,
                   JointVector& q1) const;

 private:
  enum class Kind { Real, Angle, Rotation };
  /// One value of a state (four for a rotation).
  struct Part {
    Kind kind;
    std::vector<unsigned> path;  ///< Component indices, outermost first.
    unsigned dimension;          ///< Index in that component's real vector.
    int coordinate;              ///< Index of its first entry in q.
  };
  class Builder;

  ::ompl::base::StateSpacePtr space_;
  std::vector<Part> parts_;
  JointVector elsewhere_;

  void verify_interpolation(const RobotModel& robot) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
