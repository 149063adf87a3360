#include "planner_ccd/scene/arrivals.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

constexpr double kCell = 1.0 / 32.0;  ///< [m] 2^21 of them along each axis, half of them on either side of the origin.

/// Interleaves the bits of three numbers below 2^21.
std::uint64_t interleave(const std::uint64_t (&c)[3]) {
  std::uint64_t out = 0;
  for (int bit = 20; bit >= 0; --bit) {
    for (const std::uint64_t x : c) out = out << 1 | (x >> bit & 1u);
  }
  return out;
}

/// Rigid poses as in made_rigid().
SceneObject rigid_object(SceneObject object) {
  const std::string where = "scene, object '" + object.name + "'";
  for (Geometry& g : object.geometry) g.pose = rigid(g.pose, where);
  object.pose = rigid(object.pose, where);
  return object;
}

/// Only hulls are not known in advance to make a tree at any pose.
bool has_hull(const SceneObject& object) {
  return std::any_of(object.geometry.begin(), object.geometry.end(),
                     [](const Geometry& g) { return std::holds_alternative<ConvexHull>(g.shape); });
}

}  // namespace

Arrival arrive(std::uint64_t key, std::shared_ptr<const SceneObject> given, const SceneObject* alike, int known) {
  if (alike == nullptr) {
    validate(*given);
  } else {
    validate(given->pose, "scene, object '" + given->name + "'");
    validate(given->pose_error, "scene, object '" + given->name + "'");
  }
  const auto object = std::make_shared<const SceneObject>(rigid_object(*given));
  Arrival out{key, std::move(given), nullptr, {}, 0.0, displacement(*object), 0.0, known};
  if (alike != nullptr && !has_hull(*object)) {
    const BodyBounds bounds = bounds_of(*object);
    out.bounds = bounds.box;
    out.radius = bounds.radius;
    out.tree = std::make_shared<DeferredTree>(object);
  } else {
    auto tree = std::make_shared<const SsvTree>(SsvTree::build(placed(object->geometry, object->pose), object->name));
    out.bounds = tree->bounds();
    out.radius = tree->bounding_radius();
    out.tree = std::make_shared<DeferredTree>(std::move(tree));
  }
  out.extent = std::max(offsets_of(object->geometry, object->pose), out.bounds.center().norm() + out.radius);
  const double around = out.displaced * kRoundUp;
  if (around > 0.0) out.bounds = {out.bounds.min().array() - around, out.bounds.max().array() + around};
  return out;
}

Arrivals::Around::Around(const Shared& one, const Around* left, const Around* right)
    : box(one->bounds), extent(one->extent) {
  for (const Around* below : {left, right}) {
    if (below == nullptr) continue;
    box.extend(below->box);
    extent = std::max(extent, below->extent);
  }
}

std::uint64_t Arrivals::Mixed::operator()(const Place& place) const {
  return place.cell * 0xD6E8FEB86659FD93u ^ place.key;
}

Arrivals::Place Arrivals::place_of(const Arrival& arrival) {
  std::uint64_t cell[3];
  const Eigen::Vector3d center = arrival.bounds.center();
  for (int i = 0; i < 3; ++i) {
    cell[i] = static_cast<std::uint64_t>(std::clamp(center[i] / kCell, -1048576.0, 1048575.0) + 1048576.0);
  }
  return {interleave(cell), arrival.key};
}

const Arrival* Arrivals::find(std::uint64_t key) const {
  const Shared* found = by_key_.find(key);
  return found == nullptr ? nullptr : found->get();
}

void Arrivals::put(Arrival arrival) {
  if (const Arrival* before = find(arrival.key)) by_place_.erase(place_of(*before));
  const auto shared = std::make_shared<const Arrival>(std::move(arrival));
  by_key_.set(shared->key, shared);
  by_place_.set(place_of(*shared), shared);
}

void Arrivals::erase(std::uint64_t key) {
  const Arrival* arrival = find(key);
  if (arrival == nullptr) return;
  by_place_.erase(place_of(*arrival));
  by_key_.erase(key);
}

void Arrivals::meet(const Eigen::AlignedBox3d& box, std::vector<const Arrival*>& out) const {
  const auto look = [&](const auto& self, const auto* node) -> void {
    for (; node != nullptr && node->summary.box.intersects(box); node = node->right.get()) {
      if (node->value->bounds.intersects(box)) out.push_back(node->value.get());
      self(self, node->left.get());
    }
  };
  look(look, by_place_.root());
}

}  // namespace planner_ccd
