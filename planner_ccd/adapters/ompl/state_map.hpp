#pragma once

#include <ompl/base/StateSpace.h>

#include <Eigen/Core>
#include <string>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplMapOptions {
  /// Names to use instead of those that the space has, one for each of its named parts in their order (see OmplStateMap).
  std::vector<std::string> joints;
  /// Coordinates of the robot that the space lacks stay at their values in this configuration. Empty: there are none.
  JointVector elsewhere;
};

/// Which coordinate of a robot each value of an OMPL state is. Joints are found by name:
///
///   RealVectorStateSpace   every dimension by its name (setDimensionName): a coordinate of RobotModel
///   SO2StateSpace          by its own name: a coordinate without limits
///   SE2StateSpace          by its own name: a planar joint
///   SE3StateSpace          by its own name: a floating joint; SO3StateSpace: the rotation of one
///   CompoundStateSpace     part by part
///
/// The motion that is proved is the one OMPL interpolates: angles of SO(2) turn the shorter way across +-pi, dimensions
/// of real vectors never do, whatever the joint. Two liberties: turns of SO(3) below 1e-4 rad, at which OMPL's
/// interpolation stands still, are proved as turns; and OMPL's states are rounded.
class OmplStateMap {
 public:
  /// Throws InputError for names that are unknown, missing or met twice, for spaces of other kinds, and for spaces that
  /// interpolate in another way (Dubins): a few motions are tried.
  OmplStateMap(const RobotModel& robot, ::ompl::base::StateSpacePtr space, const OmplMapOptions& options = {});

  const ::ompl::base::StateSpacePtr& space() const { return space_; }

  void read(const ::ompl::base::State* state, JointVector& q) const;
  void write(const JointVectorRef& q, ::ompl::base::State* state) const;

  /// Configurations such that the straight line from q0 to q1 (AnglePolicy::Literal) is OMPL's motion. False when that
  /// cannot be said: half a turn of SO(3), which has two shortest ways. Its halves have one.
  bool read_motion(const ::ompl::base::State* from, const ::ompl::base::State* to, JointVector& q0,
                   JointVector& q1) const;

 private:
  enum class Kind { Real, Angle, Rotation };
  /// A value of a state (four for a rotation).
  struct Part {
    Kind kind;
    std::vector<unsigned> path;  ///< Which component of which component ...
    unsigned dimension;          ///< Of the real vector there.
    int coordinate;              ///< First in q.
  };
  class Builder;

  ::ompl::base::StateSpacePtr space_;
  std::vector<Part> parts_;
  JointVector elsewhere_;

  void verify_interpolation(const RobotModel& robot) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
