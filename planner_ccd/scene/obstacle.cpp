#include "planner_ccd/scene/obstacle.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/body_volumes.hpp"
#include "planner_ccd/scene/grain_field.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {

look::Boxes::Boxes() {
  for (int i = 0; i < kCount; ++i) clear(i);
}

void look::Boxes::set(int i, const float (&low)[3], const float (&high)[3]) {
  for (int k = 0; k < 3; ++k) {
    lower[k][i] = low[k];
    upper[k][i] = high[k];
  }
}

void look::Boxes::clear(int i) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (int k = 0; k < 3; ++k) {
    lower[k][i] = kInfinity;
    upper[k][i] = -kInfinity;
  }
}

namespace {

/// The frame's axes are orthonormal to 8 u in float, which changes coordinates in the world by less than 64 u of the sizes.
void set_box(const RoundVolume& v, int i, look::Boxes& boxes) {
  constexpr double kStretch = 1.0 + 64.0 * kFloatRoundoff;
  const Eigen::Vector3d center = v.center.cast<double>();
  const Eigen::Vector3d half = v.axes.cast<double>().cwiseAbs() * v.half.cast<double>() * kStretch +
                               Eigen::Vector3d::Constant(v.radius * kStretch);
  float lower[3], upper[3];
  for (int k = 0; k < 3; ++k) {
    lower[k] = float_down(center[k] - half[k]);
    upper[k] = float_up(center[k] + half[k]);
  }
  boxes.set(i, lower, upper);
}

/// Rigid poses as in made_rigid().
SceneObject rigid_object(SceneObject object) {
  const std::string where = "scene, object '" + object.name + "'";
  for (Geometry& g : object.geometry) g.pose = rigid(g.pose, where);
  object.pose = rigid(object.pose, where);
  return object;
}

}  // namespace

Obstacle::Obstacle(Content content) : content_(std::move(content)) {
  const Eigen::AlignedBox3d around = bounds();
  for (int i = 0; i < 3; ++i) {
    lower_[i] = float_down(around.min()[i]);
    upper_[i] = float_up(around.max()[i]);
  }
}

Obstacle::~Obstacle() { delete volumes_.load(std::memory_order_relaxed); }

Eigen::AlignedBox3d Obstacle::bounds() const {
  const double around = content_.displaced * kRoundUp;
  if (!(around > 0.0)) return content_.bounds;
  return {content_.bounds.min().array() - around, content_.bounds.max().array() + around};
}

const ObstacleVolumes& Obstacle::make_volumes() const {
  auto fresh = std::make_unique<ObstacleVolumes>();
  const SsvTree& tree = content_.tree->get();
  const bool grains = static_cast<bool>(tree.soup().grains);
  const BodyVolumes volumes = grains ? box_of_grains(tree) : volumes_of(tree, ObstacleVolumes::kMost);
  fresh->filled = volumes.filled;
  for (const RoundVolume& v : volumes.volumes) {
    set_box(v, static_cast<int>(fresh->volumes.size()), fresh->boxes);
    fresh->volumes.push_back(look_volume(v));
  }
  if (grains) fresh->field = field_of_grains(tree, content_.bodies_of_grains);
  const ObstacleVolumes* made = nullptr;
  if (volumes_.compare_exchange_strong(made, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *made;
}

std::shared_ptr<const Obstacle> make_obstacle(std::uint64_t key, int place, std::shared_ptr<const SceneObject> given,
                                              bool buildable, std::ptrdiff_t bodies_of_grains) {
  const auto object = std::make_shared<const SceneObject>(rigid_object(*given));
  Obstacle::Content out{.key = key, .place = place, .object = std::move(given), .tree = {}, .bounds = {}};
  out.displaced = displacement(*object);
  out.bodies_of_grains = bodies_of_grains;
  if (buildable) {
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
  return std::make_shared<const Obstacle>(std::move(out));
}

}  // namespace planner_ccd
