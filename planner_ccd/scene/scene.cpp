#include "planner_ccd/scene/scene.hpp"

#include <algorithm>
#include <set>

#include "planner_ccd/geometry/shape_points.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// `known`: meshes already validated; one may be placed many times.
void validate_object(const SceneObject& object, std::set<const TriangleMesh*>& known) {
  if (object.name.empty()) throw InputError("scene: an object has no name");
  if (object.name == "*") throw InputError("scene: '*' stands for all and cannot be the name of an object");
  const std::string where = "scene, object '" + object.name + "'";
  if (object.geometry.empty()) throw InputError(where + ": it has no geometry");
  for (const Geometry& geometry : object.geometry) {
    const auto* mesh = std::get_if<MeshPtr>(&geometry.shape);
    if (mesh != nullptr && known.count(mesh->get()) > 0) {
      validate(geometry.pose, where + ", " + geometry.source);
      continue;
    }
    validate(geometry, where + ", " + geometry.source);
    if (mesh != nullptr) known.insert(mesh->get());
  }
  validate(object.pose, where);
  validate(object.pose_error, where);
}

}  // namespace

void Scene::attach(const std::string& object, const std::string& link, const Pose& X_LinkObject,
                   std::vector<std::string> touch_links) {
  const SceneObject* found = objects.find(object);
  if (found == nullptr) {
    throw InputError("scene: cannot attach '" + object + "': no object of this name stands in the scene");
  }
  if (link.empty()) throw InputError("scene: cannot attach '" + object + "' to a link without a name");
  const Eigen::Isometry3d pose = rigid(X_LinkObject, "scene, attaching '" + object + "'");
  attached.push_back({*found, link, std::move(touch_links)});
  attached.back().object.pose = pose;
  objects.erase(attached.back().object.name);
}

void Scene::detach(const std::string& object, const Pose& X_WorldObject) {
  const auto found =
      std::find_if(attached.begin(), attached.end(), [&](const AttachedObject& a) { return a.object.name == object; });
  if (found == attached.end()) throw InputError("scene: cannot detach '" + object + "': it is not attached");
  found->object.pose = rigid(X_WorldObject, "scene, detaching '" + object + "'");
  objects.push_back(found->object);
  attached.erase(found);
}

/// Objects that are already rigid are returned unchanged and stay shared.
Scene made_rigid(Scene scene) {
  validate(scene);
  const auto make = [](SceneObject& object) {
    const std::string where = "scene, object '" + object.name + "'";
    for (Geometry& g : object.geometry) g.pose = rigid(g.pose, where);
    object.pose = rigid(object.pose, where);
  };
  const auto is_rigid = [](const Pose& pose) { return rigid(pose, "scene").matrix() == pose.matrix(); };
  const SceneObjects given = scene.objects;
  for (const SceneObject& object : given) {
    if (is_rigid(object.pose) && std::all_of(object.geometry.begin(), object.geometry.end(),
                                             [&](const Geometry& g) { return is_rigid(g.pose); })) {
      continue;
    }
    SceneObject fresh = object;
    make(fresh);
    scene.objects.replace(std::move(fresh));
  }
  for (AttachedObject& attached : scene.attached) make(attached.object);
  return scene;
}

void validate(const SceneObject& object) {
  std::set<const TriangleMesh*> known;
  validate_object(object, known);
}

/// Fewer than 64 roundings of the lengths that are added.
double displacement(const SceneObject& object) {
  if (!(object.pose_error.angle > 0.0)) return displacement(object.pose_error, 0.0);
  double reach = 0.0;
  for (const Geometry& g : object.geometry) {
    for_each_ball(g.shape, [&](const Eigen::Vector3d& p, double radius) {
      const double lengths = p.norm() + g.pose.translation().norm();
      reach = std::max(reach, (g.pose * p).norm() + radius + 64.0 * kUnitRoundoff * lengths);
    });
  }
  return displacement(object.pose_error, reach * kRoundUp);
}

void validate(const Scene& scene) {
  std::set<const TriangleMesh*> known;
  for (const SceneObject& object : scene.objects) validate_object(object, known);
  validate_rules(scene);
}

void validate_rules(const Scene& scene) {
  std::set<const TriangleMesh*> known;
  std::set<std::string> held;
  for (const AttachedObject& attached : scene.attached) {
    validate_object(attached.object, known);
    const std::string& name = attached.object.name;
    if (!held.insert(name).second || scene.objects.find(name) != nullptr) {
      throw InputError("scene, object '" + name + "': another object has the same name; rename one");
    }
    if (attached.link.empty()) throw InputError("scene, object '" + name + "': the link has no name");
  }
  for (const AllowedPair& pair : scene.allow) {
    if (pair.a.empty() || pair.b.empty()) throw InputError("scene: an allowed pair has an empty name");
  }
  for (const PairMargin& pair : scene.margins) {
    if (pair.a.empty() || pair.b.empty()) throw InputError("scene: a pair with a margin has an empty name");
    if (!(pair.margin >= 0.0) || pair.margin > kMaxCoordinate) {
      throw InputError("scene: the margin of '" + pair.a + "' and '" + pair.b + "' must be 0 or more metres");
    }
  }
  std::set<std::string> padded;
  for (const Padding& p : scene.padding) {
    if (!(p.padding >= 0.0) || p.padding > kMaxCoordinate) {
      throw InputError("scene: the padding of '" + p.name + "' must be 0 or more metres");
    }
    if (scene.objects.find(p.name) != nullptr) {
      throw InputError("padding: '" + p.name +
                       "' stands in the scene; give it margins, padding is for links and what they hold");
    }
    if (!padded.insert(p.name).second) throw InputError("scene: '" + p.name + "' has two paddings; leave one out");
  }
}

}  // namespace planner_ccd
