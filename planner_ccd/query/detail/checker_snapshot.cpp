#include "planner_ccd/query/detail/checker_snapshot.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd {
namespace {

/// With more changes at once than this plus a share of all objects, a base is built anew: it costs no more than the
/// changes do.
constexpr std::size_t kFewChanges = 64;
constexpr std::size_t kShareOfObjects = 8;
constexpr int kDeepest = 3;     ///< Most halvings of a part of the edge,
constexpr double kLoose = 2.0;  ///< made while a swept box is this many times as long as the moving body.

constexpr std::size_t kMostGrains = 64;  ///< Further clouds are tried by swept boxes, as all other arrivals are.

bool is_grains(const SceneObject& object) {
  return object.geometry.size() == 1 && (std::holds_alternative<CloudPtr>(object.geometry[0].shape) ||
                                         std::holds_alternative<CellsPtr>(object.geometry[0].shape));
}

std::size_t most_changes(const Scene& scene) { return kFewChanges + scene.objects.size() / kShareOfObjects; }

bool named_in_rules(const Scene& scene, const std::string& name) {
  const auto named = [&](const auto& rule) { return rule.a == name || rule.b == name; };
  return std::any_of(scene.allow.begin(), scene.allow.end(), named) ||
         std::any_of(scene.margins.begin(), scene.margins.end(), named);
}

bool is_held(const Scene& scene, const std::string& name) {
  return std::any_of(scene.attached.begin(), scene.attached.end(),
                     [&](const AttachedObject& a) { return a.object.name == name; });
}

std::shared_ptr<const Scene> rules_of(Scene scene) {
  scene.objects = {};
  return std::make_shared<const Scene>(std::move(scene));
}

/// Key of an existing object: where a copy without it differs.
std::uint64_t key_of(const SceneObjects& objects, const std::string& name) {
  SceneObjects without = objects;
  without.erase(name);
  return SceneObjects::differences(without, objects, 1)->front().key;
}

}  // namespace

CheckerSnapshot::CheckerSnapshot(std::shared_ptr<const PreparedParts> robot, const Scene& scene,
                                 const CheckerOptions& options, const CheckerParts* before)
    : CheckerSnapshot(std::make_shared<const CheckerParts>(std::move(robot), scene, options, before), scene.objects,
                      rules_of(scene)) {
  left_behind_ = planner_ccd::left_behind(*base_->robot, scene, nullptr);
}

std::shared_ptr<const CheckerSnapshot> CheckerSnapshot::with(const Scene& scene) const {
  require_ieee_arithmetic();
  std::shared_ptr<CheckerSnapshot> next = changed(scene);
  if (!next && scene.objects.size() > static_cast<std::size_t>(FirstLook::kMostObstacles)) {
    next = over_robot_alone(scene);
  }
  if (!next) next = std::make_shared<CheckerSnapshot>(base_->prepared, scene, base_->options, base_.get());
  next->left_behind_ = planner_ccd::left_behind(*base_->robot, scene, &left_behind_);
  return next;
}

/// Null if a new base is needed, or if the scene is invalid: building in full reports the error.
std::shared_ptr<CheckerSnapshot> CheckerSnapshot::changed(const Scene& scene) const {
  std::shared_ptr<const Scene> rules = rules_;
  std::shared_ptr<const ObjectRules> told = told_;
  if (!same_rules(*rules_, scene)) {
    rules = rules_of(scene);
    const bool as_in_base = same_rules(base_->scene, scene);
    told = as_in_base ? nullptr : ObjectRules::make(*base_, scene);
    if (!as_in_base && told == nullptr) return nullptr;
  }
  const auto differences = SceneObjects::differences(objects_, scene.objects, most_changes(scene));
  if (!differences) return nullptr;
  const std::shared_ptr<CheckerSnapshot> next(new CheckerSnapshot(base_, scene.objects, rules));
  next->told_ = told;
  next->arrivals_ = arrivals_;
  next->grains_ = grains_;
  next->departed_ = departed_;
  for (const SceneObjects::Difference& d : *differences) {
    if (!next->take(d)) return nullptr;
  }
  if (told == told_) return next;
  for (const ObjectRules* of_either : {told_.get(), told.get()}) {
    if (of_either == nullptr) continue;
    for (const auto& [name, rows] : of_either->objects()) {
      if (scene.objects.find(name) == nullptr) continue;
      const std::uint64_t key = key_of(scene.objects, name);
      const auto object = scene.objects.at_key(key);
      if (!next->take({key, object, object})) return nullptr;
    }
  }
  return next;
}

/// False if a name or a number prevents it: for the removal of an object that rules name, and for the addition of one
/// with the name of a link or an attached object.
bool CheckerSnapshot::take(const SceneObjects::Difference& d) {
  if (d.before != nullptr) {
    if (objects_.find(d.before->name) == nullptr && named_in_rules(*rules_, d.before->name)) return false;
    if (arrivals_.find(d.key) == nullptr) departed_.set(resting_index(d.key), {});
  }
  if (d.after == nullptr) {
    erase(d.key);
    return true;
  }
  const std::string& name = d.after->name;
  const bool is_told = told_ != nullptr && told_->find(name) != nullptr;
  if (!is_told && base_->scene.objects.at_key(d.key) == d.after) {
    erase(d.key);
    departed_.erase(resting_index(d.key));
    return true;
  }
  if (base_->robot->find_link(name) >= 0 || is_held(*rules_, name)) return false;
  const int most = std::numeric_limits<int>::max() - static_cast<int>(base_->world.problem().pairs.size());
  if (rows() > 0 && d.key >= static_cast<std::uint64_t>(most / rows())) return false;
  const auto index = base_->scene.objects.index_of(name);
  const bool alike = d.before != nullptr && same_geometry(*d.before, *d.after);
  put(arrive(d.key, d.after, alike ? d.before.get() : nullptr,
             index ? base_->first_object + static_cast<int>(*index) : -1));
  return true;
}

void CheckerSnapshot::put(Arrival arrival) {
  std::erase_if(grains_, [&](const GrainArrival& g) { return g.key == arrival.key; });
  if (is_grains(*arrival.object) && grains_.size() < kMostGrains) {
    const auto before = [](const GrainArrival& g, std::uint64_t key) { return g.key < key; };
    grains_.insert(std::lower_bound(grains_.begin(), grains_.end(), arrival.key, before),
                   {arrival.key, std::make_shared<const GrainObstacle>(arrival.tree)});
  }
  arrivals_.put(std::move(arrival));
}

void CheckerSnapshot::erase(std::uint64_t key) {
  arrivals_.erase(key);
  std::erase_if(grains_, [&](const GrainArrival& g) { return g.key == key; });
}

/// Null if so much differs that building in full costs no more, or if the scene is invalid: building in full reports
/// the error.
std::shared_ptr<CheckerSnapshot> CheckerSnapshot::over_robot_alone(const Scene& scene) const {
  for (const AttachedObject& held : scene.attached) {
    if (scene.objects.find(held.object.name) != nullptr) return nullptr;
  }
  const auto differences = SceneObjects::differences(objects_, scene.objects, most_changes(scene));
  if (!differences) return nullptr;
  const auto base = std::make_shared<const CheckerParts>(base_->prepared, without_objects(*base_->robot, scene),
                                                         base_->options, base_.get());
  const std::shared_ptr<CheckerSnapshot> next(new CheckerSnapshot(base, scene.objects, rules_of(scene)));
  next->told_ = ObjectRules::make(*base, scene);
  if (next->told_ == nullptr) return nullptr;
  next->arrivals_ = arrivals_;
  next->grains_ = grains_;
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const auto of_base = SceneObjects::differences({}, base_->scene.objects, kAll);
  for (const SceneObjects::Difference& d : *of_base) {
    if (departed_.find(resting_index(d.key)) != nullptr) continue;
    next->put(arrive(d.key, d.after, d.after.get(), -1));
  }
  for (const SceneObjects::Difference& d : *differences) {
    if (!next->take(d)) return nullptr;
  }
  const int most = std::numeric_limits<int>::max() - static_cast<int>(base->world.problem().pairs.size());
  const bool counted =
      next->rows() == 0 ||
      scene.objects.rank_of_key(static_cast<std::uint64_t>(most / next->rows())) == scene.objects.size();
  return counted ? next : nullptr;
}

/// Index among the base's resting trees of an existing object.
int CheckerSnapshot::resting_index(std::uint64_t key) const {
  return base_->first_object + static_cast<int>(base_->scene.objects.rank_of_key(key));
}

bool CheckerSnapshot::gone(int pair) const {
  const SearchPairs& before = base_->world.problem().pairs;
  if (departed_.empty() || static_cast<std::size_t>(pair) >= before.resting_pairs()) return false;
  return departed_.find(before.place(static_cast<std::size_t>(pair)).second) != nullptr;
}

int CheckerSnapshot::number(int row, const Arrival& arrival) const {
  return static_cast<int>(base_->world.problem().pairs.size()) + static_cast<int>(arrival.key) * rows() + row;
}

const Arrival& CheckerSnapshot::arrival_of(int beyond) const {
  return *arrivals_.find(static_cast<std::uint64_t>(beyond / rows()));
}

/// Index among the base's resting trees of the object with the arrival's name. Arrivals from another base occur only in
/// a base without objects.
int CheckerSnapshot::known(const Arrival& arrival) const { return base_->scene.objects.empty() ? -1 : arrival.known; }

const ObjectRules::Rule* CheckerSnapshot::told(int row, const Arrival& arrival) const {
  const auto* rules = told_ == nullptr ? nullptr : told_->find(arrival.object->name);
  return rules == nullptr ? nullptr : &(*rules)[static_cast<std::size_t>(row)];
}

/// For objects that told_ does not name: one whose name was in the base keeps its rules; a new one has the rules with
/// "*" that name the other body.
bool CheckerSnapshot::is_checked(int row, const Arrival& arrival) const {
  if (const ObjectRules::Rule* rule = told(row, arrival)) return rule->checked;
  const int as = known(arrival);
  if (as < 0) return base_->rows[static_cast<std::size_t>(row)].meets_new;
  return base_->world.problem().pairs.find(row, as) >= 0;
}

double CheckerSnapshot::margin(int row, const Arrival& arrival) const {
  if (const ObjectRules::Rule* rule = told(row, arrival)) return rule->margin;
  const SearchPairs& before = base_->world.problem().pairs;
  const int as = known(arrival);
  if (as < 0) return before.rows()[static_cast<std::size_t>(row)].margin;
  return before[static_cast<std::size_t>(before.find(row, as))].required;
}

double CheckerSnapshot::greatest_margin(int row) const {
  const double in_base = base_->rows[static_cast<std::size_t>(row)].greatest_margin;
  const double required = told_ == nullptr ? in_base : std::max(in_base, told_->greatest_margin(row));
  return kept_margin(required, base_->world.problem().pairs.rows()[static_cast<std::size_t>(row)].displaced, 0.0);
}

SearchPair CheckerSnapshot::beyond(int pair) const {
  const int row = pair % rows();
  const Arrival& arrival = arrival_of(pair);
  const RestingRow& of = base_->world.problem().pairs.rows()[static_cast<std::size_t>(row)];
  const double required = margin(row, arrival);
  return {of.tree,  TreeRef(*arrival.tree),
          of.chain, kept_margin(required, of.displaced, arrival.displaced),
          required, of.link,
          -1};
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
  return {name(world.mover_of_row((pair - first) % rows())), arrival_of(pair - first).object->name};
}

/// The arrivals in scratch.met, from `begin` on, that a mover may meet over [t0, t1]; while its swept box is loose,
/// over each half.
void CheckerSnapshot::sweep(EdgeState& edge, int row, double t0, double t1, int level, std::size_t begin,
                            ArrivalScratch& scratch) const {
  const RestingRow& of = base_->world.problem().pairs.rows()[static_cast<std::size_t>(row)];
  const double m = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  const RoundingPads& pads = edge.pads();
  const PairMotion& motion = edge.pair_motion(of.chain, t0, t1);
  const double pad = greatest_margin(row) + pads.position + half * (pads.speed + half * pads.acceleration) +
                     edge.displaced(of.chain, edge.motion().tube().above(of.link), *of.tree, m, half);
  const Eigen::AlignedBox3d box = swept_box(of.tree->volume(0), edge.pair_state(m, of.chain), motion, half, pad);
  const std::size_t left = scratch.met.size();
  if (level == 0) {
    arrivals_.meet(box, scratch.met);
  } else {
    for (std::size_t i = begin; i < left; ++i) {
      const Arrival* arrival = scratch.met[i];
      if (arrival->bounds.intersects(box)) scratch.met.push_back(arrival);
    }
  }
  const bool loose = level < kDeepest && box.sizes().maxCoeff() > kLoose * of.tree->bounds().sizes().maxCoeff();
  if (loose && scratch.met.size() > left) {
    sweep(edge, row, t0, m, level + 1, left, scratch);
    sweep(edge, row, m, t1, level + 1, left, scratch);
  } else {
    for (std::size_t i = left; i < scratch.met.size(); ++i) {
      const Arrival& arrival = *scratch.met[i];
      if (scratch.grains_tried && find_grains(arrival.key) != nullptr) continue;
      if (is_checked(row, arrival)) scratch.found.push_back({number(row, arrival), t0, t1});
    }
  }
  scratch.met.resize(left);
}

const CheckerSnapshot::GrainArrival* CheckerSnapshot::find_grains(std::uint64_t key) const {
  const auto found = std::find_if(grains_.begin(), grains_.end(), [&](const GrainArrival& g) { return g.key == key; });
  return found == grains_.end() ? nullptr : &*found;
}

/// Grains that a mover encloses at t = 0 without touching them are found by an inside test, unless its balls contain all that it
/// encloses and keep away.
void CheckerSnapshot::look_at_grains(FirstLook::Scratch& look, ArrivalScratch& scratch,
                                     std::vector<Candidate>& out) const {
  const FirstLook& first_look = base_->first_look;
  for (int row = 0; row < rows(); ++row) {
    const int mover = first_look.mover_of(base_->world.mover_of_row(row));
    for (const GrainArrival& grains : grains_) {
      const Arrival& arrival = *arrivals_.find(grains.key);
      if (!is_checked(row, arrival)) continue;
      const int pair = number(row, arrival);
      const look::Meeting met = first_look.meet(mover, *grains.grains, this->pair(pair).margin, look);
      if (!first_look.is_filled(mover) && (met.pieces & 1u) == 0) look.findings.unsure_within.push_back(pair);
      if (met.pieces == 0) continue;
      if (met.deepest >= 0) scratch.likely.push_back({pair, look::instant(met.deepest)});
      look::for_each_run(met.pieces, [&](double t0, double t1) { out.push_back({pair, t0, t1}); });
    }
  }
}

void CheckerSnapshot::collect(EdgeState& edge, FirstLook::Scratch* look, ArrivalScratch& scratch,
                              std::vector<Candidate>& out) const {
  scratch.likely.clear();
  if (arrivals_.empty()) return;
  scratch.grains_tried = look != nullptr;
  if (look != nullptr) look_at_grains(*look, scratch, out);
  if (look != nullptr && grains_.size() == arrivals_.size()) return;
  for (int row = 0; row < rows(); ++row) {
    scratch.met.clear();
    scratch.found.clear();
    sweep(edge, row, 0.0, 1.0, 0, 0, scratch);
    // Collected in order of time.
    std::stable_sort(scratch.found.begin(), scratch.found.end(),
                     [](const Candidate& x, const Candidate& y) { return x.pair < y.pair; });
    const std::size_t first = out.size();
    for (const Candidate& c : scratch.found) {
      if (out.size() > first && out.back().pair == c.pair && out.back().t1 == c.t0) {
        out.back().t1 = c.t1;
      } else {
        out.push_back(c);
      }
    }
  }
}

void CheckerSnapshot::arrivals_near(int row, const Eigen::AlignedBox3d& box,
                                    std::vector<std::pair<int, const Arrival*>>& out) const {
  std::vector<const Arrival*> met;
  arrivals_.meet(box, met);
  for (const Arrival* arrival : met) {
    if (is_checked(row, *arrival)) out.emplace_back(number(row, *arrival), arrival);
  }
}

bool CheckerSnapshot::checks_nothing() const {
  const auto count = static_cast<int>(base_->world.problem().pairs.size());
  for (int pair = 0; pair < count; ++pair) {
    if (!gone(pair)) return false;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<const Arrival*> all;
  arrivals_.meet({Eigen::Vector3d::Constant(-kInfinity), Eigen::Vector3d::Constant(kInfinity)}, all);
  for (int row = 0; row < rows(); ++row) {
    if (std::any_of(all.begin(), all.end(), [&](const Arrival* a) { return is_checked(row, *a); })) return false;
  }
  return true;
}

std::shared_ptr<const CheckerSnapshot> CheckerSnapshot::in_full() const {
  if (!is_changed()) return shared_from_this();
  std::call_once(full_->once, [&] {
    Scene scene = *rules_;
    scene.objects = objects_;
    const auto full = std::make_shared<CheckerSnapshot>(base_->prepared, scene, base_->options, base_.get());
    full->left_behind_ = left_behind_;
    full_->snapshot = full;
  });
  return full_->snapshot;
}

const CheckerSnapshot& snapshot_of(const PathChecker& checker) {
  if (checker.snapshot_ == nullptr) throw InputError("this PathChecker was moved from");
  return *checker.snapshot_;
}

}  // namespace planner_ccd
