#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/moving_pairs/robot_cells.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// Scratch memory of MovingPairs, kept from edge to edge.
struct MovingPairsScratch {
  std::vector<std::pair<double, double>> unknown;   ///< Of one pair: parts of the edge that certified cells leave open.
  std::vector<Candidate> uncertain;                 ///< The same for all pairs.
  std::vector<std::pair<double, double>> touching;  ///< Of one pair: parts on which a contact is likely.
  std::vector<Probe> looks;                         ///< Of all pairs: where to probe for contact.
  std::vector<std::pair<double, double>> parts;     ///< Parts on which the spheres of two bodies may meet.

  /// Discards what is known of the pairs.
  void clear() {
    uncertain.clear();
    looks.clear();
  }
};

/// Pairs of colliders that both move (links with each other and with what they hold), and pairs of a moving and a still
/// link with few joints between them: boxes of obstacles cannot exclude these. Asking certified cells needs no poses;
/// parts they leave open are tried by the spheres of the two bodies. Immutable.
class MovingPairs {
 public:
  struct Pair {
    int pair;
    std::shared_ptr<const PairCells> cells;  ///< Never null.
  };

  /// Looks up cells of two colliders, by name, for exactly this margin; null if there are none.
  using KnownCells =
      std::function<std::shared_ptr<const PairCells>(const std::string& a, const std::string& b, double margin)>;

  /// Uses the cells of `prepared` if they fit the pair's margin, else those in `known`; for any other pair spends up to
  /// `cell_evaluations` on new ones.
  MovingPairs(const CollisionWorld& world, const RobotCells& prepared, std::int64_t cell_evaluations,
              const KnownCells& known = {});

  /// Grouped by the two bodies: pairs of one chain are neighbours.
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Pairs of a moving and a still link, ascending.
  const std::vector<int>& resting() const { return resting_; }

  /// Index in pairs() of a pair whose cells may prove something; else -1.
  int find(int pair) const;
  /// Appends to scratch.uncertain the parts of [0, 1] on which cells do not prove pairs()[index] apart, in order, and to
  /// scratch.looks the time at which they make a contact likely. No poses are needed.
  void ask_cells(int index, const EdgeMotion& motion, MovingPairsScratch& scratch) const;
  /// The same for all pairs(), from scratch.
  void ask_cells(const EdgeMotion& motion, MovingPairsScratch& scratch) const;

  /// After ask_cells(): appends to `out` the parts that neither cells nor spheres prove apart, up to `horizon`.
  void collect(EdgeState& edge, MovingPairsScratch& scratch, double horizon, std::vector<Candidate>& out) const;

 private:
  /// Two bodies, with spheres around all colliders in the pairs: testing these often rules out all pairs.
  struct Bodies {
    int chain;
    Eigen::Vector3d center_a = Eigen::Vector3d::Zero();  ///< Each in its body's frame, within PairMotion's reach.
    Eigen::Vector3d center_b = Eigen::Vector3d::Zero();
    double radius_a = 0.0;
    double radius_b = 0.0;
    double margin = 0.0;                          ///< [m] The greatest margin of the pairs.
    std::vector<std::pair<int, int>> links = {};  ///< That carry the colliders of each pair.
  };
  const SearchProblem* problem_;
  std::vector<Pair> pairs_;
  std::vector<int> resting_;
  std::vector<Bodies> bodies_;
  std::vector<int> bodies_of_chain_;
  std::unordered_map<int, int> known_;  ///< Pair to index, see find().

  void cover_bodies();
  void open_parts(const Bodies& bodies, EdgeState& edge, std::vector<std::pair<double, double>>& open) const;
};

}  // namespace planner_ccd
