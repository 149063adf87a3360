#pragma once

#include <cstdint>
#include <vector>

#include "planner_ccd/geometry/ssv_fit.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Builds an SsvTree over the grains of a cloud or a map of cells. Grains are ordered along a curve on which every cube
/// of an octree is one interval (geometry/space_curve.hpp), so nothing is moved: a node is cut where the highest
/// differing bit of its positions changes, or in the middle if all are equal. Positions have 48 bits and there are
/// fewer than 2^28 grains, so no path is longer than 76.
class GrainTreeBuilder {
 public:
  explicit GrainTreeBuilder(PrimitiveSoup soup);
  SsvTree build();

 private:
  struct Range {
    int node, begin, end;
    int count() const { return end - begin; }
  };

  /// Contains some successive grains, or one end of each, apart from the radius common to all.
  struct Ball {
    Eigen::Vector3d center;
    double radius;
  };

  Ball ball(int i, int end) const;
  void prepare();
  void add_blocks();
  void write_node(const Range& range);
  void gather(const Range& range);
  Eigen::Matrix3d axes(const Range& range) const;
  int cut(const Range& range) const;

  SsvTree tree_;
  double radius_;                      ///< [m] Common to all grains.
  int ends_;                           ///< Balls a grain is held by: two at the ends of a column, whose hull holds it.
  std::vector<Eigen::Vector3d> at_;    ///< Their centres,
  std::vector<std::uint64_t> places_;  ///< and positions on the curve.
  std::vector<Ball> blocks_[2];        ///< About 8 grains each, and about 64; all ends of a block in a row.
  BallSet balls_;                      ///< Of the current node.
  SsvFitter fitter_;
};

}  // namespace planner_ccd
