#include "bench/peers/fcl_world.hpp"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace planner_ccd::bench {

std::shared_ptr<FclModel> fcl_model(const SsvTree& tree) {
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (int i = 0; i < tree.primitive_count(); ++i) {
    const Primitive p = tree.primitive(i);
    for (const Eigen::Vector3d& c : p.corners) points.push_back(c);
    triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  auto model = std::make_shared<FclModel>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

namespace {

struct Query {
  const std::vector<std::uint8_t>* checked;
  bool hit = false;
  double distance = std::numeric_limits<double>::infinity();
};

bool collide_pair(const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b) {
  fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  return fcl::collide(a, b, request, result) > 0;
}

constexpr std::size_t kMoving = ~std::size_t{0};  ///< User data of links; fixed objects carry their index.

std::size_t index_of(const fcl::CollisionObjectd* object) {
  return reinterpret_cast<std::size_t>(object->getUserData());
}

bool collide_callback(fcl::CollisionObjectd* moving, fcl::CollisionObjectd* fixed, void* data) {
  auto& query = *static_cast<Query*>(data);
  if (index_of(fixed) == kMoving) std::swap(moving, fixed);
  if (!(*query.checked)[index_of(fixed)]) return false;
  query.hit = query.hit || collide_pair(moving, fixed);
  return query.hit;
}

}  // namespace

FclWorld::FclWorld(const RobotModel& robot, const CollisionWorld& world)
    : FclWorld(robot, world, [](const Collider& c) { return fcl_model(*c.tree); }) {}

FclWorld::FclWorld(const RobotModel& robot, const CollisionWorld& world, const FclGeometries& geometries)
    : world_(world) {
  kinematics_.resize(MoveChain(robot));
  std::map<const Collider*, int> moving_index, fixed_index;
  for (std::size_t i = 0; i < world.colliders().size(); ++i) {
    const Collider& c = world.colliders()[i];
    auto object = std::make_unique<fcl::CollisionObjectd>(geometries(c));
    object->computeAABB();
    std::vector<Body>& list = c.body == 0 ? fixed_ : moving_;
    (c.body == 0 ? fixed_index : moving_index)[&c] = static_cast<int>(list.size());
    object->setUserData(reinterpret_cast<void*>(c.body == 0 ? list.size() : kMoving));
    list.push_back({c.body, static_cast<int>(i), std::move(object)});
  }
  checked_.assign(moving_.size(), std::vector<std::uint8_t>(fixed_.size(), 0));
  const SearchProblem& problem = world.problem();
  for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
    const Collider* a = &world.colliders()[world.collider_a(static_cast<int>(p))];
    const Collider* b = &world.colliders()[world.collider_b(static_cast<int>(p))];
    if (b->body == 0) {
      checked_[moving_index[a]][fixed_index[b]] = 1;
    } else {
      self_pairs_.push_back({moving_index[a], moving_index[b]});
    }
  }
  for (Body& b : fixed_) obstacles_.registerObject(b.object.get());
  obstacles_.setup();
}

void FclWorld::place(EdgeMotion& motion, double t) {
  ++checks;
  motion.kinematics(t, kinematics_);
  for (Body& b : moving_) {
    b.object->setTransform(kinematics_.bodies[b.body].R_WB, kinematics_.bodies[b.body].p_WB);
    b.object->computeAABB();
  }
}

bool FclWorld::collides(EdgeMotion& motion, double t) {
  place(motion, t);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    Query query{&checked_[i]};
    obstacles_.collide(moving_[i].object.get(), &query, collide_callback);
    if (query.hit) return true;
  }
  for (const Pair& pair : self_pairs_) {
    const fcl::CollisionObjectd* a = moving_[pair.a].object.get();
    const fcl::CollisionObjectd* b = moving_[pair.b].object.get();
    if (a->getAABB().overlap(b->getAABB()) && collide_pair(a, b)) return true;
  }
  return false;
}

double FclWorld::distance(EdgeMotion& motion, double t) {
  place(motion, t);
  double least = std::numeric_limits<double>::infinity();
  const auto take = [&](const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b) {
    if (least <= 0.0 || a->getAABB().distance(b->getAABB()) >= least) return;
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    result.min_distance = least;
    least = std::min(least, fcl::distance(a, b, request, result));
  };
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    for (std::size_t j = 0; j < fixed_.size(); ++j) {
      if (checked_[i][j]) take(moving_[i].object.get(), fixed_[j].object.get());
    }
  }
  for (const Pair& pair : self_pairs_) take(moving_[pair.a].object.get(), moving_[pair.b].object.get());
  return std::max(0.0, least);
}

DiscreteResult discrete_bisection(FclWorld& world, EdgeMotion& motion, double length, double step) {
  const auto n = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(length / step)));
  if (world.collides(motion, 1.0)) return {true, 1.0};
  if (world.collides(motion, 0.0)) return {true, 0.0};
  std::vector<std::pair<std::int64_t, std::int64_t>> queue{{1, n - 1}};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto [lo, hi] = queue[head];
    if (lo > hi) continue;
    const std::int64_t mid = (lo + hi) / 2;
    const double t = static_cast<double>(mid) / static_cast<double>(n);
    if (world.collides(motion, t)) return {true, t};
    queue.emplace_back(lo, mid - 1);
    queue.emplace_back(mid + 1, hi);
  }
  return {};
}

DiscreteResult discrete_in_order(FclWorld& world, EdgeMotion& motion, double length, double step) {
  const auto n = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(length / step)));
  for (std::int64_t i = 0; i <= n; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(n);
    if (world.collides(motion, t)) return {true, t};
  }
  return {};
}

}  // namespace planner_ccd::bench
