#include "planner_ccd/query/batch/roadmap.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/batch/detail/edge_input.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"
#include "planner_ccd/query/batch/scene_change.hpp"
#include "planner_ccd/scene/broad_phase.hpp"

namespace planner_ccd {
namespace {

constexpr int kParts = 8;  ///< Of an edge: a swept box is the box of the boxes of its parts.

}  // namespace

struct Roadmap::Record {
  Edge edge;
  Verdict verdict = Verdict::Undecided;
  std::string a, b;                        ///< In contact, when it is.
  std::vector<Eigen::AlignedBox3d> swept;  ///< World; one for each moving collider.
  double spare = 0.0;                      ///< [m] All pairs with objects are farther apart than margin + spare.
};

/// The boxes that the moving colliders sweep on an edge. One a thread.
struct Roadmap::Sweeper {
  SearchProblem problem;
  EdgeMotion motion;
  std::unique_ptr<EdgeState> state;
  std::vector<const Collider*> movers;

  Sweeper(const RobotModel& robot, const CollisionWorld& world) : problem(robot), motion(robot) {
    problem.extent = world.problem().extent;
    for (const Collider& c : world.colliders()) {
      if (c.body == 0) continue;
      movers.push_back(&c);
      problem.chains.push_back(pair_chain(problem.moves, c.body, 0));
      problem.chain_reach.push_back(c.tree.bounding_center().norm() + c.tree.bounding_radius());
    }
  }

  /// Empty when a bound is not finite.
  std::vector<Eigen::AlignedBox3d> boxes(const Edge& edge, AnglePolicy angles) {
    if (!state) state = std::make_unique<EdgeState>(problem);  // here, where `problem` stays where it is
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
        out[k].extend(swept_box(movers[k]->tree.volume(0), state->pair_state(middle, chain), state->pair_motion(chain),
                                kHalf, pad));
      }
    }
    return out;
  }
};

Roadmap::Roadmap(std::shared_ptr<const RobotModel> robot, Scene scene, CollisionMatrix matrix, RoadmapOptions options)
    : robot_(std::move(robot)), matrix_(std::move(matrix)), options_(std::move(options)), scene_(std::move(scene)) {
  if (!(options_.spare >= 0.0) || !std::isfinite(options_.spare)) {
    throw InputError("the room to spare must be a finite number of metres >= 0");
  }
  build_checkers();
}

Roadmap::~Roadmap() = default;

std::size_t Roadmap::size() const { return records_.size(); }
const Edge& Roadmap::edge(std::size_t i) const { return records_[i].edge; }
Verdict Roadmap::verdict(std::size_t i) const { return records_[i].verdict; }
const PathChecker& Roadmap::checker() const { return *checker_; }

void Roadmap::build_checkers() {
  checker_ = std::make_unique<const PathChecker>(robot_, scene_, matrix_, options_.checker);
  roomy_.reset();
  if (options_.spare == 0.0) return;
  Scene scene = scene_;
  for (PairMargin& m : scene.margins) m.margin += options_.spare;
  CheckerOptions checker = options_.checker;
  checker.margin += options_.spare;
  checker.cell_evaluations = 0;
  // Pairs of the robot with itself and with what it holds do not change when objects move.
  CollisionMatrix objects_only = matrix_;
  std::vector<std::string> own;
  for (const Link& link : robot_->links()) own.push_back(link.name);
  for (const AttachedObject& held : scene_.attached) own.push_back(held.object.name);
  for (const std::string& a : own) {
    for (const std::string& b : own) objects_only.exclude(a, b, ExclusionReason::User);
  }
  roomy_ = std::make_unique<const PathChecker>(robot_, scene, objects_only, checker);
}

/// Asks edges again, in parallel; each writes to its own record only.
std::int64_t Roadmap::check(const std::vector<std::size_t>& which) {
  struct Scratch {
    Workspace workspace, roomy;
    Sweeper sweeper;
  };
  std::atomic<std::int64_t> evaluations = 0;
  const auto make = [&] {
    return Scratch{Workspace(*checker_), Workspace(roomy_ ? *roomy_ : *checker_), Sweeper(*robot_, checker_->world())};
  };
  for_each_index(which.size(), options_.threads, make, [&](std::size_t i, Scratch& scratch) {
    Record& r = records_[which[i]];
    const EdgeResult result = checker_->any_contact(r.edge.q0, r.edge.q1, scratch.workspace, options_.edge);
    evaluations += result.counters.node_evaluations + result.counters.primitive_evaluations;
    r.verdict = result.verdict;
    r.a = result.contact ? result.contact->a : "";
    r.b = result.contact ? result.contact->b : "";
    r.spare = 0.0;
    if (r.verdict != Verdict::Free) return;
    r.swept = scratch.sweeper.boxes(r.edge, options_.edge.angles);
    if (r.swept.empty() && !scratch.sweeper.movers.empty()) r.verdict = Verdict::Undecided;
    if (!roomy_ || r.verdict != Verdict::Free) return;
    const EdgeResult room = roomy_->any_contact(r.edge.q0, r.edge.q1, scratch.roomy, options_.edge);
    evaluations += room.counters.node_evaluations + room.counters.primitive_evaluations;
    if (room.verdict == Verdict::Free) r.spare = options_.spare;
  });
  return evaluations;
}

std::size_t Roadmap::add(std::span<const Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) require_usable(*robot_, i, edges[i]);
  const std::size_t first = records_.size();
  std::vector<std::size_t> which;
  for (const Edge& edge : edges) {
    which.push_back(records_.size());
    records_.push_back({edge, Verdict::Undecided, {}, {}, {}, 0.0});
  }
  check(which);
  return first;
}

RoadmapUpdate Roadmap::change_scene(Scene scene) {
  const std::unique_ptr<const PathChecker> before = std::move(checker_);
  const Scene scene_before = std::exchange(scene_, std::move(scene));
  try {
    build_checkers();
  } catch (...) {
    scene_ = scene_before;
    build_checkers();
    throw;
  }
  const SceneChange change = compare(scene_before, before->world(), scene_, checker_->world(), options_.checker.margin);

  RoadmapUpdate update;
  std::vector<std::size_t> again;
  std::vector<Verdict> verdicts(records_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Record& r = records_[i];
    verdicts[i] = r.verdict;
    if (change.everything || r.verdict == Verdict::Undecided) {
      again.push_back(i);
      continue;
    }
    if (r.verdict == Verdict::Contact) {
      const bool counts = !change.departed.count(r.a) && !change.departed.count(r.b);
      counts ? void(++update.kept_contact) : again.push_back(i);
      continue;
    }
    bool by_spare = false, affected = false;
    double spare = r.spare;
    for (const SceneChange::Arrival& arrival : change.arrivals) {
      double gap = std::numeric_limits<double>::infinity();
      for (const Eigen::AlignedBox3d& box : r.swept) gap = std::min(gap, box.exteriorDistance(arrival.box));
      const bool far = gap > 0.0;
      const double left = std::nextafter(r.spare - arrival.moved, -1.0);
      affected = affected || (!far && !(left > 0.0));
      by_spare = by_spare || !far;
      // What is left of the room to this object, by whichever of the two reasons leaves more.
      spare = std::min(spare, std::max(left, gap * (1.0 - 0x1p-40)));
    }
    if (affected) {
      again.push_back(i);
      continue;
    }
    r.spare = std::max(0.0, spare);
    ++(by_spare ? update.kept_spare : update.kept_far);
  }
  update.checked = again.size();
  update.evaluations = check(again);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (records_[i].verdict != verdicts[i]) update.turned.push_back(i);
  }
  return update;
}

}  // namespace planner_ccd
