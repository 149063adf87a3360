#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace planner_ccd {

struct NoSummary {
  template <class Value>
  NoSummary(const Value&, const NoSummary*, const NoSummary*) {}
};

/// A sorted map that is copied in O(1): copies share their contents, which never change; a modification makes O(log n)
/// new nodes and leaves every other copy as it is. Copies may be used by different threads.
///
/// A treap: a search tree by key, a heap by a priority derived from the key, so that its shape depends on its contents
/// alone and its expected depth is O(log n). Each node has a Summary(value, left, right) of its subtree, made of those
/// of its children, null for a missing child.
template <class Key, class Value, class Summary = NoSummary, class Hash = std::hash<Key>>
class PersistentMap {
 public:
  struct Node {
    Key key;
    Value value;
    std::uint64_t priority;
    std::size_t size;  ///< Nodes in the subtree.
    std::shared_ptr<const Node> left, right;
    [[no_unique_address]] Summary summary;

    Node(Key k, Value v, std::uint64_t p, std::shared_ptr<const Node> l, std::shared_ptr<const Node> r)
        : key(std::move(k)),
          value(std::move(v)),
          priority(p),
          size(size_of(l) + size_of(r) + 1),
          left(std::move(l)),
          right(std::move(r)),
          summary(value, left ? &left->summary : nullptr, right ? &right->summary : nullptr) {}
  };

  PersistentMap() = default;
  /// Of entries in ascending order of their keys.
  explicit PersistentMap(const std::vector<std::pair<Key, Value>>& entries) {
    std::vector<std::uint64_t> priority;
    priority.reserve(entries.size());
    for (const auto& [key, value] : entries) priority.push_back(priority_of(key));
    root_ = build(entries, priority, 0, entries.size());
  }

  const Node* root() const { return root_.get(); }  ///< Null when empty.

  std::size_t size() const { return size_of(root_); }
  bool empty() const { return root_ == nullptr; }
  std::size_t depth() const { return depth_of(root_); }  ///< Of the tree.

  /// Null for a key that is absent.
  template <class Like>
  const Value* find(const Like& key) const {
    const Node* at = root_.get();
    while (at != nullptr && at->key != key) at = key < at->key ? at->left.get() : at->right.get();
    return at == nullptr ? nullptr : &at->value;
  }

  /// How many keys are smaller.
  std::size_t rank(const Key& key) const {
    std::size_t smaller = 0;
    for (const Node* at = root_.get(); at != nullptr;) {
      const bool right = at->key < key;
      if (right) smaller += size_of(at->left) + 1;
      at = right ? at->right.get() : at->left.get();
    }
    return smaller;
  }

  /// The i-th value, i < size().
  const Value& operator[](std::size_t i) const {
    const Node* at = root_.get();
    for (std::size_t left = size_of(at->left); i != left; left = size_of(at->left)) {
      at = i < left ? at->left.get() : at->right.get();
      if (i > left) i -= left + 1;
    }
    return at->value;
  }

  /// Replaces the value of an existing key.
  void set(const Key& key, Value value) {
    if (find(key) != nullptr) {
      root_ = assign(root_, key, std::move(value));
    } else {
      root_ = insert(root_, Node(key, std::move(value), priority_of(key), nullptr, nullptr));
    }
  }

  /// Does nothing for a key that is absent.
  void erase(const Key& key) {
    if (find(key) != nullptr) root_ = without(root_, key);
  }

  /// Calls on(key, before, after) for every key whose value differs in the other map; a null pointer: absent there.
  /// Stops with false when `on` returns false. Shared subtrees are skipped: d changes of a copy cost O(d log n).
  template <class On>
  static bool compare(const PersistentMap& before, const PersistentMap& after, const On& on) {
    std::vector<Part> x, y;  // still to compare, next one last
    if (before.root_ != nullptr) x.push_back({before.root_.get(), false});
    if (after.root_ != nullptr) y.push_back({after.root_.get(), false});
    while (!x.empty() || !y.empty()) {
      if (!x.empty() && !y.empty() && x.back().node == y.back().node && x.back().alone == y.back().alone) {
        x.pop_back();
        y.pop_back();
        continue;
      }
      const bool open_x = !x.empty() && !x.back().alone, open_y = !y.empty() && !y.back().alone;
      if (open_x || open_y) {
        const bool larger = open_x && open_y && x.back().node->size < y.back().node->size;
        open(open_x && !larger ? x : y);
        continue;
      }
      const Node* a = x.empty() ? nullptr : x.back().node;
      const Node* b = y.empty() ? nullptr : y.back().node;
      const bool first = b == nullptr || (a != nullptr && a->key < b->key);
      const bool second = a == nullptr || (b != nullptr && b->key < a->key);
      if (first || second || !(a->value == b->value)) {
        if (!on(first ? a->key : b->key, second ? nullptr : &a->value, first ? nullptr : &b->value)) return false;
      }
      if (!second) x.pop_back();
      if (!first) y.pop_back();
    }
    return true;
  }

 private:
  using Ptr = std::shared_ptr<const Node>;
  Ptr root_;

  /// A subtree, or only its root.
  struct Part {
    const Node* node;
    bool alone;
  };
  static void open(std::vector<Part>& parts) {
    const Node* node = parts.back().node;
    parts.pop_back();
    if (node->right != nullptr) parts.push_back({node->right.get(), false});
    parts.push_back({node, true});
    if (node->left != nullptr) parts.push_back({node->left.get(), false});
  }

  static Ptr build(const std::vector<std::pair<Key, Value>>& entries, const std::vector<std::uint64_t>& priority,
                   std::size_t first, std::size_t last) {
    if (first == last) return nullptr;
    std::size_t top = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      if (priority[i] > priority[top]) top = i;
    }
    return std::make_shared<const Node>(entries[top].first, entries[top].second, priority[top],
                                        build(entries, priority, first, top), build(entries, priority, top + 1, last));
  }

  static std::size_t depth_of(const Ptr& node) {
    return node == nullptr ? 0 : 1 + std::max(depth_of(node->left), depth_of(node->right));
  }
  static std::size_t size_of(const Ptr& node) { return node == nullptr ? 0 : node->size; }

  /// SplitMix64's finisher over the hash, which may be the identity.
  static std::uint64_t priority_of(const Key& key) {
    std::uint64_t x = Hash()(key) + 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

  static Ptr join(const Node& top, Ptr left, Ptr right) {
    return std::make_shared<const Node>(top.key, top.value, top.priority, std::move(left), std::move(right));
  }

  static Ptr assign(const Ptr& at, const Key& key, Value value) {
    if (key < at->key) return join(*at, assign(at->left, key, std::move(value)), at->right);
    if (at->key < key) return join(*at, at->left, assign(at->right, key, std::move(value)));
    return std::make_shared<const Node>(at->key, std::move(value), at->priority, at->left, at->right);
  }

  static Ptr insert(const Ptr& at, Node fresh) {
    if (at == nullptr || fresh.priority > at->priority) {
      auto [left, right] = split(at, fresh.key);
      return join(fresh, std::move(left), std::move(right));
    }
    if (fresh.key < at->key) return join(*at, insert(at->left, std::move(fresh)), at->right);
    return join(*at, at->left, insert(at->right, std::move(fresh)));
  }

  /// Splits into the keys below `key` and those above.
  static std::pair<Ptr, Ptr> split(const Ptr& at, const Key& key) {
    if (at == nullptr) return {};
    if (at->key < key) {
      auto [left, right] = split(at->right, key);
      return {join(*at, at->left, std::move(left)), std::move(right)};
    }
    auto [left, right] = split(at->left, key);
    return {std::move(left), join(*at, std::move(right), at->right)};
  }

  static Ptr without(const Ptr& at, const Key& key) {
    if (key < at->key) return join(*at, without(at->left, key), at->right);
    if (at->key < key) return join(*at, at->left, without(at->right, key));
    return merge(at->left, at->right);
  }

  /// Requires all keys of `a` to be below those of `b`.
  static Ptr merge(const Ptr& a, const Ptr& b) {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    if (a->priority > b->priority) return join(*a, a->left, merge(a->right, b));
    return join(*b, merge(a, b->left), b->right);
  }
};

}  // namespace planner_ccd
