#include "planner_ccd/hierarchy/grain_tree_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/principal_axes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr int kBalls = 8;  ///< Most balls in a leaf: 48 bytes a node are then some 14 a point.
constexpr int kCubes = 2;  ///< Most cubes in a leaf: they take longer to evaluate.
constexpr int kFew = 16;  ///< Up to this many cubes a volume is fitted to their corners, otherwise to balls about them.
constexpr int kMany = 32;              ///< Nodes with more grains choose their axes from a sample.
constexpr int kBlock = 8;              ///< Grains in a smaller block, and smaller blocks in a larger one.
constexpr int kLarge[] = {512, 8192};  ///< Nodes of more grains are fitted to blocks.

}  // namespace

GrainTreeBuilder::GrainTreeBuilder(PrimitiveSoup soup)
    : radius_(soup.grains.common_radius()),
      ends_(soup.grains.cells() != nullptr && soup.grains.cells()->field() != nullptr ? 2 : 1) {
  tree_.soup_ = std::move(soup);
}

SsvTree GrainTreeBuilder::build() {
  prepare();
  add_blocks();
  const int count = static_cast<int>(at_.size()), most = radius_ > 0.0 ? kBalls : kCubes;
  tree_.nodes_.reserve(1 + count / 2);
  tree_.nodes_.resize(1);
  std::vector<Range> stack{{0, 0, count}};
  while (!stack.empty()) {
    const Range range = stack.back();
    stack.pop_back();
    write_node(range);
    SsvTree::Node& node = tree_.nodes_[range.node];
    if (range.count() <= most) {
      node.link = range.begin;
      node.info |= static_cast<std::uint32_t>(range.count()) << SsvTree::kCountShift;
      continue;
    }
    const int left = static_cast<int>(tree_.nodes_.size()), middle = cut(range);
    node.link = left;
    tree_.nodes_.resize(tree_.nodes_.size() + 2);
    stack.push_back({left + 1, middle, range.end});
    stack.push_back({left, range.begin, middle});
  }
  tree_.nodes_.shrink_to_fit();
  return std::move(tree_);
}

/// A column's cross-section lies in a disc of 1.4142136 half edges; the rounding of its ends is added.
GrainTreeBuilder::Ball GrainTreeBuilder::ball(int i, int end) const {
  const Vector3d& center = at_[i];
  if (radius_ > 0.0) return {center, 0.0};
  if (ends_ == 1) return {center, tree_.soup_.grains.reach(i)};
  const Primitive column = tree_.soup_.grains[i];
  const Vector3d& half = column.corners[1];
  return {center + (end == 0 ? -1.0 : 1.0) * half, 1.4143 * column.corners[2].norm() + column.radius +
                                                       8.0 * kUnitRoundoff * (center.lpNorm<1>() + half.lpNorm<1>())};
}

/// Centres, places, and the bounds of everything.
void GrainTreeBuilder::prepare() {
  const Grains& grains = tree_.soup_.grains;
  const int count = grains.count();
  at_.reserve(count);
  places_.reserve(count);
  Eigen::AlignedBox3d bounds;
  for (int i = 0; i < count; ++i) {
    at_.push_back(grains[i].corners[0]);
    places_.push_back(grains.place_on_curve(i));
    for (int end = 0; end < ends_; ++end) {
      const Ball b = ball(i, end);
      bounds.extend(Vector3d(b.center - Vector3d::Constant(b.radius + radius_)));
      bounds.extend(Vector3d(b.center + Vector3d::Constant(b.radius + radius_)));
    }
  }
  tree_.bounds_ = bounds;
  tree_.center_ = bounds.center();
  tree_.center_distance_ = tree_.center_.norm();
  double farthest = 0.0;
  for (int i = 0; i < count; ++i) {
    for (int end = 0; end < ends_; ++end) {
      const Ball b = ball(i, end);
      farthest = std::max(farthest, (b.center - tree_.center_).norm() + b.radius + radius_);
    }
  }
  tree_.bounding_radius_ = farthest * (1.0 + 8.0 * kUnitRoundoff);
}

/// Distances are rounded by less than 8 u of themselves; the stored centres are exact by definition.
void GrainTreeBuilder::add_blocks() {
  const auto fill = [this](std::vector<Ball>& out, int count, const auto& part) {
    for (int begin = 0; begin < count; begin += kBlock) {
      const int last = std::min(count, begin + kBlock);
      for (int end = 0; end < ends_; ++end) {
        Eigen::AlignedBox3d box;
        for (int i = begin; i < last; ++i) box.extend(part(i, end).center);
        Ball block{box.center(), 0.0};
        for (int i = begin; i < last; ++i) {
          const Ball& b = part(i, end);
          block.radius = std::max(block.radius, ((b.center - block.center).norm() + b.radius) * kRoundUp);
        }
        out.push_back(block);
      }
    }
  };
  fill(blocks_[0], static_cast<int>(at_.size()), [&](int i, int end) { return ball(i, end); });
  fill(blocks_[1], static_cast<int>(blocks_[0].size()) / ends_,
       [&](int i, int end) -> const Ball& { return blocks_[0][i * ends_ + end]; });
}

void GrainTreeBuilder::write_node(const Range& range) {
  gather(range);
  tree_.store(range.node, fitter_.fit(balls_, axes(range)).volume, balls_, radius_);
}

/// Centres of balls; corners of few cells, balls that hold many; for very many grains the blocks, which contain a little
/// more.
void GrainTreeBuilder::gather(const Range& range) {
  if (range.count() > kLarge[0]) {
    const int level = range.count() > kLarge[1] ? 1 : 0, size = level == 0 ? kBlock : kBlock * kBlock;
    const int first = range.begin / size, last = (range.end - 1) / size;
    balls_.clear(static_cast<std::size_t>((last - first + 1) * ends_), true);
    for (int i = first * ends_; i < (last + 1) * ends_; ++i) {
      const Ball& block = blocks_[level][i];
      balls_.add(block.center, block.radius);
    }
    return balls_.complete();
  }
  const bool corners = !(radius_ > 0.0) && range.count() <= kFew;
  balls_.clear(static_cast<std::size_t>(range.count() * (corners ? 8 : ends_)), !(radius_ > 0.0));
  for (int i = range.begin; i < range.end; ++i) {
    const Vector3d& center = at_[i];
    if (radius_ > 0.0) {
      balls_.add(center);
    } else if (!corners) {
      for (int end = 0; end < ends_; ++end) {
        const Ball b = ball(i, end);
        balls_.add(b.center, b.radius);
      }
    } else {
      const Primitive cube = tree_.soup_.grains[i];
      const std::array<Vector3d, 3> half = half_edges(cube);
      for (int k = 0; k < 8; ++k) {
        balls_.add(
            center + (k & 1 ? 1.0 : -1.0) * half[0] + (k & 2 ? 1.0 : -1.0) * half[1] + (k & 4 ? 1.0 : -1.0) * half[2],
            cube.radius + 8.0 * kUnitRoundoff * (center.lpNorm<1>() + 8.0 * cube.corners[1].lpNorm<1>()));
      }
    }
  }
  balls_.complete();
}

/// The principal axes of the centres; of columns, of their ends.
Matrix3d GrainTreeBuilder::axes(const Range& range) const {
  const int stride = range.count() > kMany ? range.count() / kMany : 1;
  const Vector3d reference = at_[range.begin];
  Vector3d mean = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  double count = 0.0;
  for (int i = range.begin; i < range.end; i += stride, count += 1.0) {
    const Vector3d p = at_[i] - reference;
    mean += p;
    second += p * p.transpose();
    if (ends_ == 1) continue;
    const Vector3d half = tree_.soup_.grains[i].corners[1];
    second += half * half.transpose();
  }
  mean /= count;
  return principal_axes(second / count - mean * mean.transpose());
}

int GrainTreeBuilder::cut(const Range& range) const {
  const auto first = places_.begin() + range.begin, last = places_.begin() + range.end;
  const std::uint64_t differ = *first ^ *(last - 1);
  if (differ == 0) return range.begin + range.count() / 2;
  const int bit = std::bit_width(differ) - 1;
  return static_cast<int>(std::lower_bound(first, last, *(last - 1) >> bit << bit) - places_.begin());
}

}  // namespace planner_ccd
