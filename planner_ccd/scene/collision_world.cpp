#include "planner_ccd/scene/collision_world.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

std::vector<Geometry> placed(std::vector<Geometry> geometry, const Eigen::Isometry3d& X) {
  for (Geometry& g : geometry) g.pose = X * g.pose;
  return geometry;
}

bool names(const std::string& pattern, const std::string& name) { return pattern == "*" || pattern == name; }

bool names(const std::string& pa, const std::string& pb, const std::string& a, const std::string& b) {
  return (names(pa, a) && names(pb, b)) || (names(pa, b) && names(pb, a));
}

/// The margin of a pair: of the last entry that names both exactly, else of the last one with a "*", else the default.
double margin_of(const Scene& scene, const std::string& a, const std::string& b, double margin) {
  bool exact = false;
  for (const PairMargin& m : scene.margins) {
    if (!names(m.a, m.b, a, b)) continue;
    const bool is_exact = m.a != "*" && m.b != "*";
    if (exact && !is_exact) continue;
    exact = is_exact;
    margin = m.margin;
  }
  return margin;
}

/// Which of two bodies to hold as B: the choice with the smaller acceleration bound when every joint moves at unit
/// speed.
bool swap_is_better(const MoveChain& moves, int a, int b, double reach_a, double reach_b) {
  const auto cost = [&](int body_a, int body_b, double reach) {
    const PairChain chain = pair_chain(moves, body_a, body_b);
    double lever = reach;
    double sum = 0.0;
    double index = static_cast<double>(chain.steps.size());
    for (std::size_t i = chain.steps.size(); i-- > 0;) {
      lever += chain.steps[i].offset_to_a;
      if (moves.moves[chain.steps[i].move].kind == MoveKind::Rotation) sum += lever * (2.0 * index - 1.0);
      index -= 1.0;
    }
    return sum;
  };
  return cost(b, a, reach_b) < cost(a, b, reach_a);
}

}  // namespace

CollisionWorld::CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix,
                               double margin)
    : problem_(robot), exclusions_(matrix) {
  if (!(margin >= 0.0) || !std::isfinite(margin)) throw InputError("the margin must be a finite number of metres >= 0");
  validate(scene);
  add_colliders(robot, scene);
  add_exclusions(robot, scene);
  add_pairs(robot, scene, margin);
}

void CollisionWorld::add_colliders(const RobotModel& robot, const Scene& scene) {
  const auto add = [&](const std::string& name, int body, const std::vector<Geometry>& geometry, bool is_link) {
    if (geometry.empty()) return;
    for (const Collider& c : colliders_) {
      if (c.name == name) throw InputError("'" + name + "' names two things; links and objects need different names");
    }
    colliders_.push_back({name, body, is_link, SsvTree::build(geometry, name)});
  };
  for (const Link& link : robot.links()) {
    add(link.name, link.body, placed(link.collision, link.X_BodyLink), true);
  }
  for (const SceneObject& object : scene.objects) {
    add(object.name, 0, placed(object.geometry, object.pose), false);
  }
  for (const AttachedObject& attached : scene.attached) {
    const int link = robot.find_link(attached.link);
    if (link < 0) {
      throw InputError("object '" + attached.object.name + "' is attached to link '" + attached.link +
                       "', which the robot does not have");
    }
    const Link& l = robot.links()[link];
    add(attached.object.name, l.body, placed(attached.object.geometry, l.X_BodyLink * attached.object.pose), false);
  }
  colliders_of_body_.resize(robot.bodies().size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    colliders_of_body_[colliders_[i].body].push_back(static_cast<int>(i));
    const SsvTree& tree = colliders_[i].tree;
    problem_.extent = std::max(problem_.extent, tree.bounding_center().norm() + tree.bounding_radius());
  }
}

void CollisionWorld::add_exclusions(const RobotModel& robot, const Scene& scene) {
  std::unordered_set<std::string> known{"*"};
  for (const Link& link : robot.links()) known.insert(link.name);
  for (const SceneObject& object : scene.objects) known.insert(object.name);
  for (const AttachedObject& attached : scene.attached) known.insert(attached.object.name);
  const auto require = [&](const std::string& name, const char* where) {
    if (known.count(name) == 0) {
      throw InputError(std::string(where) + ": '" + name + "' is neither a link nor an object of the scene");
    }
  };
  for (const AllowedPair& pair : scene.allow) {
    require(pair.a, "allow");
    require(pair.b, "allow");
    for (const Collider& a : colliders_) {
      for (const Collider& b : colliders_) {
        if (&a < &b && names(pair.a, pair.b, a.name, b.name)) {
          exclusions_.exclude(a.name, b.name, ExclusionReason::User, "allowed by the scene");
        }
      }
    }
  }
  for (const PairMargin& m : scene.margins) {
    require(m.a, "margins");
    require(m.b, "margins");
  }
  for (const AttachedObject& attached : scene.attached) {
    exclusions_.exclude(attached.object.name, attached.link, ExclusionReason::SameBody, "attached");
    for (const std::string& link : attached.touch_links) {
      require(link, "touch_links");
      exclusions_.exclude(attached.object.name, link, ExclusionReason::User, "touch link of the attached object");
    }
  }
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_body = colliders_[i].body == colliders_[j].body;
      if (same_body && colliders_[i].body != 0) {
        exclusions_.exclude(colliders_[i].name, colliders_[j].name, ExclusionReason::SameBody, "never move apart");
      }
    }
  }
}

double CollisionWorld::reach(int body) const {
  double reach = 0.0;
  for (const int i : colliders_of_body_[body]) {
    reach = std::max(reach, colliders_[i].tree.bounding_center().norm() + colliders_[i].tree.bounding_radius());
  }
  return reach;
}

void CollisionWorld::add_pairs(const RobotModel& robot, const Scene& scene, double margin) {
  const int bodies = static_cast<int>(robot.bodies().size());
  for (int b = 0; b < bodies; ++b) {
    for (int a = b + 1; a < bodies; ++a) {
      if (b != 0 && swap_is_better(problem_.moves, a, b, reach(a), reach(b))) {
        add_pairs_of_bodies(b, a, scene, margin);
      } else {
        add_pairs_of_bodies(a, b, scene, margin);
      }
    }
  }
}

void CollisionWorld::add_pairs_of_bodies(int body_a, int body_b, const Scene& scene, double margin) {
  const std::size_t before = problem_.pairs.size();
  for (const int a : colliders_of_body_[body_a]) {
    for (const int b : colliders_of_body_[body_b]) {
      const Collider& ca = colliders_[a];
      const Collider& cb = colliders_[b];
      if (exclusions_.find(ca.name, cb.name) != nullptr) continue;
      const double m = margin_of(scene, ca.name, cb.name, margin);
      problem_.pairs.push_back({&ca.tree, &cb.tree, static_cast<int>(problem_.chains.size()), m});
      pair_colliders_.emplace_back(a, b);
    }
  }
  if (problem_.pairs.size() == before) return;
  problem_.chains.push_back(pair_chain(problem_.moves, body_a, body_b));
  problem_.chain_reach.push_back(reach(body_a));
}

}  // namespace planner_ccd
