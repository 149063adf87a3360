#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "planner_ccd/math/types.hpp"
#include "planner_ccd/robot/robot_spec.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A link in the model: the body that carries it, and its pose there.
struct Link {
  std::string name;
  int body;  ///< Index of the moving body; 0 is the world, which never moves.
  Pose X_BodyLink;
  std::vector<Geometry> collision;  ///< In the link's frame.
  std::vector<Geometry> visual;     ///< In the link's frame.
  int parent_joint;  ///< Index into RobotModel::joints() of any joint, fixed ones included; -1 for a root.
  int robot;         ///< Its robot, in a model of several (robots_of).
};

/// A joint of the model. Fixed joints are kept for reports; they have no configuration.
struct Joint {
  std::string name;
  JointType type;
  int parent_link;
  int child_link;
  int q_index;  ///< Index of its first entry in q; for a mimic joint, its master's. -1: fixed.
  int q_size;   ///< 0 fixed and mimic, 1, 3 (planar: x, y, angle), 7 (floating: x, y, z, qx, qy, qz, qw).
  bool is_mimic;
  double multiplier;  ///< Mimic chains are folded: value = multiplier * q[q_index] + offset.
  double offset;
  /// How much folding may have rounded the offset, [rad] or [m], and the multiplier, [relative]: u r sum |term| and u
  /// r, with r roundings of each term that a chain of mimic joints adds up.
  double offset_error, multiplier_error;
  Pose X_ParentBodyJoint;  ///< Joint frame in the parent *body* at value 0.
  Eigen::Vector3d axis;    ///< Unit, in the joint frame (planar: the plane's normal).
  double lower, upper;     ///< [rad] or [m]; infinite when unlimited.
  double max_velocity;     ///< [rad/s] or [m/s]; infinite when not given.
};

/// A rigid group of links that move together. Bodies are numbered so that a parent comes before its children.
struct Body {
  int parent;  ///< Body index; -1 for the world.
  int joint;   ///< Index into joints() of the joint that moves it; -1 for the world.
  std::vector<int> links;
};

/// One entry of the configuration vector.
struct Coordinate {
  std::string name;  ///< Joint name, or "joint/x", "joint/theta", "joint/trans_x", "joint/rot_w", ...
  int joint;
  double lower, upper;
  double max_velocity;
  bool continuous;  ///< An angle without limits: q and q + 2 pi are the same pose.
};

/// Immutable kinematic forest: the contents of a URDF, validated, with fixed joints folded into bodies.
/// The order of the coordinates is the order of the (non-fixed, non-mimic) joints in the spec.
class RobotModel {
 public:
  /// Throws InputError naming the robot and the joint or link at fault: duplicate or unknown names, loops, two parents,
  /// zero axis, limits that are not finite or reversed, mimic of nothing or of itself, bad geometry.
  explicit RobotModel(RobotSpec spec);

  const std::string& name() const { return name_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  int dof() const { return static_cast<int>(coordinates_.size()); }
  /// [m] Total length of the fixed offsets from the world to a body, folded ones included, and of all offsets together.
  /// Where offsets cancel, rounding errors are relative to these lengths, not to the body's position.
  double offsets_to(int body) const { return offsets_to_[body]; }
  double all_offsets() const { return all_offsets_; }

  /// Name of the first joint that moves by the clock (JointSpec::by_clock); empty when there is none.
  const std::string& clock_joint() const { return clock_joint_; }
  /// Names of the objects that joints carry (JointSpec::carries).
  const std::vector<std::string>& carried() const { return carried_; }

  int find_link(const std::string& name) const;        ///< -1 when there is none.
  int find_coordinate(const std::string& name) const;  ///< -1 when there is none.

  /// The configuration with every coordinate 0 where limits allow it, else the middle of the limits; identity for
  /// floating joints.
  JointVector neutral() const;

 private:
  std::string name_;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::vector<Body> bodies_;
  std::vector<Coordinate> coordinates_;
  std::unordered_map<std::string, int> link_by_name_;
  std::unordered_map<std::string, int> coordinate_by_name_;
  std::vector<double> offsets_to_;  // by body: the most of any of its links
  double all_offsets_ = 0.0;
  std::string clock_joint_;
  std::vector<std::string> carried_;

  void add_links(RobotSpec& spec);
  void add_joints(const RobotSpec& spec);
  void add_bodies();
  void add_coordinates();
  void fold_mimics(const RobotSpec& spec);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
