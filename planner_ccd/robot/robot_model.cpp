#include "planner_ccd/robot/robot_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int coordinate_count(JointType type) {
  switch (type) {
    case JointType::Fixed: return 0;
    case JointType::Revolute:
    case JointType::Continuous:
    case JointType::Prismatic: return 1;
    case JointType::Planar: return 3;
    case JointType::Floating: return 7;
  }
  return 0;
}

Joint checked_joint(const JointSpec& spec, const std::string& where) {
  Joint joint{};
  joint.name = spec.name;
  joint.type = spec.type;
  joint.q_index = -1;
  joint.multiplier = 1.0;
  joint.offset = 0.0;
  joint.offset_error = joint.multiplier_error = 0.0;
  joint.X_ParentBodyJoint = rigid(spec.origin, where + ": origin");
  joint.axis = Eigen::Vector3d::UnitX();
  joint.lower = -kInfinity;
  joint.upper = kInfinity;
  joint.max_velocity = spec.max_velocity.value_or(kInfinity);
  if (!(joint.max_velocity >= 0.0)) throw InputError(where + ": the velocity limit is not a number >= 0");
  const bool has_axis = spec.type != JointType::Fixed && spec.type != JointType::Floating;
  if (has_axis) {
    if (!spec.axis.allFinite() || !(spec.axis.norm() > 1e-9)) {
      throw InputError(where + ": the axis is zero or not finite; give a direction such as 0 0 1");
    }
    joint.axis = spec.axis.normalized();
  }
  const bool limited = spec.type == JointType::Revolute || spec.type == JointType::Prismatic;
  if (limited) {
    joint.lower = spec.lower.value_or(-kInfinity);
    joint.upper = spec.upper.value_or(kInfinity);
    if (std::isnan(joint.lower) || std::isnan(joint.upper) || joint.lower > joint.upper) {
      throw InputError(where + ": the limits are not numbers with lower <= upper");
    }
  }
  return joint;
}

}  // namespace

RobotModel::RobotModel(RobotSpec spec) : name_(spec.name) {
  if (spec.links.empty()) throw InputError("robot '" + name_ + "' has no links");
  add_links(spec);
  add_joints(spec);
  fold_mimics(spec);
  add_bodies();
  add_coordinates();
}

void RobotModel::add_links(RobotSpec& spec) {
  const std::vector<int> robots = robots_of(spec);
  for (LinkSpec& link : spec.links) {
    if (link.name.empty()) throw InputError("robot '" + name_ + "': a link has no name");
    if (link.name == "*")
      throw InputError("robot '" + name_ + "': '*' stands for all and cannot be the name of a link");
    const std::string where = "robot '" + name_ + "', link '" + link.name + "'";
    if (!link_by_name_.emplace(link.name, static_cast<int>(links_.size())).second) {
      throw InputError(where + " is there twice");
    }
    make_rigid(link.collision, where + ", collision");
    make_rigid(link.visual, where + ", visual");
    links_.push_back({link.name, -1, Pose::Identity(), std::move(link.collision), std::move(link.visual), -1,
                      robots[links_.size()]});
  }
}

void RobotModel::add_joints(const RobotSpec& spec) {
  std::unordered_map<std::string, int> seen;
  for (const JointSpec& j : spec.joints) {
    const std::string where = "robot '" + name_ + "', joint '" + j.name + "'";
    if (!seen.emplace(j.name, 0).second) throw InputError(where + " is there twice");
    Joint joint = checked_joint(j, where);
    joint.parent_link = find_link(j.parent);
    joint.child_link = find_link(j.child);
    if (joint.parent_link < 0) throw InputError(where + ": parent link '" + j.parent + "' does not exist");
    if (joint.child_link < 0) throw InputError(where + ": child link '" + j.child + "' does not exist");
    Link& child = links_[joint.child_link];
    if (child.parent_joint >= 0) {
      throw InputError(where + ": link '" + j.child + "' already has a parent through joint '" +
                       joints_[child.parent_joint].name + "'");
    }
    child.parent_joint = static_cast<int>(joints_.size());
    joints_.push_back(std::move(joint));
    if (j.by_clock && clock_joint_.empty()) clock_joint_ = j.name;
    carried_.insert(carried_.end(), j.carries.begin(), j.carries.end());
  }
  // Every link must lead to a root: a walk longer than the number of links means a loop.
  for (const Link& link : links_) {
    const Link* l = &link;
    for (std::size_t steps = 0; l->parent_joint >= 0; ++steps) {
      if (steps > links_.size())
        throw InputError("robot '" + name_ + "': link '" + link.name + "' is in a loop of joints");
      l = &links_[joints_[l->parent_joint].parent_link];
    }
  }
}

void RobotModel::fold_mimics(const RobotSpec& spec) {
  std::unordered_map<std::string, int> index;
  for (std::size_t i = 0; i < spec.joints.size(); ++i) index[spec.joints[i].name] = static_cast<int>(i);

  int next = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (spec.joints[i].mimic) continue;
    joints_[i].q_size = coordinate_count(joints_[i].type);
    if (joints_[i].q_size > 0) joints_[i].q_index = next;
    next += joints_[i].q_size;
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!spec.joints[i].mimic || joints_[i].type == JointType::Fixed) continue;  // a fixed joint has no value to set
    Joint& joint = joints_[i];
    const std::string where = "robot '" + name_ + "', joint '" + joint.name + "'";
    if (coordinate_count(joint.type) != 1) throw InputError(where + ": only a joint of one value can mimic");
    joint.is_mimic = true;
    std::size_t master = i;
    double terms = 0.0, roundings = 0.0;  // of the offset
    for (std::size_t steps = 0; spec.joints[master].mimic && (master == i || joints_[master].type != JointType::Fixed);
         ++steps) {
      if (steps > joints_.size()) throw InputError(where + " mimics itself");
      const MimicSpec& m = *spec.joints[master].mimic;
      const auto it = index.find(m.joint);
      if (it == index.end()) throw InputError(where + " mimics joint '" + m.joint + "', which does not exist");
      if (!std::isfinite(m.multiplier) || !std::isfinite(m.offset)) {
        throw InputError(where + ": multiplier and offset of the mimic must be finite");
      }
      terms += std::abs(joint.multiplier * m.offset);
      roundings += 2.0;
      joint.offset += joint.multiplier * m.offset;
      joint.multiplier *= m.multiplier;
      master = it->second;
    }
    if (!std::isfinite(joint.multiplier) || !std::isfinite(terms)) {
      throw InputError(where + ": the multipliers and offsets of the joints it mimics, put together, are not finite");
    }
    if (roundings > 2.0) {  // a single mimic is folded without rounding
      joint.offset_error = 2.0 * roundings * kUnitRoundoff * terms;
      joint.multiplier_error = roundings * kUnitRoundoff;
    }
    if (joints_[master].type == JointType::Fixed) {
      joint.multiplier = 0.0;  // the master has no value: only the offset remains
      joint.q_index = -1;
    } else if (joints_[master].q_size != 1) {
      throw InputError(where + " mimics joint '" + joints_[master].name + "', which has more than one value");
    } else {
      joint.q_index = joints_[master].q_index;
    }
  }
}

void RobotModel::add_bodies() {
  bodies_.push_back({-1, -1, {}});
  offsets_to_.push_back(0.0);
  std::vector<double> offsets_to_link(links_.size(), 0.0);
  std::vector<std::vector<int>> child_joints(links_.size());
  std::vector<int> queue;
  for (std::size_t i = 0; i < joints_.size(); ++i) child_joints[joints_[i].parent_link].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].parent_joint < 0) {
      links_[i].body = 0;
      links_[i].X_BodyLink = Pose::Identity();
      queue.push_back(static_cast<int>(i));
    }
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Link& parent = links_[queue[head]];
    bodies_[parent.body].links.push_back(queue[head]);
    for (const int j : child_joints[queue[head]]) {
      Joint& joint = joints_[j];
      Link& child = links_[joint.child_link];
      const double offset = joint.X_ParentBodyJoint.translation().norm();
      const double offsets = offsets_to_link[queue[head]] + offset;
      offsets_to_link[joint.child_link] = offsets;
      all_offsets_ += offset;
      const Pose X_ParentBodyJoint = parent.X_BodyLink * joint.X_ParentBodyJoint;
      if (joint.type == JointType::Fixed) {
        offsets_to_[parent.body] = std::max(offsets_to_[parent.body], offsets);
        child.body = parent.body;
        child.X_BodyLink = X_ParentBodyJoint;
      } else {
        child.body = static_cast<int>(bodies_.size());
        child.X_BodyLink = Pose::Identity();
        bodies_.push_back({parent.body, j, {}});
        offsets_to_.push_back(offsets);
      }
      joint.X_ParentBodyJoint = X_ParentBodyJoint;
      queue.push_back(joint.child_link);
    }
  }
}

void RobotModel::add_coordinates() {
  static constexpr const char* kPlanar[] = {"/x", "/y", "/theta"};
  static constexpr const char* kFloating[] = {"/trans_x", "/trans_y", "/trans_z", "/rot_x",
                                              "/rot_y",   "/rot_z",   "/rot_w"};
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    for (int k = 0; k < joint.q_size; ++k) {
      Coordinate c{joint.name, static_cast<int>(i), joint.lower, joint.upper, joint.max_velocity, false};
      if (joint.type == JointType::Planar) c.name += kPlanar[k];
      if (joint.type == JointType::Floating) c.name += kFloating[k];
      if (joint.type == JointType::Floating && k >= 3) c.lower = -1.0, c.upper = 1.0;
      c.continuous = joint.type == JointType::Continuous || (joint.type == JointType::Planar && k == 2);
      if (!coordinate_by_name_.emplace(c.name, static_cast<int>(coordinates_.size())).second) {
        throw InputError("robot '" + name_ + "': '" + c.name +
                         "' would mean a value of two joints; rename the joint of this name");
      }
      coordinates_.push_back(std::move(c));
    }
  }
  // A joint that mimics an angle with a factor of 1/2 is elsewhere after a turn: then q and q + 2 pi are two poses.
  for (const Joint& joint : joints_) {
    if (!joint.is_mimic || joint.q_index < 0 || joint.multiplier == 0.0) continue;
    const bool same_after_a_turn =
        joint.type != JointType::Prismatic && joint.multiplier == std::round(joint.multiplier);
    Coordinate& master = coordinates_[joint.q_index];
    master.continuous = master.continuous && same_after_a_turn;
  }
}

int RobotModel::find_link(const std::string& name) const {
  const auto it = link_by_name_.find(name);
  return it == link_by_name_.end() ? -1 : it->second;
}

int RobotModel::find_coordinate(const std::string& name) const {
  const auto it = coordinate_by_name_.find(name);
  return it == coordinate_by_name_.end() ? -1 : it->second;
}

JointVector RobotModel::neutral() const {
  JointVector q(dof());
  for (int i = 0; i < dof(); ++i) {
    const Coordinate& c = coordinates_[i];
    const bool zero_allowed = c.lower <= 0.0 && 0.0 <= c.upper;
    q[i] = zero_allowed
               ? 0.0
               : (std::isfinite(c.lower) ? (std::isfinite(c.upper) ? 0.5 * (c.lower + c.upper) : c.lower) : c.upper);
    const Joint& joint = joints_[c.joint];
    if (joint.type == JointType::Floating && i == joint.q_index + 6) q[i] = 1.0;
  }
  return q;
}

}  // namespace planner_ccd
