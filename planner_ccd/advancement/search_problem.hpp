#pragma once

#include <vector>

#include "planner_ccd/advancement/query_counters.hpp"
#include "planner_ccd/advancement/search_pairs.hpp"
#include "planner_ccd/math/verdict.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

class LeafKernel;

/// All pairs of one robot and scene. Immutable while queries run.
struct SearchProblem {
  MoveChain moves;
  std::vector<PairChain> chains;    ///< Distinct body pairs.
  std::vector<double> chain_reach;  ///< [m] By chain: the greatest lever() of A's trees.
  SearchPairs pairs;
  double extent =
      0.0;  ///< [m] Every point of every tree lies within it of its frame's origin, and so do the offsets by which it was placed.

  explicit SearchProblem(const RobotModel& robot) : moves(robot) {}
};

/// A pair and a part of [0, 1] on which it is not known to be apart. A broad phase turns a problem into candidates;
/// what no candidate covers, it has proved apart by more than the margin.
struct Candidate {
  int pair;
  double t0, t1;
};

/// A cheap probe that is likely to show a contact: the pair's boxes meet at t.
struct Probe {
  int pair;
  double t;
};

struct SearchLimits {
  double tolerance;  ///< [m]
  std::int64_t max_evaluations;
  const LeafKernel* leaf = nullptr;  ///< For solve_leaf(); null: the default.
};

/// Where two primitives were found within margin + tolerance of each other.
struct SearchContact {
  int pair = -1;
  int primitive_a = -1;
  int primitive_b = -1;
  double t = 0.0;
  double distance = 0.0;  ///< [m] Upper bound of their distance at t.
  double nearer =
      0.0;  ///< [m] By which the tube may bring them nearer; the distance is within margin + this + tolerance.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< In B's frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from A towards B, in B's frame.
};

struct SearchResult {
  Verdict verdict = Verdict::Undecided;
  double t_free = 0.0;    ///< Proved free on [0, t_free); 1, and all of [0, 1], when Free.
  SearchContact contact;  ///< When Contact. When Undecided only `pair`: an open pair, or -1.
  QueryCounters counters;
};

}  // namespace planner_ccd
