#include "planner_ccd/query/detail/nearest_pair.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// The nearest pair at the start of an edge.
class NearestSearch {
 public:
  NearestSearch(const CheckerSnapshot& snapshot, EdgeState& edge)
      : snapshot_(snapshot),
        parts_(*snapshot.base()),
        problem_(parts_.world.problem()),
        k_(edge.kinematics(0.0)),
        pad_(edge.pads().position) {
    nearest_.lower = nearest_.upper = std::numeric_limits<double>::infinity();
  }

  /// Obstacles: first those within a link's size or the nearest distance known; then, if needed, farther ones.
  NearestPair run() {
    for (std::size_t p = 0; p < problem_.pairs.size(); ++p) add(static_cast<int>(p));
    consider();
    double within = std::min(first_reach(problem_.pairs), nearest_.lower);
    while (seen_.size() < snapshot_.tree().size() * problem_.pairs.rows().size()) {
      look(within);
      if (nearest_.lower <= within || within > kFarthest) break;
      within = std::min(4.0 * within, nearest_.lower);
    }
    return nearest_;
  }

 private:
  static constexpr double kFarthest = 16.0 * kMaxCoordinate;  ///< [m] Nothing is farther apart.

  const CheckerSnapshot& snapshot_;
  const RobotParts& parts_;
  const SearchProblem& problem_;
  const Kinematics& k_;
  double pad_;
  NearestPair nearest_;
  std::vector<std::pair<double, int>> order_;  ///< Pairs with a lower bound of their distance, from bounding spheres.
  std::set<int> seen_;                         ///< Pairs with obstacles.

  void add(int p) {
    const Collider& a = parts_.world.colliders()[parts_.world.collider_a(p)];
    const Collider& b = parts_.world.colliders()[parts_.world.collider_b(p)];
    const Eigen::Vector3d at_a = k_.bodies[a.body].pose() * a.bounds.center();
    const Eigen::Vector3d at_b = k_.bodies[b.body].pose() * b.bounds.center();
    order_.emplace_back((at_b - at_a).norm() * kRoundDown - a.radius - b.radius - pad_, p);
  }
  void add(int row, int p, const Obstacle& b) {
    const Collider& a = parts_.world.colliders()[parts_.world.mover_of_row(row)];
    const Eigen::Vector3d at_a = k_.bodies[a.body].pose() * a.bounds.center();
    const Obstacle::Content& of_b = b.content();
    order_.emplace_back((of_b.bounds.center() - at_a).norm() * kRoundDown - a.radius - of_b.radius - pad_, p);
  }

  /// Adds and considers the pairs with obstacles that may be nearer than `within`: those whose boxes meet a box
  /// that is larger than the moving one's sphere by this.
  void look(double within) {
    for (int row = 0; row < static_cast<int>(problem_.pairs.rows().size()); ++row) {
      const RestingRow& r = problem_.pairs.rows()[row];
      const int body = problem_.chains[r.chain].body_a;
      const Eigen::Vector3d center = k_.bodies[body].pose() * r.tree->bounding_center();
      const double around = (r.tree->bounding_radius() + within + 2.0 * pad_) * kRoundUp;
      const Eigen::Vector3d half = Eigen::Vector3d::Constant(around);
      snapshot_.tree().meet({center - half, center + half}, [&](const Obstacle& o) {
        const int p = snapshot_.number(row, o);
        if (p >= 0 && seen_.insert(p).second) add(row, p, o);
      });
    }
    consider();
  }

  /// In order of the spheres' distances: the nearest few exclude most pairs.
  void consider() {
    std::sort(order_.begin(), order_.end());
    for (const auto& [at_least, p] : order_) {
      if (at_least >= nearest_.lower) break;
      const SearchPair pair = snapshot_.pair(p);
      const PairChain& chain = problem_.chains[pair.chain];
      const DistanceResult d =
          distance(*pair.tree_a, k_.bodies[chain.body_a].pose(), *pair.tree_b, k_.bodies[chain.body_b].pose());
      nearest_.lower = std::min(nearest_.lower, std::max(0.0, d.lower - pad_));
      if (d.upper + pad_ >= nearest_.upper) continue;
      nearest_.upper = d.upper + pad_;
      std::tie(nearest_.a, nearest_.b) = snapshot_.names(p);
      nearest_.point_a = d.point_a;
      nearest_.point_b = d.point_b;
    }
    order_.clear();
  }
};

}  // namespace

double first_reach(const SearchPairs& pairs) {
  constexpr double kLeast = 1e-3;
  double reach = std::numeric_limits<double>::infinity();
  for (const RestingRow& row : pairs.rows()) reach = std::min(reach, std::max(row.tree->bounding_radius(), kLeast));
  return reach;
}

NearestPair nearest_pair(const CheckerSnapshot& snapshot, EdgeState& edge) {
  return NearestSearch(snapshot, edge).run();
}

}  // namespace planner_ccd
