#pragma once

#include <string>

#include "planner_ccd/certificate/detail/stated_motion.hpp"
#include "planner_ccd/certificate/detail/volume_tree.hpp"

namespace planner_ccd {

/// Looks for the tree of splits of one pair in one segment, and writes it.
class PairProver {
 public:
  PairProver(StatedKinematics& kinematics, ByteWriter& out) : kinematics_(kinematics), out_(out) {}

  /// Empty, or why there is no proof. `kinematics` must have been set to the segment and the bodies.
  std::string prove(VolumeTree& a, VolumeTree& b, double margin, std::int64_t max_steps);

  std::int64_t leaves = 0, splits = 0;

 private:
  struct Task {
    int a, b;
    std::uint64_t t0, t1;
  };
  enum class Step { Leaf, FineLeaf, Time, Space, None };
  /// What eq. (2) leaves along a direction, in metres: in the middle of the interval, at its ends, and at the ends of its half.
  struct Gaps {
    double middle, ends, half_way;
  };

  StatedKinematics& kinematics_;
  ByteWriter& out_;
  VolumeTree *a_ = nullptr, *b_ = nullptr;
  double margin_ = 0.0;

  Step step(const Task& task, Eigen::Vector3d& direction) const;
  Eigen::Vector3d direction(const Task& task, const StatedRelative& r) const;
  Gaps gaps(const Task& task, const StatedRelative& r, const Eigen::Vector3d& n) const;
  bool opens_a(const Task& task) const;
};

}  // namespace planner_ccd
