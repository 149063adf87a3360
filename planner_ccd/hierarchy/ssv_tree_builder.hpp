#pragma once

#include <vector>

#include "planner_ccd/geometry/ssv_fit.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Builds an SsvTree top-down, without recursion.
///
/// A node's axes come from the covariance of the surface below it (not of the vertices: that would follow the density
/// of the tessellation) and from its largest triangle; the volume of least measured size is kept. Its generator is
/// rounded to single precision first and its radius computed afterwards, for the generator as decoded, so that
/// containment holds by construction. Invariant: nodes_[i] encloses every primitive of its range; depth <=
/// SsvTree::kMaxDepth because from kMedianDepth on every split halves the range.
class SsvTreeBuilder {
 public:
  SsvTreeBuilder(PrimitiveSoup soup, const SsvTreeOptions& options);
  SsvTree build();

 private:
  struct Range {
    int node, begin, end, depth;
  };
  struct Item {
    Eigen::Vector3d centroid;
    double weight;  ///< Surface area.
  };
  struct Moments {
    Eigen::Vector3d mean;
    Eigen::Matrix3d axes;  ///< Principal axes, longest first.
  };

  void prepare();
  void gather(const Range& range);
  Moments moments(const Range& range) const;
  Ssv fit(const Range& range, const Moments& m);
  Eigen::Matrix3d triangle_axes(int primitive) const;
  void write_node(const Range& range, const Ssv& volume);
  int split(const Range& range, const Moments& m);
  int split_at(const Range& range, const Eigen::Vector3d& axis, double threshold);
  int split_median(const Range& range, const Eigen::Vector3d& axis);
  int split_surface_area(const Range& range, const Moments& m);
  void sort_storage();
  const Eigen::Vector3d& corner(int primitive, int k) const {
    return tree_.soup_.vertices[tree_.soup_.primitives[primitive].vertex[k]];
  }

  SsvTree tree_;
  SsvTreeOptions options_;
  std::vector<int> order_;               ///< Primitives; a node is a range of it.
  std::vector<Item> items_;              ///< Per primitive.
  std::vector<double> radius_;           ///< Per primitive.
  bool rounded_ = false;                 ///< Some primitive has a radius.
  std::vector<int> mark_;                ///< Per vertex: the last node that gathered it.
  std::vector<Eigen::Vector3d> points_;  ///< Of the current node.
  std::vector<double> point_radii_;
  std::vector<Eigen::Vector3d> local_;  ///< Centroids of the current node along its axes.
  SsvFitter fitter_;
};

}  // namespace planner_ccd
