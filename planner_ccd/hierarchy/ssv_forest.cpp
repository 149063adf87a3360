#include "planner_ccd/hierarchy/ssv_forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace planner_ccd {
namespace {

/// The box as a rectangle half way along its shortest side, swept by half of that side: contains the box, because every
/// point of the box is at most that far from the rectangle.
Ssv box_volume(const Eigen::AlignedBox3d& box) {
  const Eigen::Vector3d size = box.sizes();
  int flat = 0;
  size.minCoeff(&flat);
  const int i = (flat + 1) % 3;
  const int j = (flat + 2) % 3;
  Ssv v;
  v.type = SsvType::Rectangle;
  v.origin = box.min();
  v.origin[flat] = 0.5 * (box.min()[flat] + box.max()[flat]);
  v.edge0[i] = size[i];
  v.edge1[j] = size[j];
  // Every coordinate of the generator carries at most two roundings relative to the largest coordinate.
  const double magnitude = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).maxCoeff();
  v.radius = 0.5 * size[flat] + 8.0 * std::numeric_limits<double>::epsilon() * (magnitude + size.maxCoeff());
  return v;
}

}  // namespace

SsvForest::SsvForest(std::vector<const SsvTree*> trees) : trees_(std::move(trees)) {
  if (trees_.size() < 2) return;
  std::vector<int> order(trees_.size());
  std::iota(order.begin(), order.end(), 0);
  top_.reserve(trees_.size() - 1);
  build(order, 0, static_cast<int>(order.size()));
}

ForestNode SsvForest::build(std::vector<int>& order, int begin, int end) {
  if (end - begin == 1) return {order[begin], 0};
  const auto at = static_cast<std::int32_t>(top_.size());
  top_.emplace_back();
  Eigen::AlignedBox3d box;
  for (int i = begin; i < end; ++i) box.extend(trees_[order[i]]->bounds());

  // Split where the two boxes' surface areas, weighted by their numbers of trees, add up to least, over all three axes.
  double best_cost = std::numeric_limits<double>::infinity();
  std::vector<int> best;
  int best_split = begin;
  std::vector<double> area_from_left(end - begin);
  const auto area = [](const Eigen::AlignedBox3d& b) {
    const Eigen::Vector3d s = b.sizes();
    return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
  };
  for (int axis = 0; axis < 3; ++axis) {
    std::sort(order.begin() + begin, order.begin() + end, [&](int a, int b) {
      const double ca = trees_[a]->bounds().center()[axis];
      const double cb = trees_[b]->bounds().center()[axis];
      return ca < cb || (ca == cb && a < b);
    });
    Eigen::AlignedBox3d grow;
    for (int i = begin; i < end; ++i) {
      grow.extend(trees_[order[i]]->bounds());
      area_from_left[i - begin] = area(grow);
    }
    grow.setEmpty();
    for (int i = end - 1; i > begin; --i) {
      grow.extend(trees_[order[i]]->bounds());
      const double cost = area_from_left[i - 1 - begin] * (i - begin) + area(grow) * (end - i);
      if (cost < best_cost) {
        best_cost = cost;
        best_split = i;
        best.assign(order.begin() + begin, order.begin() + end);
      }
    }
  }
  std::copy(best.begin(), best.end(), order.begin() + begin);
  const ForestNode left = build(order, begin, best_split);
  const ForestNode right = build(order, best_split, end);
  top_[at] = {left, right, box_volume(box), box.sizes().maxCoeff()};
  return {ForestNode::kTop, at};
}

}  // namespace planner_ccd
