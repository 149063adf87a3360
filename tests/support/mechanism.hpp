#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/robot/robot_spec.hpp"
#include "support/oracle_math.hpp"

namespace planner_ccd::truth {

/// The motion of all joints over one edge, as the documentation defines it: joint values on a straight line; a floating
/// joint's origin on a straight line while it turns about one axis, the shorter way.
struct Edge {
  Eigen::VectorXd q0, q1;
  AnglePolicy angles = AnglePolicy::Literal;
  /// If set, the value of a coordinate at t instead of the straight line; not for floating joints. Poses and distances
  /// follow it, scans and speed bounds do not.
  std::function<Real(int coordinate, Real t)> curve = {};
};

/// Kinematics directly from a robot's specification, link by link and joint by joint, in extended precision. Uses
/// nothing of RobotModel: neither its bodies with folded fixed joints nor its folded mimic joints.
class Mechanism {
 public:
  explicit Mechanism(const RobotSpec& spec);

  int links() const { return static_cast<int>(parent_joint_.size()); }
  int find_link(const std::string& name) const;  ///< -1 when there is none.

  /// Links in the order of the specification; -1 is the world, to which all roots are fixed.
  std::vector<Mat4> poses(const Edge& edge, Real t) const;
  Mat4 relative(int link_a, int link_b, const Edge& edge, Real t) const;
  /// True if only fixed joints lie between them.
  bool together(int link_a, int link_b) const { return carrier(link_a) == carrier(link_b); }

  /// [m per unit of t] Bounds the approach speed of any point within `reach_a` of link_a's origin and any point within
  /// `reach_b` of link_b's.
  Real speed_bound(int link_a, Real reach_a, int link_b, Real reach_b, const Edge& edge) const;

 private:
  struct Joint {
    JointType type;
    Mat4 origin;  ///< X_ParentJoint
    Vec axis;     ///< Unit.
    Vec x, y;     ///< Of a planar joint.
    int parent;
    int first = -1;   ///< Index of its first coordinate; -1: fixed, or a mimic.
    int master = -1;  ///< The joint it mimics, which may mimic another.
    Real multiplier = 1, offset = 0;
  };
  std::vector<Joint> joints_;
  std::vector<int> parent_joint_;  ///< By link; -1: a root.
  std::vector<std::string> names_;

  Real value(const Joint& joint, int k, const Edge& edge, Real t) const;
  Mat4 motion(const Joint& joint, const Edge& edge, Real t) const;
  int carrier(int link) const;                 ///< The joint that moves it; -1: none.
  std::vector<int> joints_up(int link) const;  ///< From the link to its root.
};

}  // namespace planner_ccd::truth
