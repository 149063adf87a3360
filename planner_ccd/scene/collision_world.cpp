#include "planner_ccd/scene/collision_world.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

std::vector<Geometry> placed(std::vector<Geometry> geometry, const Eigen::Isometry3d& X) {
  for (Geometry& g : geometry) {
    // X * g.pose, but inlined: a caller's program may hold a copy of Eigen's function, compiled in its own way.
    const Eigen::Matrix3d R = X.linear() * g.pose.linear();
    const Eigen::Vector3d p = X.linear() * g.pose.translation() + X.translation();
    g.pose.linear() = R;
    g.pose.translation() = p;
  }
  return geometry;
}

/// [m] The greatest of the lengths that placed() adds up: where they cancel, what was lost in rounding is relative to them and not to
/// where the shapes come to lie. A point takes fewer than 24 roundings of |X| + 2 |X_g| and its own distance from the frame,
/// so at most 96 of the greatest of the three, and as many again for what X itself is a product of: EdgeMotion::rounding_pads has 256.
double offsets_of(const std::vector<Geometry>& geometry, const Eigen::Isometry3d& X) {
  double greatest = X.translation().norm();
  for (const Geometry& g : geometry) greatest = std::max(greatest, g.pose.translation().norm());
  return greatest;
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

/// One space of names: whatever speaks of a body by its name means one body. validate(scene) has compared the objects.
void require_distinct_names(const RobotModel& robot, const Scene& scene) {
  const auto require_no_link = [&](const std::string& name) {
    if (robot.find_link(name) < 0) return;
    throw InputError("scene, object '" + name + "': robot '" + robot.name() +
                     "' has a link of this name; rename the object");
  };
  for (const SceneObject& object : scene.objects) require_no_link(object.name);
  for (const AttachedObject& attached : scene.attached) require_no_link(attached.object.name);
}

/// Shapes with surfaces that enclose nothing, as the test for containment sees it.
OpenBody openness(const SsvTree& tree, int collider) {
  const PrimitiveSoup& soup = tree.soup();
  OpenBody body{collider, {}, !soup.shells.empty()};
  for (std::size_t i = 0; i < soup.sources.size(); ++i) {
    body.has_inside = body.has_inside || !soup.sources[i].has_triangles;
    if (soup.sources[i].open_parts > 0) body.geometries.push_back(static_cast<int>(i));
  }
  return body;
}

}  // namespace

LinkTrees link_trees(const RobotModel& robot) {
  LinkTrees trees;
  for (const Link& link : robot.links()) {
    trees.push_back(link.collision.empty() ? nullptr
                                           : std::make_shared<const SsvTree>(
                                                 SsvTree::build(placed(link.collision, link.X_BodyLink), link.name)));
  }
  return trees;
}

CollisionWorld::CollisionWorld(const RobotModel& robot, const LinkTrees& trees, const Scene& given,
                               const CollisionMatrix& matrix, double margin)
    : problem_(robot), margin_(margin) {
  if (!(margin >= 0.0) || !std::isfinite(margin)) throw InputError("the margin must be a finite number of metres >= 0");
  const Scene scene = made_rigid(given);
  require_distinct_names(robot, scene);
  add_colliders(robot, trees, scene);
  add_exclusions(robot, scene, matrix);
  add_pairs(robot, scene);
}

void CollisionWorld::add_colliders(const RobotModel& robot, const LinkTrees& trees, const Scene& scene) {
  const auto add_tree = [&](const std::string& name, int body, std::shared_ptr<const SsvTree> tree, bool is_link) {
    colliders_.push_back({name, body, is_link, std::move(tree)});
    OpenBody open = openness(*colliders_.back().tree, static_cast<int>(colliders_.size()) - 1);
    if (!open.geometries.empty()) open_bodies_.push_back(std::move(open));
  };
  const auto add = [&](const std::string& name, int body, const std::vector<Geometry>& geometry) {
    if (!geometry.empty()) {
      add_tree(name, body, std::make_shared<const SsvTree>(SsvTree::build(geometry, name)), false);
    }
  };
  for (std::size_t i = 0; i < robot.links().size(); ++i) {
    const Link& link = robot.links()[i];
    if (trees[i] == nullptr) continue;
    add_tree(link.name, link.body, trees[i], true);
    problem_.extent = std::max(problem_.extent, offsets_of(link.collision, link.X_BodyLink));
  }
  for (const SceneObject& object : scene.objects) {
    add(object.name, 0, placed(object.geometry, object.pose));
    problem_.extent = std::max(problem_.extent, offsets_of(object.geometry, object.pose));
  }
  for (const AttachedObject& attached : scene.attached) {
    const int link = robot.find_link(attached.link);
    if (link < 0) {
      throw InputError("object '" + attached.object.name + "' is attached to link '" + attached.link +
                       "', which the robot does not have");
    }
    const Link& l = robot.links()[link];
    add(attached.object.name, l.body, placed(attached.object.geometry, l.X_BodyLink * attached.object.pose));
    problem_.extent = std::max({problem_.extent, l.X_BodyLink.translation().norm(),
                                offsets_of(attached.object.geometry, attached.object.pose)});
  }
  colliders_of_body_.resize(robot.bodies().size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    colliders_of_body_[colliders_[i].body].push_back(static_cast<int>(i));
    const SsvTree& tree = *colliders_[i].tree;
    problem_.extent = std::max(problem_.extent, tree.bounding_center().norm() + tree.bounding_radius());
  }
}

/// The first reason for a pair stays. False for a pair that is not checked anyway: of what stands still, or known already.
bool CollisionWorld::exclude(int a, int b, ExclusionReason reason, const std::string& detail) {
  if (a == b || (colliders_[a].body == 0 && colliders_[b].body == 0)) return false;
  return exclusions_.try_emplace(std::minmax(a, b), Exclusion{reason, detail}).second;
}

void CollisionWorld::add_exclusions(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix) {
  std::unordered_map<std::string, int> collider_of_link;
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    if (colliders_[i].is_link) collider_of_link[colliders_[i].name] = static_cast<int>(i);
  }
  for (std::size_t body = 1; body < colliders_of_body_.size(); ++body) {
    for (const int i : colliders_of_body_[body]) {
      for (const int k : colliders_of_body_[body]) exclude(i, k, ExclusionReason::SameBody, "never move apart");
    }
  }
  for (const auto& [pair, exclusion] : matrix.exclusions()) {
    for (const std::string& name : {pair.first, pair.second}) {
      if (robot.find_link(name) >= 0) continue;
      throw InputError("collision matrix: '" + name + "' is not a link of robot '" + robot.name() +
                       "'; pairs with an object of the scene are left out by its 'allow'");
    }
    const auto a = collider_of_link.find(pair.first), b = collider_of_link.find(pair.second);
    if (a == collider_of_link.end() || b == collider_of_link.end()) continue;  // nothing to collide with
    exclude(a->second, b->second, exclusion.reason, exclusion.detail);
  }
  add_exclusions_of_scene(robot, scene);
}

void CollisionWorld::add_exclusions_of_scene(const RobotModel& robot, const Scene& scene) {
  std::unordered_map<std::string, int> known{{"*", -1}};  // to the collider; -1: has none
  for (const Link& link : robot.links()) known[link.name] = -1;
  for (std::size_t i = 0; i < colliders_.size(); ++i) known[colliders_[i].name] = static_cast<int>(i);
  const auto require = [&](const std::string& name, const char* where) {
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    throw InputError(std::string(where) + ": '" + name + "' is neither a link nor an object of the scene");
  };
  std::vector<int> everything(colliders_.size());
  std::iota(everything.begin(), everything.end(), 0);
  for (const AllowedPair& pair : scene.allow) {
    const auto meant = [&](const std::string& name) -> std::vector<int> {
      const int collider = require(name, "allow");
      if (name == "*") return everything;
      return collider < 0 ? std::vector<int>{} : std::vector<int>{collider};
    };
    const std::string detail = "allowed by the scene: " + pair.a + " and " + pair.b;
    const std::vector<int> first = meant(pair.a), second = meant(pair.b);
    int pairs = 0;
    for (const int a : first) {
      for (const int b : second) pairs += exclude(a, b, ExclusionReason::Allowed, detail) ? 1 : 0;
    }
    if (pair.a == "*" || pair.b == "*") allowed_for_all_.push_back({pair, pairs});
  }
  for (const PairMargin& m : scene.margins) {
    require(m.a, "margins");
    require(m.b, "margins");
  }
  for (const AttachedObject& attached : scene.attached) {
    const int held = known.at(attached.object.name);
    for (const std::string& link : attached.touch_links) {
      if (robot.find_link(link) < 0) {
        throw InputError("touch_links of '" + attached.object.name + "': '" + link + "' is not a link of robot '" +
                         robot.name() + "'; what else it may touch is for 'allow'");
      }
      const int touched = known.at(link);
      if (touched >= 0) exclude(held, touched, ExclusionReason::TouchLink, "touch link of the attached object");
    }
  }
}

double CollisionWorld::reach(int body) const {
  double reach = 0.0;
  for (const int i : colliders_of_body_[body]) {
    reach = std::max(reach, colliders_[i].tree->bounding_center().norm() + colliders_[i].tree->bounding_radius());
  }
  return reach;
}

void CollisionWorld::add_pairs(const RobotModel& robot, const Scene& scene) {
  const int bodies = static_cast<int>(robot.bodies().size());
  for (int b = 0; b < bodies; ++b) {
    for (int a = b + 1; a < bodies; ++a) {
      if (b != 0 && swap_is_better(problem_.moves, a, b, reach(a), reach(b))) {
        add_pairs_of_bodies(b, a, scene);
      } else {
        add_pairs_of_bodies(a, b, scene);
      }
    }
  }
}

void CollisionWorld::add_pairs_of_bodies(int body_a, int body_b, const Scene& scene) {
  const std::size_t before = problem_.pairs.size();
  for (const int a : colliders_of_body_[body_a]) {
    for (const int b : colliders_of_body_[body_b]) {
      const Collider& ca = colliders_[a];
      const Collider& cb = colliders_[b];
      if (exclusions_.count(std::minmax(a, b)) > 0) continue;
      const double m = margin_of(scene, ca.name, cb.name, margin_);
      problem_.pairs.push_back({ca.tree.get(), cb.tree.get(), static_cast<int>(problem_.chains.size()), m});
      pair_colliders_.emplace_back(a, b);
    }
  }
  if (problem_.pairs.size() == before) return;
  problem_.chains.push_back(pair_chain(problem_.moves, body_a, body_b));
  problem_.chain_reach.push_back(reach(body_a));
}

}  // namespace planner_ccd
