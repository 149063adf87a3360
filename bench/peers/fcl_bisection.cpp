#include "bench/peers/fcl_bisection.hpp"

#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>

#include <algorithm>

#include "bench/peers/fcl_world.hpp"

namespace planner_ccd::bench {
namespace {

/// FCL's traversal of a distance query, ended like PQP_Tolerance: at the first triangles nearer than `needed`. Boxes
/// that are farther are skipped, because `needed` is its initial distance.
class ToleranceNode : public fcl::detail::MeshDistanceTraversalNodeOBBRSS<double> {
 public:
  explicit ToleranceNode(double needed) : needed_(needed) {}
  bool canStop(double c) const override { return c >= needed_ || this->result->min_distance < needed_; }

 private:
  double needed_;
};

/// The distance of a pair of triangles nearer than `needed`, or `needed`.
double distance_below(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b, double needed) {
  fcl::DistanceRequestd request;
  fcl::DistanceResultd result;
  result.min_distance = needed;
  ToleranceNode node(needed);
  const auto* model_a = static_cast<const FclModel*>(a.collisionGeometry().get());
  const auto* model_b = static_cast<const FclModel*>(b.collisionGeometry().get());
  fcl::detail::initialize(node, *model_a, a.getTransform(), *model_b, b.getTransform(), request, result);
  fcl::detail::distance(&node);
  return result.min_distance;
}

}  // namespace

FclBisection::FclBisection(const CollisionWorld& world) : world_(&world), edge_(world.problem()) {
  for (const Collider& c : world.colliders()) {
    objects_.push_back(std::make_unique<fcl::CollisionObjectd>(fcl_model(*c.tree)));
    objects_.back()->computeAABB();
  }
}

void FclBisection::place(int collider, const BodyState& body) {
  objects_[collider]->setTransform(body.R_WB, body.p_WB);
  objects_[collider]->computeAABB();
}

FclBisection::Answer FclBisection::ask(const Task& task, double tolerance) {
  const SearchPair& pair = world_->problem().pairs[task.pair];
  const PairChain& chain = world_->problem().chains[pair.chain];
  const double m = 0.5 * (task.t0 + task.t1), h = 0.5 * (task.t1 - task.t0);
  const PairState& state = edge_.pair_state(m, pair.chain);
  const PairMotion& motion = edge_.pair_motion(pair.chain);
  const Eigen::Vector3d c = state.R_BA * pair.tree_a->bounding_center() + state.p_BA;
  const double speed = (state.v + state.w.cross(c)).norm() + state.w.norm() * pair.tree_a->bounding_radius();
  const double closed =
      h * (std::min(speed + 0.5 * h * motion.acceleration_bound(), motion.speed_bound()) + edge_.pads().speed);
  const double needed = closed + pair.margin + edge_.pads().position;

  const Kinematics& k = edge_.kinematics(m);
  const int ca = world_->collider_a(task.pair), cb = world_->collider_b(task.pair);
  place(ca, k.bodies[chain.body_a]);
  if (chain.body_b != 0) place(cb, k.bodies[chain.body_b]);
  const fcl::CollisionObjectd *a = objects_[ca].get(), *b = objects_[cb].get();
  if (a->getAABB().distance(b->getAABB()) > needed) return Answer::Free;
  ++distances_;
  const double limit = std::max(needed, tolerance);
  const double d = distance_below(*a, *b, limit);
  if (d >= limit) return Answer::Free;
  if (d <= tolerance) return Answer::Contact;
  return closed < 0.5 * tolerance ? Answer::Contact : Answer::Halve;
}

FclBisection::Result FclBisection::any_contact(EdgeMotion& motion, double tolerance) {
  distances_ = 0;
  if (!edge_.start(motion)) return {true, 0.0, 0};
  tasks_.clear();
  for (int p = 0; p < static_cast<int>(world_->problem().pairs.size()); ++p) tasks_.push_back({p, 0.0, 1.0});
  for (std::size_t head = 0; head < tasks_.size(); ++head) {
    const Task task = tasks_[head];
    const double m = 0.5 * (task.t0 + task.t1);
    switch (ask(task, tolerance)) {
      case Answer::Free: break;
      case Answer::Contact: return {true, m, distances_};
      case Answer::Halve: tasks_.push_back({task.pair, task.t0, m}); tasks_.push_back({task.pair, m, task.t1});
    }
  }
  return {false, 1.0, distances_};
}

FclBisection::Result FclBisection::first_contact(EdgeMotion& motion, double tolerance) {
  distances_ = 0;
  if (!edge_.start(motion)) return {true, 0.0, 0};
  const auto later = [](const Task& x, const Task& y) { return x.t0 > y.t0; };
  tasks_.clear();
  for (int p = 0; p < static_cast<int>(world_->problem().pairs.size()); ++p) tasks_.push_back({p, 0.0, 1.0});
  Result first{false, 1.0, 0};
  while (!tasks_.empty() && (!first.hit || tasks_.front().t0 < first.t)) {
    std::pop_heap(tasks_.begin(), tasks_.end(), later);
    Task task = tasks_.back();
    tasks_.pop_back();
    if (first.hit) task.t1 = std::min(task.t1, first.t);
    const double m = 0.5 * (task.t0 + task.t1);
    const Answer answer = ask(task, tolerance);
    if (answer == Answer::Free) continue;
    tasks_.push_back({task.pair, task.t0, m});
    std::push_heap(tasks_.begin(), tasks_.end(), later);
    if (answer == Answer::Contact) {
      first = {true, m, 0};
      if (m - task.t0 < 1e-9) break;
    } else {
      tasks_.push_back({task.pair, m, task.t1});
      std::push_heap(tasks_.begin(), tasks_.end(), later);
    }
  }
  first.distances = distances_;
  return first;
}

}  // namespace planner_ccd::bench
