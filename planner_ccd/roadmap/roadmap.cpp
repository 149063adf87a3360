#include "planner_ccd/roadmap/roadmap.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/query/batch/detail/edge_input.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/roadmap/scene_change.hpp"
#include "planner_ccd/scene/swept_box.hpp"

namespace planner_ccd {
namespace {

constexpr int kParts = 8;  ///< Of an edge: a swept box encloses the boxes of its parts.

/// Pairs of the robot with itself and with what it holds do not change when objects move.
void allow_own_pairs(const RobotModel& robot, Scene& scene) {
  std::vector<std::string> own;
  for (const Link& link : robot.links()) own.push_back(link.name);
  for (const AttachedObject& held : scene.attached) own.push_back(held.object.name);
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) scene.allow.push_back({own[i], own[k]});
  }
}

}  // namespace

struct Roadmap::Record {
  Edge edge;
  Verdict verdict = Verdict::Undecided;
  std::string a, b;                        ///< The pair in contact, if any.
  std::vector<Eigen::AlignedBox3d> swept;  ///< World; one for each moving collider.
  double spare = 0.0;                      ///< [m] All pairs with objects are farther apart than margin + spare.

  void take(const EdgeResult& result, std::atomic<std::int64_t>& evaluations) {
    verdict = result.verdict;
    a = result.contact ? result.contact->a : "";
    b = result.contact ? result.contact->b : "";
    evaluations += result.counters.evaluations();
  }
};

/// Computes the boxes that the moving colliders sweep on an edge. One per thread.
struct Roadmap::Sweeper {
  SearchProblem problem;
  EdgeMotion motion;
  std::unique_ptr<EdgeState> state;
  std::vector<const Collider*> movers;

  Sweeper(const RobotModel& robot, const CheckerSnapshot& snapshot) : problem(robot), motion(robot) {
    const CollisionWorld& world = snapshot.base()->world;
    problem.extent = std::max(world.problem().extent, snapshot.extent());
    for (const Collider& c : world.colliders()) {
      if (c.body == 0) continue;
      movers.push_back(&c);
      problem.chains.push_back(pair_chain(problem.moves, c.body, 0));
      problem.chain_reach.push_back(c.tree->lever());
    }
  }

  /// Empty when a bound is not finite.
  std::vector<Eigen::AlignedBox3d> boxes(const Edge& edge, AnglePolicy angles) {
    if (!state) state = std::make_unique<EdgeState>(problem);  // after the move: `problem` now has its final address
    motion.set_linear(edge.q0, edge.q1, angles);
    if (!state->start(motion)) return {};
    std::vector<Eigen::AlignedBox3d> out(movers.size());
    constexpr double kHalf = 0.5 / kParts;
    const RoundingPads& pads = state->pads();
    const double pad = pads.position + kHalf * (pads.speed + kHalf * pads.acceleration);
    for (std::size_t k = 0; k < movers.size(); ++k) {
      const int chain = static_cast<int>(k);
      for (int part = 0; part < kParts; ++part) {
        const double middle = (2 * part + 1) * kHalf;
        out[k].extend(swept_box(movers[k]->tree->volume(0), state->pair_state(middle, chain), state->pair_motion(chain),
                                kHalf, pad));
      }
    }
    return out;
  }
};

Roadmap::Roadmap(std::shared_ptr<const RobotModel> robot, Scene scene, CollisionMatrix matrix, RoadmapOptions options)
    : Roadmap(PreparedRobot(std::move(robot), matrix,
                            {options.checker.margin, options.checker.cell_evaluations, options.checker.self_margin}),
              std::move(scene), options) {}

Roadmap::Roadmap(PreparedRobot robot, Scene scene, RoadmapOptions options)
    : robot_(std::move(robot)), options_(std::move(options)), scene_(made_rigid(std::move(scene))) {
  require_no_clock(robot_.robot());
  if (options_.edge.errors.any()) {
    throw InputError(
        "a roadmap keeps what the motion itself sweeps and knows no errors of it; leave them out, or check edges one "
        "by one");
  }
  if (!(options_.spare >= 0.0) || !std::isfinite(options_.spare)) {
    throw InputError("the room to spare must be a finite number of metres >= 0");
  }
  checkers_.exact = std::make_unique<const PathChecker>(robot_, scene_, options_.checker);
}

Roadmap::~Roadmap() = default;

std::size_t Roadmap::size() const { return records_.size(); }
const Edge& Roadmap::edge(std::size_t i) const { return records_[i].edge; }
Verdict Roadmap::verdict(std::size_t i) const { return records_[i].verdict; }
const PathChecker& Roadmap::checker() const { return *checkers_.exact; }

/// Only pairs with objects, with increased margins.
Scene Roadmap::with_room(Scene scene) const {
  for (PairMargin& m : scene.margins) m.margin += options_.spare;
  allow_own_pairs(robot_.robot(), scene);
  return scene;
}

Roadmap::Checkers Roadmap::follow(const Scene& scene) const {
  Checkers out;
  out.exact = std::make_unique<const PathChecker>(checkers_.exact->with_scene(scene));
  if (checkers_.roomy) out.roomy = std::make_unique<const PathChecker>(checkers_.roomy->with_scene(with_room(scene)));
  return out;
}

void Roadmap::need_roomy() {
  if (checkers_.roomy || options_.spare == 0.0) return;
  CheckerOptions checker = options_.checker;
  checker.margin += options_.spare;
  checker.cell_evaluations = 0;
  checkers_.roomy = std::make_unique<const PathChecker>(robot_, with_room(scene_), checker);
}

/// Checkers for the arrivals alone: all other pairs are unchanged.
Roadmap::Checkers Roadmap::build_for(const Scene& scene, const SceneChange& change) const {
  Scene few = scene;
  few.objects = {};
  allow_own_pairs(robot_.robot(), few);
  std::set<std::string> there;
  const auto add = [&](const SceneObject& object) {
    if (there.insert(object.name).second) few.objects.push_back(object);
  };
  for (const SceneChange::Arrival& arrival : change.arrivals) add(*scene.objects.find(arrival.name));
  // Rules may name other objects: minimal stand-ins keep these names, with all their pairs allowed.
  const auto stand_in = [&](const std::string& name) {
    const SceneObject* object = scene.objects.find(name);
    if (object == nullptr || there.count(name) > 0) return;
    add({name, {{Sphere{1.0}, Eigen::Isometry3d::Identity(), "stands in"}}, object->pose});
    few.allow.push_back({name, "*"});
  };
  for (const AllowedPair& p : scene.allow) {
    for (const std::string& name : {p.a, p.b}) stand_in(name);
  }
  for (const PairMargin& m : scene.margins) {
    for (const std::string& name : {m.a, m.b}) stand_in(name);
  }
  CheckerOptions checker = options_.checker;
  checker.cell_evaluations = 0;
  Checkers out;
  out.exact = std::make_unique<const PathChecker>(robot_, few, checker);
  if (options_.spare == 0.0) return out;
  for (PairMargin& m : few.margins) m.margin += options_.spare;
  checker.margin += options_.spare;
  out.roomy = std::make_unique<const PathChecker>(robot_, few, checker);
  return out;
}

/// Checks edges in full, in parallel; each writes only to its own record. Determines the spare clearance if there is a
/// checker for it.
std::int64_t Roadmap::check(const std::vector<std::size_t>& which) {
  if (which.empty()) return 0;
  const PathChecker &exact = *checkers_.exact, &roomy = checkers_.roomy ? *checkers_.roomy : exact;
  struct Scratch {
    Workspace exact, roomy;
    Sweeper sweeper;
  };
  std::atomic<std::int64_t> evaluations = 0;
  const auto make = [&] {
    return Scratch{Workspace(exact), Workspace(roomy), Sweeper(robot_.robot(), snapshot_of(exact))};
  };
  for_each_index(which.size(), options_.threads, make, [&](std::size_t i, Scratch& scratch) {
    Record& r = records_[which[i]];
    r.take(exact.any_contact(r.edge.q0, r.edge.q1, scratch.exact, options_.edge), evaluations);
    r.spare = 0.0;
    if (r.verdict != Verdict::Free) return;
    r.swept = scratch.sweeper.boxes(r.edge, options_.edge.angles);
    if (r.swept.empty() && !scratch.sweeper.movers.empty()) r.verdict = Verdict::Undecided;
    if (&roomy == &exact || r.verdict != Verdict::Free) return;
    const EdgeResult room = roomy.any_contact(r.edge.q0, r.edge.q1, scratch.roomy, options_.edge);
    evaluations += room.counters.evaluations();
    if (room.verdict == Verdict::Free) r.spare = options_.spare;
  });
  return evaluations;
}

/// Checks edges against the arrivals alone. Returns those that this does not settle: they were in contact with a
/// departed object, and are in contact with no arrival.
std::vector<std::size_t> Roadmap::check_arrivals(const std::vector<std::size_t>& which, const Checkers& arrivals,
                                                 RoadmapUpdate& update) {
  const PathChecker &exact = *arrivals.exact, &roomy = arrivals.roomy ? *arrivals.roomy : exact;
  struct Scratch {
    Workspace exact, roomy;
  };
  std::atomic<std::int64_t> evaluations = 0;
  std::vector<std::uint8_t> settled(which.size(), 1);
  const auto make = [&] { return Scratch{Workspace(exact), Workspace(roomy)}; };
  for_each_index(which.size(), options_.threads, make, [&](std::size_t i, Scratch& scratch) {
    Record& r = records_[which[i]];
    const EdgeResult result = exact.any_contact(r.edge.q0, r.edge.q1, scratch.exact, options_.edge);
    if (r.verdict != Verdict::Free && result.verdict != Verdict::Contact) {
      settled[i] = 0;
      evaluations += result.counters.evaluations();
      return;
    }
    r.take(result, evaluations);
    if (r.verdict != Verdict::Free || r.spare == 0.0) return;
    const EdgeResult room = roomy.any_contact(r.edge.q0, r.edge.q1, scratch.roomy, options_.edge);
    evaluations += room.counters.evaluations();
    if (room.verdict != Verdict::Free) r.spare = 0.0;
  });
  update.evaluations += evaluations;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (!settled[i]) open.push_back(which[i]);
  }
  return open;
}

std::size_t Roadmap::add(std::span<const Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) require_usable(robot_.robot(), i, edges[i]);
  const std::size_t first = records_.size();
  std::vector<std::size_t> which;
  for (const Edge& edge : edges) {
    which.push_back(records_.size());
    records_.push_back({edge, Verdict::Undecided, {}, {}, {}, 0.0});
  }
  need_roomy();
  check(which);
  return first;
}

/// The edges to check again; counts the others by reason, and updates their spare clearance.
std::vector<std::size_t> Roadmap::sort_out(const SceneChange& change, RoadmapUpdate& update) {
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Record& r = records_[i];
    if (change.everything || r.verdict == Verdict::Undecided) {
      again.push_back(i);
      continue;
    }
    if (r.verdict == Verdict::Contact) {
      const bool counts = !change.departed.count(r.a) && !change.departed.count(r.b);
      counts ? void(++update.kept_contact) : again.push_back(i);
      continue;
    }
    bool near = false, affected = false;
    double spare = r.spare;
    for (const SceneChange::Arrival& arrival : change.arrivals) {
      double gap = std::numeric_limits<double>::infinity();
      for (const Eigen::AlignedBox3d& box : r.swept) gap = std::min(gap, box.exteriorDistance(arrival.box));
      const double left = std::nextafter(r.spare - arrival.moved, -1.0);
      affected = affected || (!(gap > 0.0) && !(left > 0.0));
      near = near || !(gap > 0.0);
      // The remaining spare clearance to this object: the greater of two bounds.
      spare = std::min(spare, std::max(left, gap * kRoundDown));
    }
    if (affected) {
      again.push_back(i);
      continue;
    }
    r.spare = std::max(0.0, spare);
    ++(near ? update.kept_spare : update.kept_far);
  }
  return again;
}

RoadmapUpdate Roadmap::change_scene(Scene given) {
  Scene scene = made_rigid(std::move(given));
  const SceneChange change = compare(scene_, scene, options_.checker.margin);
  // Built first: an unusable scene then leaves everything unchanged.
  Checkers now = follow(scene), arrivals;
  if (!change.everything) arrivals = build_for(scene, change);
  checkers_ = std::move(now);
  scene_ = std::move(scene);
  std::vector<Verdict> before;
  for (const Record& r : records_) before.push_back(r.verdict);

  RoadmapUpdate update;
  std::vector<std::size_t> again = sort_out(change, update);
  update.checked = again.size();
  if (!change.everything) again = check_arrivals(again, arrivals, update);
  update.evaluations += check(again);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (records_[i].verdict != before[i]) update.turned.push_back(i);
  }
  return update;
}

}  // namespace planner_ccd
