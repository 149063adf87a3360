#include "planner_ccd/scene/obstacle_tree.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace planner_ccd {
namespace {

constexpr int kWidth = look::Boxes::kCount;

float middle(const float lower, const float upper) { return 0.5f * lower + 0.5f * upper; }

/// The number of a change; no other one has it.
std::uint64_t next_edit() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

/// What a node may hold: an obstacle, or a node with its box.
struct ObstacleTree::Entry {
  float lower[3], upper[3];
  const Obstacle* obstacle = nullptr;
  Ptr node = {};

  explicit Entry(const Obstacle& o) : obstacle(&o) {
    std::copy(o.lower(), o.lower() + 3, lower);
    std::copy(o.upper(), o.upper() + 3, upper);
  }
  /// Around all that the node holds.
  explicit Entry(Ptr of) : node(std::move(of)) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = *std::min_element(node->boxes.lower[k], node->boxes.lower[k] + node->count);
      upper[k] = *std::max_element(node->boxes.upper[k], node->boxes.upper[k] + node->count);
    }
  }
  /// Entry i of a node.
  Entry(const Node& of, int i) : obstacle(of.obstacle[i]), node(of.child[i]) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = of.boxes.lower[k][i];
      upper[k] = of.boxes.upper[k][i];
    }
  }

  void put(Node& into, int i) const {
    into.boxes.set(i, lower, upper);
    into.obstacle[i] = obstacle;
    into.child[i] = node;
  }
  void append(Node& into) const { put(into, into.count++); }
  float center(int axis) const { return middle(lower[axis], upper[axis]); }
};

namespace {

/// The axis along which the middles are spread most.
template <typename Entry>
int longest_axis(const Entry* first, const Entry* last) {
  float greatest = -1.0f;
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] =
        std::minmax_element(first, last, [k](const Entry& x, const Entry& y) { return x.center(k) < y.center(k); });
    if (const float spread = high->center(k) - low->center(k); spread > greatest) greatest = spread, axis = k;
  }
  return axis;
}

}  // namespace

ObstacleTree::ObstacleTree(std::vector<const Obstacle*> obstacles) : size_(obstacles.size()) {
  if (obstacles.empty()) return;
  std::vector<Entry> entries;
  entries.reserve(size_);
  for (const Obstacle* o : obstacles) entries.emplace_back(*o);
  std::size_t capacity = kWidth;  // of the root
  while (capacity < size_) capacity *= kWidth;
  root_ = build(entries.data(), entries.data() + size_, capacity);
}

/// As few children as hold them all, of equal size, by halving along the longest axis. `capacity`: of the node, a power of kWidth, so that all
/// leaves are equally deep.
ObstacleTree::Ptr ObstacleTree::build(Entry* first, Entry* last, std::size_t capacity) {
  auto node = std::make_shared<Node>();
  if (capacity == kWidth) {
    for (; first != last; ++first) first->append(*node);
    return node;
  }
  node->leaf = false;
  const std::size_t below = capacity / kWidth;
  const auto divide = [&](const auto& self, Entry* from, Entry* to, std::size_t children) -> void {
    if (children == 1) return Entry(build(from, to, below)).append(*node);
    const std::size_t left = children / 2;
    Entry* const at = from + static_cast<std::size_t>(to - from) * left / children;
    const int axis = longest_axis(from, to);
    std::nth_element(from, at, to, [axis](const Entry& x, const Entry& y) { return x.center(axis) < y.center(axis); });
    self(self, from, at, left);
    self(self, at, to, children - left);
  };
  divide(divide, first, last, (static_cast<std::size_t>(last - first) + below - 1) / below);
  return node;
}

void ObstacleTree::all(std::vector<const Obstacle*>& out) const {
  const auto add = [&](const auto& self, const Node& node) -> void {
    for (int i = 0; i < node.count; ++i) {
      if (node.leaf) {
        out.push_back(node.obstacle[i]);
      } else {
        self(self, *node.child[i]);
      }
    }
  };
  if (root_ != nullptr) add(add, *root_);
}

/// Boxes of nodes grow worse with every change; a small tree is built anew from time to time, a large one keeps its nodes at least a quarter full.
ObstacleTree ObstacleTree::with(const std::vector<const Obstacle*>& gone,
                                const std::vector<const Obstacle*>& come) const {
  constexpr std::size_t kSmall = 512;
  ObstacleTree next = *this;
  next.changes_ += gone.size() + come.size();
  if (size_ > kSmall ? gone.size() + come.size() < size_ : next.changes_ <= size_ + kWidth) {
    const std::uint64_t edit = next_edit();
    for (const Obstacle* o : gone) next.erase(*o, edit);
    for (const Obstacle* o : come) next.insert(*o, edit);
    return next;
  }
  std::vector<const Obstacle*> left;
  all(left);
  std::vector<const Obstacle*> sorted = gone;
  std::sort(sorted.begin(), sorted.end());
  std::erase_if(left, [&](const Obstacle* o) { return std::binary_search(sorted.begin(), sorted.end(), o); });
  left.insert(left.end(), come.begin(), come.end());
  return ObstacleTree(std::move(left));
}

/// A node that this change may write to.
ObstacleTree::Node& ObstacleTree::own(Ptr& at, std::uint64_t edit) {
  if (at->edit != edit) {
    auto copy = std::make_shared<Node>(*at);
    copy->edit = edit;
    at = std::move(copy);
  }
  return const_cast<Node&>(*at);  // made by this change, and no other world has it yet
}

void ObstacleTree::insert(const Obstacle& obstacle, std::uint64_t edit) {
  ++size_;
  if (root_ == nullptr) {
    auto node = std::make_shared<Node>();
    node->edit = edit;
    root_ = std::move(node);
  }
  if (Ptr beside = insert(root_, Entry(obstacle), edit)) {
    auto above = std::make_shared<Node>();
    above->edit = edit;
    above->leaf = false;
    Entry(root_).append(*above);
    Entry(std::move(beside)).append(*above);
    root_ = std::move(above);
  }
}

/// Puts the entry where boxes grow least. A node that is full is halved along its longest axis: returns the other half, else null.
ObstacleTree::Ptr ObstacleTree::insert(Ptr& at, const Entry& entry, std::uint64_t edit) {
  Node& node = own(at, edit);
  Entry more = entry;
  if (!node.leaf) {
    int best = 0;
    float least_growth = 0.0f, least_size = 0.0f;
    for (int i = 0; i < node.count; ++i) {
      float growth = 0.0f, size = 0.0f;
      for (int k = 0; k < 3; ++k) {
        const float low = node.boxes.lower[k][i], high = node.boxes.upper[k][i];
        size += high - low;
        growth += std::max(high, entry.upper[k]) - std::min(low, entry.lower[k]) - (high - low);
      }
      if (i == 0 || growth < least_growth || (growth == least_growth && size < least_size)) {
        best = i;
        least_growth = growth;
        least_size = size;
      }
    }
    Ptr beside = insert(node.child[best], entry, edit);
    Entry(node.child[best]).put(node, best);
    if (beside == nullptr) return nullptr;
    more = Entry(std::move(beside));
  }
  if (node.count < kWidth) {
    more.append(node);
    return nullptr;
  }
  std::vector<Entry> entries;
  for (int i = 0; i < kWidth; ++i) entries.emplace_back(node, i);
  entries.push_back(std::move(more));
  Entry *const first = entries.data(), *const last = first + entries.size(), *const half = first + kWidth / 2;
  const int axis = longest_axis(first, last);
  std::nth_element(first, half, last,
                   [axis](const Entry& x, const Entry& y) { return x.center(axis) < y.center(axis); });
  auto other = std::make_shared<Node>();
  other->edit = node.edit;
  other->leaf = node.leaf;
  for (Entry* e = half; e != last; ++e) e->append(*other);
  Node kept;
  kept.edit = node.edit;
  kept.leaf = node.leaf;
  for (Entry* e = first; e != half; ++e) e->append(kept);
  node = std::move(kept);
  return other;
}

void ObstacleTree::erase(const Obstacle& obstacle, std::uint64_t edit) {
  std::vector<const Obstacle*> again;
  [[maybe_unused]] const bool found = root_ != nullptr && erase(root_, obstacle, edit, again);
  assert(found);
  size_ -= 1 + again.size();
  if (root_->count == 0) root_ = nullptr;
  while (root_ != nullptr && !root_->leaf && root_->count == 1) root_ = Ptr(root_->child[0]);
  for (const Obstacle* o : again) insert(*o, edit);
}

/// A leaf that has become nearly empty is given up: `again` are the obstacles to insert once more. A node with one child becomes this child,
/// so that leaves need not be equally deep.
bool ObstacleTree::erase(Ptr& at, const Obstacle& obstacle, std::uint64_t edit, std::vector<const Obstacle*>& again) {
  const auto holds = [&](const look::Boxes& boxes, int i) {
    for (int k = 0; k < 3; ++k) {
      if (boxes.lower[k][i] > obstacle.lower()[k] || boxes.upper[k][i] < obstacle.upper()[k]) return false;
    }
    return true;
  };
  for (int i = 0; i < at->count; ++i) {
    if (at->leaf ? at->obstacle[i] != &obstacle : !holds(at->boxes, i)) continue;
    if (at->leaf) {
      remove(own(at, edit), i);
      return true;
    }
    Ptr child = at->child[i];
    if (!erase(child, obstacle, edit, again)) continue;
    Node& node = own(at, edit);
    if (child->leaf && child->count < kWidth / 4) {
      again.insert(again.end(), child->obstacle, child->obstacle + child->count);
      remove(node, i);
    } else {
      if (!child->leaf && child->count == 1) child = Ptr(child->child[0]);
      if (child->count == 0) {
        remove(node, i);
      } else {
        Entry(std::move(child)).put(node, i);
      }
    }
    return true;
  }
  return false;
}

/// The last entry takes the place of entry i.
void ObstacleTree::remove(Node& node, int i) {
  const int last = --node.count;
  if (i != last) Entry(node, last).put(node, i);
  node.boxes.clear(last);
  node.child[last] = nullptr;
  node.obstacle[last] = nullptr;
}

}  // namespace planner_ccd
