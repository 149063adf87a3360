#include "planner_ccd/papers/c2a_hca/dynamic_bvh.hpp"

#include <algorithm>
#include <limits>

namespace planner_ccd {
namespace {

std::uint64_t key(int a, int b) { return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b); }

/// (1) for one piece. The box's corners as given are the model; centre and half sizes are rounded outwards.
Eigen::AlignedBox3d swept(const TaylorTransform& X, const Eigen::AlignedBox3d& bounds, double pad) {
  const Eigen::Vector3d c = 0.5 * (bounds.min() + bounds.max());
  const IntervalVector middle = box(X * c);
  Eigen::AlignedBox3d out;
  for (int i = 0; i < 3; ++i) {
    double half = 0.0;
    for (int j = 0; j < 3; ++j) {
      const double h = std::max(sub_up(bounds.max()[j], c[j]), sub_up(c[j], bounds.min()[j]));
      // An entry of a rotation matrix is never above 1, whatever the model says.
      half += h * std::min(1.0, X.R.column[j][i].bound().mag());
    }
    half = inflate(half + pad);
    out.min()[i] = sub_down(middle[i].lo, half);
    out.max()[i] = add_up(middle[i].hi, half);
  }
  return out;
}

}  // namespace

DynamicBvh::DynamicBvh(const SearchProblem& problem) {
  for (std::size_t i = 0; i < problem.pairs.size(); ++i) {
    const SearchPair& pair = problem.pairs[i];
    const PairChain& chain = problem.chains[pair.chain];
    const int a = add_item(pair.tree_a, chain.body_a, pair.margin);
    const int b = add_item(&*pair.tree_b, chain.body_b, pair.margin);
    pair_of_.emplace(key(a, b), static_cast<int>(i));
  }
  const std::size_t n = items_.size();
  boxes_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (items_[i].body != 0) {
      moving_.push_back(static_cast<int>(i));
      continue;
    }
    fixed_.push_back(static_cast<int>(i));
    boxes_[i] = items_[i].tree->bounds();
  }
  std::vector<int> order = fixed_;
  if (!order.empty()) build(fixed_tree_, order, 0, static_cast<int>(order.size()));
}

int DynamicBvh::add_item(const SsvTree* tree, int body, double margin) {
  const auto [at, fresh] = item_of_.emplace(tree, static_cast<int>(items_.size()));
  if (fresh) items_.push_back({tree, body});
  items_[at->second].margin = std::max(items_[at->second].margin, margin);
  return at->second;
}

void DynamicBvh::sweep(const EdgeMotion& motion, const std::vector<TimeDomain>& pieces, int order, double pad) {
  for (const int i : moving_) boxes_[i].setEmpty();
  for (const TimeDomain& piece : pieces) {
    world_poses(motion, piece, order, poses_);
    for (const int i : moving_) {
      const Item& item = items_[i];
      boxes_[i].extend(swept(poses_[item.body], item.tree->bounds(), item.margin + pad));
    }
  }
}

/// Top-down, halving the items along the longest side of their centres' box.
int DynamicBvh::build(Tree& tree, std::vector<int>& items, int begin, int end) const {
  const int at = static_cast<int>(tree.size());
  tree.emplace_back();
  Eigen::AlignedBox3d all, centers;
  for (int i = begin; i < end; ++i) {
    all.extend(boxes_[items[i]]);
    centers.extend(boxes_[items[i]].center());
  }
  if (end - begin == 1) {
    tree[at] = {all, items[begin], -1};
    return at;
  }
  int axis = 0;
  centers.sizes().maxCoeff(&axis);
  const int middle = (begin + end) / 2;
  std::sort(items.begin() + begin, items.begin() + end, [&](int a, int b) {
    const double ca = boxes_[a].center()[axis], cb = boxes_[b].center()[axis];
    return ca != cb ? ca < cb : a < b;
  });
  const int left = build(tree, items, begin, middle);
  const int right = build(tree, items, middle, end);
  tree[at] = {all, left, right};
  return at;
}

void DynamicBvh::hit(int a, int b) {
  for (const std::uint64_t k : {key(a, b), key(b, a)}) {
    const auto at = pair_of_.find(k);
    if (at != pair_of_.end()) found_.push_back(at->second);
  }
}

void DynamicBvh::meet(const Tree& a, int i, const Tree& b, int j) {
  const Node& x = a[i];
  const Node& y = b[j];
  // Written so that a box with an end that is not a number meets everything.
  if ((x.box.min().array() > y.box.max().array()).any() || (y.box.min().array() > x.box.max().array()).any()) return;
  const bool leaf_x = x.right < 0, leaf_y = y.right < 0;
  if (leaf_x && leaf_y) {
    if (x.left != y.left) hit(x.left, y.left);
    return;
  }
  if (leaf_y || (!leaf_x && x.box.sizes().sum() >= y.box.sizes().sum())) {
    meet(a, x.left, b, j);
    meet(a, x.right, b, j);
  } else {
    meet(a, i, b, y.left);
    meet(a, i, b, y.right);
  }
}

const std::vector<int>& DynamicBvh::candidates(const EdgeMotion& motion, const std::vector<TimeDomain>& pieces,
                                               int order, double position_pad) {
  found_.clear();
  if (moving_.empty()) return found_;
  sweep(motion, pieces, order, position_pad);
  moving_tree_.clear();
  std::vector<int> items = moving_;
  build(moving_tree_, items, 0, static_cast<int>(items.size()));
  if (!fixed_tree_.empty()) meet(moving_tree_, 0, fixed_tree_, 0);
  meet(moving_tree_, 0, moving_tree_, 0);
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

}  // namespace planner_ccd
