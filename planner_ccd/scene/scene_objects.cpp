#include "planner_ccd/scene/scene_objects.hpp"

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

SceneObjects::SceneObjects(std::initializer_list<SceneObject> objects) {
  for (const SceneObject& object : objects) push_back(object);
}

const SceneObject* SceneObjects::find(std::string_view name) const {
  const std::uint64_t* key = by_name_.find(name);
  return key == nullptr ? nullptr : by_order_.find(*key)->get();
}

std::optional<std::size_t> SceneObjects::index_of(std::string_view name) const {
  const std::uint64_t* key = by_name_.find(name);
  if (key == nullptr) return std::nullopt;
  return by_order_.rank(*key);
}

std::uint64_t SceneObjects::require(std::string_view name) const {
  const std::uint64_t* key = by_name_.find(name);
  if (key == nullptr) throw InputError("the scene has no object '" + std::string(name) + "'");
  return *key;
}

void SceneObjects::push_back(SceneObject object) {
  if (object.name.empty()) throw InputError("scene: an object has no name");
  if (object.name == "*") throw InputError("scene: '*' stands for all and cannot be the name of an object");
  if (by_name_.find(object.name) != nullptr) {
    throw InputError("scene, object '" + object.name + "': another object has the same name; rename one");
  }
  by_name_.set(object.name, next_);
  by_order_.set(next_, std::make_shared<const SceneObject>(std::move(object)));
  ++next_;
}

void SceneObjects::move(std::string_view name, const Pose& pose) {
  const std::uint64_t key = require(name);
  SceneObject moved = **by_order_.find(key);
  moved.pose = pose;
  by_order_.set(key, std::make_shared<const SceneObject>(std::move(moved)));
}

void SceneObjects::replace(SceneObject object) {
  const std::uint64_t key = require(object.name);
  by_order_.set(key, std::make_shared<const SceneObject>(std::move(object)));
}

void SceneObjects::erase(std::string_view name) {
  const std::uint64_t key = require(name);
  by_name_.erase(std::string(name));  // first, since `name` may belong to the object
  by_order_.erase(key);
}

std::optional<std::vector<SceneObjects::Difference>> SceneObjects::differences(const SceneObjects& before,
                                                                               const SceneObjects& after,
                                                                               std::size_t most) {
  using Object = std::shared_ptr<const SceneObject>;
  std::vector<Difference> out;
  const bool all =
      ByOrder::compare(before.by_order_, after.by_order_, [&](std::uint64_t key, const Object* a, const Object* b) {
        out.push_back({key, a == nullptr ? nullptr : *a, b == nullptr ? nullptr : *b});
        return out.size() <= most;
      });
  if (!all) return std::nullopt;
  return out;
}

std::shared_ptr<const SceneObject> SceneObjects::at_key(std::uint64_t key) const {
  const std::shared_ptr<const SceneObject>* found = by_order_.find(key);
  return found == nullptr ? nullptr : *found;
}

}  // namespace planner_ccd
