#pragma once

#include <vector>

#include "planner_ccd/geometry/ssv_fit.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Builds an SsvTree top-down, without recursion.
///
/// A node's axes come from the covariance of the surface below it (not of the vertices: that would follow the density
/// of the tessellation) and, where primitives are few, from its largest triangle; the volume of least measured size is
/// kept. Its generator is rounded to single precision first and its radius computed afterwards, for the generator as
/// decoded, so that containment holds by construction. Invariant: nodes_[i] encloses every primitive of its range;
/// depth <= SsvTree::kMaxDepth because from kMedianDepth on every split halves the range.
///
/// Axes and cut of nodes of more than kMany primitives come from an evenly spaced sample. Their volumes do not: fitted
/// to volumes some levels down instead of to vertices, they are so much looser that queries between links that are
/// always near each other visit twice as many pairs of nodes.
class SsvTreeBuilder {
 public:
  explicit SsvTreeBuilder(PrimitiveSoup soup);
  SsvTree build();

 private:
  struct Range {
    int node, begin, end, depth;
    int count() const { return end - begin; }
  };
  struct Item {
    Eigen::Vector3d centroid;
    double weight;  ///< Surface area.
    std::int32_t primitive;
    std::int32_t vertex[3];
  };
  struct Moments {
    Eigen::Vector3d mean;
    Eigen::Matrix3d axes;  ///< Principal axes, longest first.
  };

  void prepare();
  void build_from(const Range& range, std::vector<Range>& stack);
  void gather(const Range& range);
  Moments moments(const Range& range) const;
  Ssv fit(const Range& range, const Moments& m);
  Eigen::Matrix3d triangle_axes(const Item& item) const;
  void sort_storage();

  int split(const Range& range, const Moments& m);
  int split_at(const Range& range, const Eigen::Vector3d& axis, double threshold);
  int split_median(const Range& range, const Eigen::Vector3d& axis);
  int split_surface_area(const Range& range, const Moments& m);
  int split_few(const Range& range, const Moments& m);

  const Eigen::Vector3d& corner(const Item& item, int k) const { return tree_.soup_.vertices[item.vertex[k]]; }
  /// Large ranges are subsampled for their axes and their cut: every stride-th item is looked at.
  static int stride(const Range& range) { return range.count() > kMany ? range.count() / kMany : 1; }

  static constexpr int kMany = 1024;
  static constexpr int kFew = 8;  ///< Up to this many primitives the extent and the plane of each matter to the fit.

  SsvTree tree_;
  /// Primitives in a leaf at most. Two where there are more than two vertices to a primitive (triangles that share none):
  /// one would take 188 bytes each.
  int leaf_size_;
  std::vector<Item> items_;             ///< A node is a range of it.
  bool rounded_ = false;                ///< Some primitive has a radius.
  std::vector<int> mark_;               ///< Per vertex: the last node that gathered it.
  BallSet balls_;                       ///< Of the current node.
  std::vector<Eigen::Vector3d> local_;  ///< Centroids of the current node along its axes.
  SsvFitter fitter_;
};

}  // namespace planner_ccd
