#pragma once

#include <urdf_model/model.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/robot_spec.hpp"

namespace planner_ccd {

struct UrdfModelOptions {
  ResourceOptions resources;
  std::string base = ".";   ///< Folder from which relative mesh files are searched: a model does not know its file's.
  bool use_visual = false;  ///< Links without a <collision> use their <visual> geometry.
  MeshCache* meshes = nullptr;  ///< Share meshes with other loads; not owned. nullptr: a cache for this call alone.
};

namespace detail {

/// Converts one urdf::ModelInterface.
class UrdfModelReader {
 public:
  UrdfModelReader(const urdf::ModelInterface& model, const UrdfModelOptions& options)
      : model_(model), options_(options), meshes_(options.meshes ? *options.meshes : own_meshes_) {}

  Loaded<RobotSpec> read() {
    Loaded<RobotSpec> out;
    out_ = &out;
    out.value.name = model_.name_.empty() ? "robot" : model_.name_;
    for (const auto& [name, link] : model_.links_) out.value.links.push_back(read_link(name, *link));
    if (out.value.links.empty()) throw InputError("urdf model '" + out.value.name + "': it has no links");
    for (const auto& [name, joint] : model_.joints_) out.value.joints.push_back(read_joint(name, *joint));
    if (!only_visual_.empty()) {
      std::string names;
      for (const std::string& name : only_visual_) names += (names.empty() ? "" : ", ") + name;
      out.warnings.push_back(
          {WarningKind::NoGeometry,
           "urdf model '" + out.value.name + "': links with visual but no collision geometry, not checked: " + names});
    }
    for (const Assumption& a : out.assumptions) out.warnings.push_back({WarningKind::MeshFile, to_line(a, 12)});
    return out;
  }

 private:
  LinkSpec read_link(const std::string& name, const urdf::Link& link) {
    LinkSpec out;
    out.name = name;
    const std::string where = "urdf model, link '" + name + "'";
    for (const auto& c : link.collision_array) append(out.collision, c->geometry.get(), c->origin, where);
    if (link.collision_array.empty() && link.collision) {  // set by a program
      append(out.collision, link.collision->geometry.get(), link.collision->origin, where);
    }
    if (!out.collision.empty() || link.visual_array.empty()) return out;
    if (!options_.use_visual) only_visual_.push_back(name);
    for (const auto& v : link.visual_array) {
      if (options_.use_visual) append(out.collision, v->geometry.get(), v->origin, where);
    }
    return out;
  }

  void append(std::vector<Geometry>& shapes, const urdf::Geometry* geometry, const urdf::Pose& origin,
              const std::string& where) {
    if (geometry == nullptr) throw InputError(where + ": a collision or visual without a shape");
    Geometry out;
    out.pose = pose_of(origin, where);
    if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(geometry)) {
      out.source = mesh->filename;
      out.shape = read_mesh(*mesh, where);
    } else if (const auto* box = dynamic_cast<const urdf::Box*>(geometry)) {
      out.source = "box";
      out.shape = Box{{box->dim.x, box->dim.y, box->dim.z}};
    } else if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(geometry)) {
      out.source = "sphere";
      out.shape = Sphere{sphere->radius};
    } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(geometry)) {
      out.source = "cylinder";
      out.shape = Cylinder{cylinder->radius, cylinder->length};
    } else {
      throw InputError(where + ": a shape of a kind that is not known; use mesh, box, sphere or cylinder");
    }
    validate(out, where + ", " + out.source);
    shapes.push_back(std::move(out));
  }

  MeshPtr read_mesh(const urdf::Mesh& mesh, const std::string& where) {
    constexpr double kLargestPart = 20.0;  // [m] A larger robot part was most likely modelled in millimetres.
    try {
      const ResolvedResource file = resolve_resource(mesh.filename, options_.base, options_.resources);
      if (!file.doubt.empty()) warn_once({WarningKind::WhichFile, where + ": " + mesh.filename + file.doubt});
      const Eigen::Vector3d scale(mesh.scale.x, mesh.scale.y, mesh.scale.z);
      MeshPtr loaded = meshes_.load(file.path, scale, options_.resources.dae_up_axis);
      merge(out_->assumptions, meshes_.assumptions(file.path, options_.resources.dae_up_axis));
      const std::string doubt = implausible_size(*loaded, kLargestPart);
      if (!doubt.empty()) warn_once({WarningKind::ImplausibleSize, where + ": " + mesh.filename + " " + doubt});
      return loaded;
    } catch (const InputError& error) {
      throw InputError(where + ": " + error.what());
    }
  }

  JointSpec read_joint(const std::string& name, const urdf::Joint& joint) {
    const std::string where = "urdf model, joint '" + name + "'";
    JointSpec out;
    out.name = name;
    out.type = type_of(joint, where);
    out.parent = joint.parent_link_name;
    out.child = joint.child_link_name;
    out.origin = pose_of(joint.parent_to_joint_origin_transform, where);
    if (out.type != JointType::Fixed && out.type != JointType::Floating) {
      out.axis = {joint.axis.x, joint.axis.y, joint.axis.z};
    }
    const bool bounded = out.type == JointType::Revolute || out.type == JointType::Prismatic;
    if (bounded && !joint.limits) throw InputError(where + ": has no limits; give it some, or make it continuous");
    if (bounded) {
      out.lower = joint.limits->lower;
      out.upper = joint.limits->upper;
    }
    if (joint.limits && joint.limits->velocity < 0.0) throw InputError(where + ": the velocity limit is negative");
    if (joint.limits && joint.limits->velocity > 0.0) out.max_velocity = joint.limits->velocity;
    if (joint.mimic && out.type == JointType::Fixed) {
      warn_once({WarningKind::NotRead, where + ": the joint is fixed, its mimic has no effect"});
    } else if (joint.mimic) {
      out.mimic = MimicSpec{joint.mimic->joint_name, joint.mimic->multiplier, joint.mimic->offset};
    }
    return out;
  }

  static JointType type_of(const urdf::Joint& joint, const std::string& where) {
    switch (joint.type) {
      case urdf::Joint::FIXED: return JointType::Fixed;
      case urdf::Joint::REVOLUTE: return JointType::Revolute;
      case urdf::Joint::CONTINUOUS: return JointType::Continuous;
      case urdf::Joint::PRISMATIC: return JointType::Prismatic;
      case urdf::Joint::PLANAR: return JointType::Planar;
      case urdf::Joint::FLOATING: return JointType::Floating;
      default: throw InputError(where + ": a joint of a type that is not known");
    }
  }

  static Pose pose_of(const urdf::Pose& pose, const std::string& where) {
    const Eigen::Quaterniond q(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
    if (!(std::abs(q.norm() - 1.0) < 1e-3)) throw InputError(where + ": a quaternion must have length 1");
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.linear() = q.normalized().toRotationMatrix();
    X.translation() = Eigen::Vector3d(pose.position.x, pose.position.y, pose.position.z);
    return rigid(X, where);
  }

  void warn_once(const InputWarning& warning) {
    std::vector<InputWarning>& all = out_->warnings;
    if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
  }

  const urdf::ModelInterface& model_;
  const UrdfModelOptions& options_;
  MeshCache own_meshes_;
  MeshCache& meshes_;
  Loaded<RobotSpec>* out_ = nullptr;
  std::vector<std::string> only_visual_;
};

}  // namespace detail

/// The robot of a parsed URDF, as programs of ROS have one: links and joints in the order of their names, otherwise the robot
/// that load_urdf() reads from the file; rotations to rounding, because the model holds quaternions. Header only: the including
/// program has the headers of urdfdom; planner_ccd does not. Throws InputError naming link or joint for meshes that are
/// missing or cannot be read, for unknown shapes and joint types, for dimensions, poses and limits that cannot be used.
inline Loaded<RobotSpec> robot_from_urdf_model(const urdf::ModelInterface& model,
                                               const UrdfModelOptions& options = {}) {
  return detail::UrdfModelReader(model, options).read();
}

}  // namespace planner_ccd
