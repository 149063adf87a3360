#include "planner_ccd/papers/broad_phase/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace planner_ccd {

BoxTree::BoxTree(std::vector<Eigen::AlignedBox3d> boxes) : BoxIndex(std::move(boxes)) {
  if (boxes_.empty()) return;
  std::vector<int> order(boxes_.size());
  std::iota(order.begin(), order.end(), 0);
  nodes_.reserve(2 * boxes_.size());
  build(order, 0, static_cast<int>(order.size()));
}

/// Splits at the median of the centres along the longest side of their box: depth log2(n), whatever the input.
void BoxTree::build(std::vector<int>& order, int begin, int end) {
  const std::size_t at = nodes_.size();
  nodes_.push_back({{}, 0, -1});
  Eigen::AlignedBox3d box, centres;
  for (int i = begin; i < end; ++i) {
    box.extend(boxes_[order[i]]);
    centres.extend(boxes_[order[i]].center());
  }
  if (end - begin == 1) {
    nodes_[at].index = order[begin];
  } else {
    int axis = 0;
    centres.sizes().maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](int a, int b) {
      const double ca = boxes_[a].center()[axis];
      const double cb = boxes_[b].center()[axis];
      return ca < cb || (ca == cb && a < b);
    });
    build(order, begin, middle);
    build(order, middle, end);
  }
  nodes_[at].box = box;
  nodes_[at].skip = static_cast<int>(nodes_.size());
}

void BoxTree::meet(const Eigen::AlignedBox3d& query, std::unique_ptr<Trace>&, std::vector<int>& out) const {
  const std::size_t begin = out.size();
  const int end = static_cast<int>(nodes_.size());
  for (int i = 0; i < end;) {
    const Node& node = nodes_[i];
    const bool meets =
        (query.min().array() <= node.box.max().array()).all() && (node.box.min().array() <= query.max().array()).all();
    if (meets && node.index >= 0) out.push_back(node.index);
    i = meets ? i + 1 : node.skip;
  }
  std::sort(out.begin() + begin, out.end());
}

}  // namespace planner_ccd
