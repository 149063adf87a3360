#include "planner_ccd/scene/collision_world.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Primitives of trees built at once although their shapes are already known: a twentieth of a second's work, 12 MB.
constexpr std::int64_t kPrimitivesAhead = 1 << 16;

/// Which of two bodies to use as B: the choice with the smaller acceleration bound at unit speed of every joint.
bool swap_is_better(const MoveChain& moves, int a, int b, double reach_a, double reach_b) {
  const auto cost = [&](int body_a, int body_b, double reach) {
    const PairChain chain = pair_chain(moves, body_a, body_b);
    double lever = reach, sum = 0.0, index = static_cast<double>(chain.steps.size());
    for (std::size_t i = chain.steps.size(); i-- > 0;) {
      lever += chain.steps[i].offset_to_a;
      if (moves.moves[chain.steps[i].move].kind == MoveKind::Rotation) sum += lever * (2.0 * index - 1.0);
      index -= 1.0;
    }
    return sum;
  };
  return cost(b, a, reach_b) < cost(a, b, reach_a);
}

/// Names are unique across links and objects, and so identify bodies. validate(scene) has compared the objects.
void require_distinct_names(const RobotModel& robot, const Scene& scene) {
  const auto fail = [&](const std::string& name) {
    throw InputError("scene, object '" + name + "': robot '" + robot.name() +
                     "' has a link of this name; rename the object");
  };
  for (const Link& link : robot.links()) {
    if (scene.objects.find(link.name) != nullptr) fail(link.name);
  }
  for (const AttachedObject& attached : scene.attached) {
    if (robot.find_link(attached.object.name) >= 0) fail(attached.object.name);
  }
}

std::shared_ptr<const SsvTree> built(const SceneObject& object, const Eigen::Isometry3d& X_BodyObject) {
  return std::make_shared<const SsvTree>(SsvTree::build(placed(object.geometry, X_BodyObject), object.name));
}

/// Shapes with open surfaces, as seen by the containment test.
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
                               const CollisionMatrix& matrix, const Margins& margins)
    : problem_(robot), margins_(margins) {
  for (const double margin : {margins.outside, margins.within}) {
    if (!(margin >= 0.0) || !std::isfinite(margin)) {
      throw InputError("the margin must be a finite number of metres >= 0");
    }
  }
  const Scene scene = made_rigid(given);
  require_distinct_names(robot, scene);
  add_colliders(robot, trees, scene);
  add_exclusions(robot, scene, matrix);
  add_pairs(robot, scene);
}

void CollisionWorld::add_collider(Identity of, std::shared_ptr<const SsvTree> tree) {
  OpenBody open = openness(*tree, static_cast<int>(colliders_.size()));
  if (!open.geometries.empty()) open_bodies_.push_back(std::move(open));
  const Eigen::AlignedBox3d bounds = tree->bounds();
  const double radius = tree->bounding_radius();
  colliders_.push_back({std::move(of.name), of.body, of.is_link, of.robot, of.link, of.displaced,
                        TreeRef(trees_.emplace_back(std::move(tree))), bounds, radius});
}

/// An object whose shapes are all known to make a tree may be built on first use: any but hulls and meshes seen for the
/// first time. Whether a mesh encloses something does not depend on its pose.
void CollisionWorld::add_objects(const Scene& scene) {
  struct Known {
    bool open, encloses;
  };
  std::map<const TriangleMesh*, Known> meshes;
  std::int64_t ahead = kPrimitivesAhead;
  first_object_ = static_cast<int>(colliders_.size());
  for (auto at = scene.objects.begin(); at != scene.objects.end(); ++at) {
    const SceneObject& object = *at;
    problem_.extent = std::max(problem_.extent, offsets_of(object.geometry, object.pose));
    const int collider = static_cast<int>(colliders_.size());
    bool known = true;
    std::int64_t primitives = 0;
    OpenBody body{collider, {}, false};
    for (std::size_t i = 0; i < object.geometry.size(); ++i) {
      const Shape& shape = object.geometry[i].shape;
      const auto* mesh = std::get_if<MeshPtr>(&shape);
      const auto found = mesh == nullptr ? meshes.end() : meshes.find(mesh->get());
      known = known && !std::holds_alternative<ConvexHull>(shape) && !std::holds_alternative<CloudPtr>(shape) &&
              !std::holds_alternative<CellsPtr>(shape) && (mesh == nullptr || found != meshes.end());
      primitives += mesh != nullptr                      ? static_cast<std::int64_t>((*mesh)->triangles.size())
                    : std::holds_alternative<Box>(shape) ? 12
                                                         : 1;
      body.has_inside = body.has_inside || mesh == nullptr || (found != meshes.end() && found->second.encloses);
      if (found != meshes.end() && found->second.open) body.geometries.push_back(static_cast<int>(i));
    }
    if (known && ahead < primitives) {
      const BodyBounds bounds = bounds_of(object);
      colliders_.push_back({object.name, 0, false, -1, -1, displacement(object),
                            TreeRef(trees_.emplace_back(at.shared())), bounds.box, bounds.radius});
      if (!body.geometries.empty()) open_bodies_.push_back(std::move(body));
      continue;
    }
    if (known) ahead -= primitives;
    add_collider({object.name, 0, false, -1, -1, displacement(object)}, built(object, object.pose));
    const PrimitiveSoup& soup = colliders_.back().tree->soup();
    for (std::size_t i = 0; i < object.geometry.size(); ++i) {
      const auto* mesh = std::get_if<MeshPtr>(&object.geometry[i].shape);
      if (mesh == nullptr) continue;
      const bool encloses = std::any_of(soup.shells.begin(), soup.shells.end(),
                                        [&](const SoupShell& s) { return s.source == static_cast<int>(i); });
      meshes[mesh->get()] = {soup.sources[i].open_parts > 0, encloses};
    }
  }
}

void CollisionWorld::add_colliders(const RobotModel& robot, const LinkTrees& trees, const Scene& scene) {
  for (std::size_t i = 0; i < robot.links().size(); ++i) {
    const Link& link = robot.links()[i];
    if (trees[i] == nullptr) continue;
    collider_of_link_[link.name] = static_cast<int>(colliders_.size());
    add_collider({link.name, link.body, true, link.robot, static_cast<int>(i), 0.0}, trees[i]);
    problem_.extent = std::max(problem_.extent, offsets_of(link.collision, link.X_BodyLink));
  }
  add_objects(scene);
  for (const AttachedObject& attached : scene.attached) {
    const SceneObject& object = attached.object;
    const int link = robot.find_link(attached.link);
    if (link < 0) {
      throw InputError("object '" + object.name + "' is attached to link '" + attached.link +
                       "', which the robot does not have");
    }
    const Link& l = robot.links()[link];
    add_collider({object.name, l.body, false, l.robot, link, displacement(object)},
                 built(object, l.X_BodyLink * object.pose));
    problem_.extent =
        std::max({problem_.extent, l.X_BodyLink.translation().norm(), offsets_of(object.geometry, object.pose)});
  }
  colliders_of_body_.resize(robot.bodies().size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    colliders_of_body_[colliders_[i].body].push_back(static_cast<int>(i));
    problem_.extent = std::max(problem_.extent, colliders_[i].reach());
  }
}

/// The first reason for a pair stays. False for a pair that is not checked anyway: both rest, or excluded before.
bool CollisionWorld::exclude(int a, int b, ExclusionReason reason, const std::string& detail) {
  if (a == b || (colliders_[a].body == 0 && colliders_[b].body == 0)) return false;
  return exclusions_.try_emplace(std::minmax(a, b), Exclusion{reason, detail}).second;
}

void CollisionWorld::add_exclusions(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix) {
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
    const auto a = collider_of_link_.find(pair.first), b = collider_of_link_.find(pair.second);
    if (a == collider_of_link_.end() || b == collider_of_link_.end()) continue;  // no geometry
    exclude(a->second, b->second, exclusion.reason, exclusion.detail);
  }
  add_allowed(robot, scene);
  for (const PairMargin& m : scene.margins) {
    if (m.a != "*") find_collider(robot, scene, m.a, "margins");
    if (m.b != "*") find_collider(robot, scene, m.b, "margins");
  }
  for (const Padding& p : scene.padding) {
    find_collider(robot, scene, p.name, "padding");
  }
  add_touch_links(robot, scene);
}

/// -1 for a link without geometry. Throws InputError for an unknown name.
int CollisionWorld::find_collider(const RobotModel& robot, const Scene& scene, const std::string& name,
                                  const char* where) const {
  const auto link = collider_of_link_.find(name);
  if (link != collider_of_link_.end()) return link->second;
  if (robot.find_link(name) >= 0) return -1;
  if (const auto object = scene.objects.index_of(name)) return first_object_ + static_cast<int>(*object);
  for (std::size_t i = 0; i < scene.attached.size(); ++i) {
    if (scene.attached[i].object.name != name) continue;
    return first_object_ + static_cast<int>(scene.objects.size() + i);
  }
  throw InputError(std::string(where) + ": '" + name + "' is neither a link nor an object of the scene");
}

/// Resting colliders are never checked against each other: of two "*" one means moving colliders.
void CollisionWorld::add_allowed(const RobotModel& robot, const Scene& scene) {
  std::vector<int> everything(colliders_.size()), moving;
  std::iota(everything.begin(), everything.end(), 0);
  std::copy_if(everything.begin(), everything.end(), std::back_inserter(moving),
               [&](int i) { return colliders_[i].body != 0; });
  for (const AllowedPair& pair : scene.allow) {
    const auto meant = [&](const std::string& name) -> std::vector<int> {
      if (name == "*") return everything;
      const int collider = find_collider(robot, scene, name, "allow");
      return collider < 0 ? std::vector<int>{} : std::vector<int>{collider};
    };
    const std::string detail = "allowed by the scene: " + pair.a + " and " + pair.b;
    const std::vector<int> first = meant(pair.a), second = meant(pair.b);
    int pairs = 0;
    for (const int a : first) {
      const bool all_that_moves = colliders_[a].body == 0 && pair.b == "*";
      for (const int b : all_that_moves ? moving : second) {
        pairs += exclude(a, b, ExclusionReason::Allowed, detail) ? 1 : 0;
      }
    }
    if (pair.a == "*" || pair.b == "*") allowed_for_all_.push_back({pair, pairs});
  }
}

void CollisionWorld::add_touch_links(const RobotModel& robot, const Scene& scene) {
  for (std::size_t i = 0; i < scene.attached.size(); ++i) {
    const AttachedObject& attached = scene.attached[i];
    const int held = first_object_ + static_cast<int>(scene.objects.size() + i);
    for (const std::string& link : attached.touch_links) {
      if (robot.find_link(link) < 0) {
        throw InputError("touch_links of '" + attached.object.name + "': '" + link + "' is not a link of robot '" +
                         robot.name() + "'; what else it may touch is for 'allow'");
      }
      const auto touched = collider_of_link_.find(link);
      if (touched == collider_of_link_.end()) continue;
      exclude(held, touched->second, ExclusionReason::TouchLink, "touch link of the attached object");
    }
  }
}

double CollisionWorld::reach(int body) const {
  double reach = 0.0;
  for (const int i : colliders_of_body_[body]) reach = std::max(reach, colliders_[i].tree->lever());
  return reach;
}

/// One row per moving collider, even without resting ones: these may be added (query/detail/checker_snapshot).
void CollisionWorld::add_rows(const RobotModel& robot, const Scene& scene, const PairMargins& margins) {
  const auto place = [&](int collider) {  // index among resting colliders
    return static_cast<int>(std::lower_bound(resting().begin(), resting().end(), collider) - resting().begin());
  };
  std::set<int> named;  // resting colliders that may have their own margin, as counted by the rows
  for (const PairMargin& m : scene.margins) {
    for (const std::string& name : {m.a, m.b}) {
      const int collider = name == "*" ? -1 : find_collider(robot, scene, name, "margins");
      if (collider < 0 || colliders_[collider].body != 0) continue;
      named.insert(place(collider));
    }
  }
  for (const int i : resting()) {
    if (colliders_[i].robot >= 0) named.insert(place(i));
  }
  std::map<int, std::vector<int>> excluded;  // by moving collider: indices of resting ones
  for (const auto& [pair, exclusion] : exclusions_) {
    const auto [a, b] = pair;
    if (colliders_[a].body == 0) excluded[b].push_back(place(a));
    if (colliders_[b].body == 0) excluded[a].push_back(place(b));
  }
  for (auto& [mover, all] : excluded) std::sort(all.begin(), all.end());
  std::vector<TreeRef> trees;
  std::vector<Resting> of_trees;
  for (const int i : resting()) {
    trees.push_back(colliders_[i].tree);
    of_trees.push_back({colliders_[i].link, colliders_[i].displaced});
  }
  problem_.pairs.rest(std::move(trees), std::move(of_trees));
  for (std::size_t body = 1; body < colliders_of_body_.size(); ++body) {
    for (const int mover : colliders_of_body_[body]) {
      const Collider& c = colliders_[mover];
      const int chain = static_cast<int>(problem_.chains.size());
      RestingRow row{&*c.tree, chain, margins.of(margined(mover)), {}, std::move(excluded[mover]), c.link, c.displaced};
      for (const int i : named) {
        const double margin = margins.of(margined(mover), margined(resting()[i]));
        if (margin != row.margin) row.margins.emplace_back(i, margin);
      }
      problem_.pairs.add(std::move(row));
      collider_of_row_.push_back(mover);
    }
    if (!colliders_of_body_[body].empty()) add_chain(static_cast<int>(body), 0);
  }
}

void CollisionWorld::add_pairs(const RobotModel& robot, const Scene& scene) {
  const PairMargins margins(scene, margins_);
  add_rows(robot, scene, margins);
  const int bodies = static_cast<int>(robot.bodies().size());
  for (int b = 1; b < bodies; ++b) {
    for (int a = b + 1; a < bodies; ++a) {
      if (swap_is_better(problem_.moves, a, b, reach(a), reach(b))) {
        add_moving_pairs(b, a, margins);
      } else {
        add_moving_pairs(a, b, margins);
      }
    }
  }
}

void CollisionWorld::add_chain(int body_a, int body_b) {
  problem_.chains.push_back(pair_chain(problem_.moves, body_a, body_b));
  problem_.chain_reach.push_back(reach(body_a));
}

void CollisionWorld::add_moving_pairs(int body_a, int body_b, const PairMargins& margins) {
  const std::size_t before = problem_.pairs.size();
  for (const int a : colliders_of_body_[body_a]) {
    for (const int b : colliders_of_body_[body_b]) {
      const Collider& ca = colliders_[a];
      const Collider& cb = colliders_[b];
      if (exclusions_.count(std::minmax(a, b)) > 0) continue;
      const double required = margins.of(margined(a), margined(b));
      problem_.pairs.add({&*ca.tree, cb.tree, static_cast<int>(problem_.chains.size()),
                          kept_margin(required, ca.displaced, cb.displaced), required, ca.link, cb.link});
      moving_colliders_.emplace_back(a, b);
    }
  }
  if (problem_.pairs.size() > before) add_chain(body_a, body_b);
}

int CollisionWorld::find_pair(const std::string& a, const std::string& b) const {
  const auto collider = [&](const std::string& name) {
    const auto found =
        std::find_if(colliders_.begin(), colliders_.end(), [&](const Collider& c) { return c.name == name; });
    return static_cast<int>(found - colliders_.begin());
  };
  const int i = collider(a), k = collider(b);
  const auto resting_index = [&](int c) {
    return static_cast<int>(std::lower_bound(resting().begin(), resting().end(), c) - resting().begin());
  };
  for (std::size_t row = 0; row < collider_of_row_.size(); ++row) {
    const int mover = collider_of_row_[row], other = mover == i ? k : i;
    if ((mover != i && mover != k) || other >= static_cast<int>(colliders_.size()) || colliders_[other].body != 0)
      continue;
    return problem_.pairs.find(static_cast<int>(row), resting_index(other));
  }
  for (std::size_t p = 0; p < moving_colliders_.size(); ++p) {
    const auto [x, y] = moving_colliders_[p];
    if ((x == i && y == k) || (x == k && y == i)) return static_cast<int>(problem_.pairs.resting_pairs() + p);
  }
  return -1;
}

double CollisionWorld::margin_unless_told(int pair) const {
  const auto [a, b] = colliders_of(pair);
  return margins_.of(margined(a), margined(b));
}

std::pair<int, int> CollisionWorld::colliders_of(int pair) const {
  const SearchPairs& pairs = problem_.pairs;
  const auto p = static_cast<std::size_t>(pair);
  if (p >= pairs.resting_pairs()) return moving_colliders_[p - pairs.resting_pairs()];
  const auto [row, resting_index] = pairs.place(p);
  return {collider_of_row_[row], resting()[resting_index]};
}

}  // namespace planner_ccd
