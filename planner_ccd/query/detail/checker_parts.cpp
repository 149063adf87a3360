#include "planner_ccd/query/detail/checker_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd {
namespace {

/// Existing cells for links, and for unchanged attached objects.
MovingPairs::KnownCells cells_of(const RobotParts* before, const Scene& scene) {
  if (before == nullptr) return {};
  const auto stays = [&](const std::string& name) {
    const auto of_name = [&](const AttachedObject& held) { return held.object.name == name; };
    const auto& held = before->scene.attached;
    const auto was = std::find_if(held.begin(), held.end(), of_name);
    if (was == held.end()) return before->robot->find_link(name) >= 0;
    const auto is = std::find_if(scene.attached.begin(), scene.attached.end(), of_name);
    return is != scene.attached.end() && same_attached(*was, *is);
  };
  struct Known {
    double margin;
    std::shared_ptr<const PairCells> cells;
  };
  std::map<std::pair<std::string, std::string>, Known> known;
  const CollisionWorld& world = before->world;
  for (const MovingPairs::Pair& pair : before->moving_pairs.pairs()) {
    const std::string& a = world.colliders()[static_cast<std::size_t>(world.collider_a(pair.pair))].name;
    const std::string& b = world.colliders()[static_cast<std::size_t>(world.collider_b(pair.pair))].name;
    if (!stays(a) || !stays(b)) continue;
    known[std::minmax(a, b)] = {world.problem().pairs[static_cast<std::size_t>(pair.pair)].margin, pair.cells};
  }
  return [known = std::move(known)](const std::string& a, const std::string& b,
                                    double margin) -> std::shared_ptr<const PairCells> {
    const auto found = known.find(std::minmax(a, b));
    return found != known.end() && found->second.margin == margin ? found->second.cells : nullptr;
  };
}

}  // namespace

RobotParts::RobotParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
                       const RobotParts* before)
    : prepared((require_ieee_arithmetic(), std::move(of_robot))),
      robot(prepared->robot),
      scene(given),
      options(asked),
      world(*robot, prepared->trees, scene, prepared->matrix, Margins(options.margin, options.self_margin)),
      moving_pairs(world, prepared->cells, options.cell_evaluations, cells_of(before, scene)),
      first_look(world, prepared->covers, &moving_pairs) {}

CheckerParts::CheckerParts(const CheckerSnapshot& of, Scene given)
    : robot(of.base()->robot),
      scene(std::move(given)),
      options(of.base()->options),
      world(*of.base()->robot, of.base()->prepared->trees, scene, of.base()->prepared->matrix,
            Margins(options.margin, options.self_margin)),
      snapshot_(of) {
  const auto is_link = [&](int i) { return world.colliders()[static_cast<std::size_t>(i)].is_link; };
  resting_links_ = static_cast<int>(std::count_if(world.resting().begin(), world.resting().end(), is_link));
}

/// Both worlds have the same rows and moving pairs in the same order. What rests: links, then the objects, then what links that rest hold.
int CheckerParts::pair_of(int number) const {
  const SearchPairs &own = world.problem().pairs, &base = snapshot_.base()->world.problem().pairs;
  const auto n = static_cast<std::size_t>(number);
  if (n < base.resting_pairs()) {
    const auto [row, resting] = base.place(n);
    return own.find(row, resting_of(resting));
  }
  if (n < base.size()) return static_cast<int>(own.resting_pairs() + n - base.resting_pairs());
  const auto [row, object] = snapshot_.row_and_object(number);
  return own.find(row, resting_links_ + static_cast<int>(scene.objects.rank_of_key(object->key())));
}

int CheckerParts::resting_of(int of_base) const {
  return of_base < resting_links_ ? of_base : of_base + static_cast<int>(scene.objects.size());
}

void CheckerParts::near(int row, const Eigen::AlignedBox3d& box, std::vector<int>& out) const {
  const int of_base = static_cast<int>(snapshot_.base()->world.resting().size());
  for (int i = 0; i < of_base; ++i) {
    const Collider& c =
        world.colliders()[static_cast<std::size_t>(world.resting()[static_cast<std::size_t>(resting_of(i))])];
    const double around = c.displaced * kRoundUp;
    const Eigen::AlignedBox3d bounds(c.bounds.min().array() - around, c.bounds.max().array() + around);
    const int pair = world.problem().pairs.find(row, resting_of(i));
    if (pair >= 0 && bounds.intersects(box)) out.push_back(pair);
  }
  snapshot_.tree().meet(box, [&](const Obstacle& o) {
    const int number = snapshot_.number(row, o);
    if (number >= 0) out.push_back(pair_of(number));
  });
}

void CheckerParts::collect(EdgeState& edge, MovingPairsScratch& scratch, std::vector<Candidate>& out) const {
  const std::size_t first = out.size();
  snapshot_.sweep(edge, out);
  const MovingPairs& moving = snapshot_.base()->moving_pairs;
  moving.ask_cells(edge.motion(), scratch);
  moving.collect(edge, scratch, std::numeric_limits<double>::infinity(), out);
  for (std::size_t i = first; i < out.size(); ++i) out[i].pair = pair_of(out[i].pair);
}

const CheckerParts& parts_of(const PathChecker& checker) { return snapshot_of(checker).in_full(); }

}  // namespace planner_ccd
