#include "planner_ccd/query/detail/checker_snapshot.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/scene/same_scene.hpp"
#include "planner_ccd/scene/swept_box.hpp"

namespace planner_ccd {
namespace {

std::shared_ptr<const Scene> rules_of(Scene scene) {
  scene.objects = {};
  return std::make_shared<const Scene>(std::move(scene));
}

void require_other_name(const RobotModel& robot, const Scene& rules, const std::string& name) {
  if (robot.find_link(name) >= 0) {
    throw InputError("scene, object '" + name + "': robot '" + robot.name() +
                     "' has a link of this name; rename the object");
  }
  const bool held = std::any_of(rules.attached.begin(), rules.attached.end(),
                                [&](const AttachedObject& a) { return a.object.name == name; });
  if (held) throw InputError("scene, object '" + name + "': another object has the same name; rename one");
}

bool is_grains(const SceneObject& object) {
  return std::any_of(object.geometry.begin(), object.geometry.end(), [](const Geometry& g) {
    return std::holds_alternative<CloudPtr>(g.shape) || std::holds_alternative<CellsPtr>(g.shape);
  });
}

/// Meshes of which a tree was built: another object of them needs its own tree only when something comes near. So do shapes that need
/// none; hulls and grains are not known to make a tree until they do.
class Buildable {
 public:
  bool operator()(const SceneObject& object) {
    bool all = true;
    for (const Geometry& g : object.geometry) {
      if (const auto* mesh = std::get_if<MeshPtr>(&g.shape)) {
        all = !meshes_.insert(mesh->get()).second && all;
      } else {
        all = all && !std::holds_alternative<ConvexHull>(g.shape) && !is_grains(object);
      }
    }
    return all;
  }

 private:
  std::set<const TriangleMesh*> meshes_;
};

}  // namespace

CheckerSnapshot::Greatest::Greatest(const Owned& one, const Greatest* left, const Greatest* right)
    : extent(one->content().extent), displaced(one->displaced()) {
  for (const Greatest* below : {left, right}) {
    if (below == nullptr) continue;
    extent = std::max(extent, below->extent);
    displaced = std::max(displaced, below->displaced);
  }
}

double CheckerSnapshot::extent() const { return obstacles_.empty() ? 0.0 : obstacles_.root()->summary.extent; }
double CheckerSnapshot::displaced() const { return obstacles_.empty() ? 0.0 : obstacles_.root()->summary.displaced; }

CheckerSnapshot::CheckerSnapshot(std::shared_ptr<const PreparedParts> robot, const Scene& scene,
                                 const CheckerOptions& options)
    : objects_(scene.objects), rules_(rules_of(scene)) {
  validate(scene);
  const RobotModel& model = *robot->robot;
  for (const SceneObject& object : scene.objects) require_other_name(model, *rules_, object.name);
  base_ = std::make_shared<const RobotParts>(std::move(robot), without_objects(model, scene), options);
  object_rules_ = std::make_shared<const ObjectRules>(base_->world, model, scene);
  place_all();
  require_numbers();
  left_behind_ = planner_ccd::left_behind(model, scene, nullptr);
}

void CheckerSnapshot::place_all() {
  const auto grains = std::count_if(objects_.begin(), objects_.end(), is_grains);
  const auto all = SceneObjects::differences({}, objects_, std::numeric_limits<std::size_t>::max());
  Buildable buildable;
  std::vector<std::pair<int, Owned>> obstacles;
  std::vector<std::pair<std::uint64_t, int>> places;
  std::vector<const Obstacle*> in_tree;
  for (const SceneObjects::Difference& d : *all) {
    const int place = static_cast<int>(obstacles.size());
    obstacles.emplace_back(place, make_obstacle(d.key, place, d.after, buildable(*d.after), grains));
    places.emplace_back(d.key, place);
    in_tree.push_back(obstacles.back().second.get());
    if (is_grains(*d.after)) in_tree.back()->volumes();  // as long as a tree takes; better now than in the first query
  }
  obstacles_ = decltype(obstacles_)(obstacles);
  place_of_key_ = decltype(place_of_key_)(places);
  tree_ = ObstacleTree(std::move(in_tree));
}

std::shared_ptr<const CheckerSnapshot> CheckerSnapshot::with(const Scene& scene) const {
  require_ieee_arithmetic();
  const RobotModel& robot = *base_->robot;
  std::shared_ptr<const RobotParts> base = base_;
  const bool same = same_rules(*rules_, scene);
  if (!same) {
    validate_rules(scene);
    const Scene alone = without_objects(robot, scene);
    if (!same_rules(base_->scene, alone)) {
      base = std::make_shared<const RobotParts>(base_->prepared, alone, base_->options, base_.get());
    }
  }
  const std::shared_ptr<CheckerSnapshot> next(
      new CheckerSnapshot(base, scene.objects, same ? rules_ : rules_of(scene)));
  const auto differences = SceneObjects::differences(objects_, scene.objects, std::numeric_limits<std::size_t>::max());
  next->change(*this, *differences);
  const bool as_before =
      same && std::none_of(differences->begin(), differences->end(), [&](const SceneObjects::Difference& d) {
        return (d.before != nullptr && object_rules_->name(d.before->name)) ||
               (d.after != nullptr && object_rules_->name(d.after->name));
      });
  next->object_rules_ = as_before ? object_rules_ : std::make_shared<const ObjectRules>(base->world, robot, scene);
  next->require_numbers();
  next->left_behind_ = planner_ccd::left_behind(robot, scene, &left_behind_);
  return next;
}

void CheckerSnapshot::change(const CheckerSnapshot& before, const std::vector<SceneObjects::Difference>& differences) {
  obstacles_ = before.obstacles_;
  place_of_key_ = before.place_of_key_;
  free_places_ = before.free_places_;
  std::vector<const Obstacle*> gone, come;
  Buildable buildable;
  for (const SceneObjects::Difference& d : differences) {
    const int* at = d.before == nullptr ? nullptr : place_of_key_.find(d.key);
    const int place = at != nullptr ? *at : free_place();
    if (at != nullptr) gone.push_back(before.obstacles_.find(place)->get());
    if (d.after == nullptr) {
      obstacles_.erase(place);
      place_of_key_.erase(d.key);
      free_places_.set(place, place);
      continue;
    }
    require_other_name(*base_->robot, *rules_, d.after->name);
    const bool alike = d.before != nullptr && same_geometry(*d.before, *d.after);
    if (alike) {
      validate(d.after->pose, "scene, object '" + d.after->name + "'");
      validate(d.after->pose_error, "scene, object '" + d.after->name + "'");
    } else {
      validate(*d.after);
    }
    const bool has_hull = std::any_of(d.after->geometry.begin(), d.after->geometry.end(), [](const Geometry& g) {
      return std::holds_alternative<ConvexHull>(g.shape);  // that a pose may make unusable
    });
    Owned fresh = make_obstacle(d.key, place, d.after, (alike && !has_hull) || (!alike && buildable(*d.after)));
    come.push_back(fresh.get());
    obstacles_.set(place, std::move(fresh));
    if (at == nullptr) place_of_key_.set(d.key, place);
  }
  tree_ = before.tree_.with(gone, come);
}

/// One that no object has; the caller puts one there.
int CheckerSnapshot::free_place() {
  if (free_places_.empty()) return static_cast<int>(obstacles_.size());
  const int place = free_places_.root()->value;
  free_places_.erase(place);
  return place;
}

void CheckerSnapshot::require_numbers() const {
  const std::size_t places = obstacles_.size() + free_places_.size();
  if (base_->world.problem().pairs.size() + places * static_cast<std::size_t>(rows()) >
      std::numeric_limits<int>::max() / 2) {
    throw InputError("the scene has more than a thousand million pairs to check; leave out objects or split the scene");
  }
}

int CheckerSnapshot::number(int row, const Obstacle& object) const {
  if (!rules().of(object, row).checked) return -1;
  return static_cast<int>(base_->world.problem().pairs.size()) + object.place() * rows() + row;
}

std::pair<int, const Obstacle*> CheckerSnapshot::row_and_object(int number) const {
  const int beyond = number - static_cast<int>(base_->world.problem().pairs.size());
  return {beyond % rows(), &obstacle_of(beyond)};
}

SearchPair CheckerSnapshot::beyond(int pair) const {
  const int row = pair % rows();
  const Obstacle& object = obstacle_of(pair);
  const RestingRow& of = base_->world.problem().pairs.rows()[static_cast<std::size_t>(row)];
  const ObjectRules::Rule& rule = rules().of(object, row);
  return {of.tree, object.tree(), of.chain, ObjectRules::margin(rule, object), rule.required, of.link, -1};
}

SearchPair CheckerSnapshot::pair(int number) const {
  const SearchPairs& before = base_->world.problem().pairs;
  const int first = static_cast<int>(before.size());
  return number < first ? before[static_cast<std::size_t>(number)] : beyond(number - first);
}

std::pair<std::string, std::string> CheckerSnapshot::names(int pair) const {
  const CollisionWorld& world = base_->world;
  const auto name = [&](int collider) { return world.colliders()[static_cast<std::size_t>(collider)].name; };
  const int first = static_cast<int>(world.problem().pairs.size());
  if (pair < first) return {name(world.collider_a(pair)), name(world.collider_b(pair))};
  return {name(world.mover_of_row((pair - first) % rows())), obstacle_of(pair - first).content().object->name};
}

/// Boxes that a collider sweeps, against the boxes of what rests.
class CheckerSnapshot::Sweep {
 public:
  Sweep(const CheckerSnapshot& snapshot, EdgeState& edge, std::vector<Candidate>& out)
      : snapshot_(snapshot), world_(snapshot.base()->world), edge_(edge), out_(out) {
    for (const int i : world_.resting()) {
      const int link = world_.colliders()[static_cast<std::size_t>(i)].link;
      if (link >= 0) resting_links_ |= edge.motion().tube().above(link);
    }
  }

  void row(int row) {
    row_ = row;
    found_.clear();
    part(0.0, 1.0, 0, 0);
    // Collected in order of time.
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Candidate& x, const Candidate& y) { return x.pair < y.pair; });
    const std::size_t first = out_.size();
    for (const Candidate& c : found_) {
      if (out_.size() > first && out_.back().pair == c.pair && out_.back().t1 == c.t0) {
        out_.back().t1 = c.t1;
      } else {
        out_.push_back(c);
      }
    }
  }

 private:
  static constexpr int kDeepest = 3;     ///< Most halvings of a part of the edge,
  static constexpr double kLoose = 2.0;  ///< made while a swept box is this many times as long as the moving body.

  struct Met {
    int pair;
    Eigen::AlignedBox3d bounds;
  };
  const CheckerSnapshot& snapshot_;
  const CollisionWorld& world_;
  EdgeState& edge_;
  std::vector<Candidate>& out_;
  std::uint64_t resting_links_ = 0;  ///< Errors of their poses.
  int row_ = 0;
  std::vector<Met> met_;  ///< Left of each level, the deepest last.
  std::vector<Candidate> found_;

  Eigen::AlignedBox3d box(const RestingRow& of, double t0, double t1) {
    const double m = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    const RoundingPads& pads = edge_.pads();
    const std::uint64_t loose = edge_.motion().tube().above(of.link) | resting_links_;
    const double margin =
        std::max(kept_margin(of.greatest_margin(), of.displaced, 0.0), snapshot_.rules().greatest(row_));
    const double pad = margin + pads.position + half * (pads.speed + half * pads.acceleration) +
                       edge_.displaced(of.chain, loose, *of.tree, m, half);
    return swept_box(of.tree->volume(0), edge_.pair_state(m, of.chain), edge_.pair_motion(of.chain, t0, t1), half, pad);
  }

  void meet_all(const Eigen::AlignedBox3d& box) {
    snapshot_.tree().meet(box, [&](const Obstacle& o) {
      if (const int pair = snapshot_.number(row_, o); pair >= 0) met_.push_back({pair, o.bounds()});
    });
    for (std::size_t i = 0; i < world_.resting().size(); ++i) {
      const Collider& c = world_.colliders()[static_cast<std::size_t>(world_.resting()[i])];
      const double around = c.displaced * kRoundUp;
      const Eigen::AlignedBox3d bounds(c.bounds.min().array() - around, c.bounds.max().array() + around);
      const int pair = world_.problem().pairs.find(row_, static_cast<int>(i));
      if (pair < 0 || !bounds.intersects(box) || snapshot_.base()->moving_pairs.find(pair) >= 0) continue;
      met_.push_back({pair, bounds});
    }
  }

  /// What was met on a larger part, from `begin` on, that may be met on [t0, t1]; while the swept box is loose, on each half.
  void part(double t0, double t1, int level, std::size_t begin) {
    const RestingRow& of = world_.problem().pairs.rows()[static_cast<std::size_t>(row_)];
    const Eigen::AlignedBox3d swept = box(of, t0, t1);
    const std::size_t left = met_.size();
    if (level == 0) {
      meet_all(swept);
    } else {
      for (std::size_t i = begin; i < left; ++i) {
        if (met_[i].bounds.intersects(swept)) met_.push_back(Met(met_[i]));
      }
    }
    const bool loose = level < kDeepest && swept.sizes().maxCoeff() > kLoose * of.tree->bounds().sizes().maxCoeff();
    if (loose && met_.size() > left) {
      const double m = 0.5 * (t0 + t1);
      part(t0, m, level + 1, left);
      part(m, t1, level + 1, left);
    } else {
      for (std::size_t i = left; i < met_.size(); ++i) found_.push_back({met_[i].pair, t0, t1});
    }
    met_.resize(left);
  }
};

void CheckerSnapshot::sweep(EdgeState& edge, std::vector<Candidate>& out) const {
  Sweep sweep(*this, edge, out);
  for (int row = 0; row < rows(); ++row) sweep.row(row);
}

bool CheckerSnapshot::checks_nothing() const {
  if (!base_->world.problem().pairs.empty()) return false;
  const auto is_checked = [&](const Obstacle& o) {
    for (int row = 0; row < rows(); ++row) {
      if (rules().of(o, row).checked) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    if (is_checked(*obstacles_[i])) return false;
  }
  return true;
}

const CheckerParts& CheckerSnapshot::in_full() const {
  std::call_once(full_->once, [&] {
    Scene scene = *rules_;
    scene.objects = objects_;
    full_->parts = std::make_shared<const CheckerParts>(*this, std::move(scene));
  });
  return *full_->parts;
}

const CheckerSnapshot& snapshot_of(const PathChecker& checker) {
  if (checker.snapshot_ == nullptr) throw InputError("this PathChecker was moved from");
  return *checker.snapshot_;
}

}  // namespace planner_ccd
