#include "planner_ccd/scene/scene.hpp"

#include <algorithm>
#include <set>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

void validate_object(const SceneObject& object, std::set<std::string>& names) {
  if (object.name.empty()) throw InputError("scene: an object has no name");
  if (object.name == "*") throw InputError("scene: '*' stands for all and cannot be the name of an object");
  const std::string where = "scene, object '" + object.name + "'";
  if (!names.insert(object.name).second) throw InputError(where + ": another object has the same name; rename one");
  if (object.geometry.empty()) throw InputError(where + ": it has no geometry");
  for (const Geometry& geometry : object.geometry) validate(geometry, where + ", " + geometry.source);
  validate(object.pose, where);
}

}  // namespace

void Scene::attach(const std::string& object, const std::string& link, const Eigen::Isometry3d& X_LinkObject,
                   std::vector<std::string> touch_links) {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const SceneObject& o) { return o.name == object; });
  if (found == objects.end()) {
    throw InputError("scene: cannot attach '" + object + "': no object of this name stands in the scene");
  }
  if (link.empty()) throw InputError("scene: cannot attach '" + object + "' to a link without a name");
  const Eigen::Isometry3d pose = rigid(X_LinkObject, "scene, attaching '" + object + "'");
  attached.push_back({std::move(*found), link, std::move(touch_links)});
  attached.back().object.pose = pose;
  objects.erase(found);
}

void Scene::detach(const std::string& object, const Eigen::Isometry3d& X_WorldObject) {
  const auto found =
      std::find_if(attached.begin(), attached.end(), [&](const AttachedObject& a) { return a.object.name == object; });
  if (found == attached.end()) throw InputError("scene: cannot detach '" + object + "': it is not attached");
  const Eigen::Isometry3d pose = rigid(X_WorldObject, "scene, detaching '" + object + "'");
  objects.push_back(std::move(found->object));
  objects.back().pose = pose;
  attached.erase(found);
}

Scene made_rigid(Scene scene) {
  validate(scene);
  const auto make = [](SceneObject& object) {
    const std::string where = "scene, object '" + object.name + "'";
    make_rigid(object.geometry, where);
    object.pose = rigid(object.pose, where);
  };
  for (SceneObject& object : scene.objects) make(object);
  for (AttachedObject& attached : scene.attached) make(attached.object);
  return scene;
}

void validate(const Scene& scene) {
  std::set<std::string> names;
  for (const SceneObject& object : scene.objects) validate_object(object, names);
  for (const AttachedObject& attached : scene.attached) {
    validate_object(attached.object, names);
    if (attached.link.empty()) throw InputError("scene, object '" + attached.object.name + "': the link has no name");
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
}

}  // namespace planner_ccd
