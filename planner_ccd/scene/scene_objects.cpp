#include "planner_ccd/scene/scene_objects.hpp"

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {
namespace {

using Object = std::shared_ptr<const SceneObject>;
using ByOrder = PersistentMap<std::uint64_t, Object>;

}  // namespace

struct SceneObjects::Maps {
  ByOrder by_order;
  PersistentMap<std::string, std::uint64_t> by_name;  ///< To the key in by_order.
  std::uint64_t next = 0;
};

SceneObjects::SceneObjects(std::initializer_list<SceneObject> objects) {
  for (const SceneObject& object : objects) push_back(object);
}

const SceneObjects::Maps& SceneObjects::maps() const {
  static const Maps none;
  return maps_ == nullptr ? none : *maps_;
}

std::size_t SceneObjects::size() const { return maps().by_order.size(); }

const SceneObject& SceneObjects::operator[](std::size_t i) const { return *maps().by_order[i]; }

const SceneObject* SceneObjects::find(std::string_view name) const {
  const std::uint64_t* key = maps().by_name.find(name);
  return key == nullptr ? nullptr : maps().by_order.find(*key)->get();
}

std::optional<std::size_t> SceneObjects::index_of(std::string_view name) const {
  const std::uint64_t* key = maps().by_name.find(name);
  if (key == nullptr) return std::nullopt;
  return maps().by_order.rank(*key);
}

std::optional<std::uint64_t> SceneObjects::key_of(std::string_view name) const {
  const std::uint64_t* key = maps().by_name.find(name);
  return key == nullptr ? std::nullopt : std::optional(*key);
}

std::uint64_t SceneObjects::require(std::string_view name) const {
  const std::uint64_t* key = maps().by_name.find(name);
  if (key == nullptr) throw InputError("the scene has no object '" + std::string(name) + "'");
  return *key;
}

void SceneObjects::push_back(SceneObject object) {
  if (object.name.empty()) throw InputError("scene: an object has no name");
  if (object.name == "*") throw InputError("scene: '*' stands for all and cannot be the name of an object");
  Maps changed = maps();
  if (changed.by_name.find(object.name) != nullptr) {
    throw InputError("scene, object '" + object.name + "': another object has the same name; rename one");
  }
  changed.by_name.set(object.name, changed.next);
  changed.by_order.set(changed.next, std::make_shared<const SceneObject>(std::move(object)));
  ++changed.next;
  maps_ = std::make_shared<const Maps>(std::move(changed));
}

void SceneObjects::move(std::string_view name, const Pose& pose) {
  SceneObject moved = **maps().by_order.find(require(name));
  moved.pose = pose;
  replace(std::move(moved));
}

void SceneObjects::replace(SceneObject object) {
  const std::uint64_t key = require(object.name);
  Maps changed = maps();
  changed.by_order.set(key, std::make_shared<const SceneObject>(std::move(object)));
  maps_ = std::make_shared<const Maps>(std::move(changed));
}

void SceneObjects::erase(std::string_view name) {
  const std::uint64_t key = require(name);
  Maps changed = maps();
  changed.by_name.erase(std::string(name));
  changed.by_order.erase(key);
  maps_ = std::make_shared<const Maps>(std::move(changed));  // last, since `name` may belong to the object
}

std::optional<std::vector<SceneObjects::Difference>> SceneObjects::differences(const SceneObjects& before,
                                                                               const SceneObjects& after,
                                                                               std::size_t most) {
  std::vector<Difference> out;
  const bool all = ByOrder::compare(before.maps().by_order, after.maps().by_order,
                                    [&](std::uint64_t key, const Object* a, const Object* b) {
                                      out.push_back({key, a == nullptr ? nullptr : *a, b == nullptr ? nullptr : *b});
                                      return out.size() <= most;
                                    });
  if (!all) return std::nullopt;
  return out;
}

std::shared_ptr<const SceneObject> SceneObjects::at_key(std::uint64_t key) const {
  const Object* found = maps().by_order.find(key);
  return found == nullptr ? nullptr : *found;
}

std::size_t SceneObjects::rank_of_key(std::uint64_t key) const { return maps().by_order.rank(key); }

SceneObjects::Iterator SceneObjects::begin() const {
  Iterator first;
  first.down(maps().by_order.root());
  return first;
}

const std::shared_ptr<const SceneObject>& SceneObjects::Iterator::shared() const {
  return static_cast<const ByOrder::Node*>(path_.back())->value;
}

SceneObjects::Iterator& SceneObjects::Iterator::operator++() {
  const ByOrder::Node* done = static_cast<const ByOrder::Node*>(path_.back());
  path_.pop_back();
  down(done->right.get());
  return *this;
}

void SceneObjects::Iterator::down(const void* node) {
  for (auto* at = static_cast<const ByOrder::Node*>(node); at != nullptr; at = at->left.get()) path_.push_back(at);
}

}  // namespace planner_ccd
