#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "planner_ccd/certificate/detail/stated_motion.hpp"
#include "planner_ccd/certificate/detail/volume_tree.hpp"

namespace planner_ccd {

/// A collider, as proofs see it.
struct ProvedSide {
  int number, body;
  VolumeTree* tree;
};

/// Looks for the tree of splits of one pair in one segment, and writes it.
class PairProver {
 public:
  PairProver(StatedKinematics& kinematics, ByteWriter& out) : kinematics_(kinematics), out_(out) {}

  void set_segment(int segment);
  /// Empty, or why there is no proof.
  std::string prove(const ProvedSide& a, const ProvedSide& b, double margin, std::int64_t max_steps);

  std::int64_t leaves = 0, splits = 0;

 private:
  struct Task {
    int a, b;
    std::uint64_t t0, t1;
  };
  enum class Step { Leaf, FineLeaf, Boxes, Time, Space, None };
  /// What eq. (2) leaves along a direction, in metres: in the middle of the interval, at its ends, and at the ends of its half.
  struct Gaps {
    double middle, ends, half_way;
  };
  /// Of a point c of a body: n.x, n.x', n.x'' are at[i] + k[i].c.
  struct Along {
    std::array<Eigen::Vector3d, 3> k;
    std::array<double, 3> at;
  };
  struct Box {
    Eigen::Vector3d lo, hi;
  };

  StatedKinematics& kinematics_;
  ByteWriter& out_;
  ProvedSide a_{}, b_{};
  double margin_ = 0.0;
  std::vector<Task> open_;
  std::unordered_map<IntervalOf, Box, HashOfInterval> boxes_, boxes_at_rest_;

  Step step(const Task& task, Eigen::Vector3d& direction);
  void write_leaf(Step kind, const Eigen::Vector3d& direction);
  void split(const Task& task, Step step);
  Eigen::Vector3d direction(const Task& task, const StatedRelative& r) const;
  Gaps gaps(const Task& task, const StatedRelative& r, const Eigen::Vector3d& n) const;
  bool boxes_apart(const Task& task);
  const Box& box(const ProvedSide& side, int node, const Task& task);
  bool opens_a(const Task& task) const;
};

}  // namespace planner_ccd
