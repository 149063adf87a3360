#include "planner_ccd/advancement/search_pairs.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <map>
#include <random>

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 21;

std::shared_ptr<const SsvTree> ball() {
  const Geometry sphere{Sphere{1.0}, Eigen::Isometry3d::Identity(), "ball"};
  return std::make_shared<const SsvTree>(SsvTree::build({sphere}, "ball"));
}

/// Compared with an explicit list of all pairs.
TEST(SearchPairs, AreThoseOfTheListWrittenOut) {
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int excluded = 0, with_margin = 0;
  for (int round = 0; round < 200; ++round) {
    std::deque<DeferredTree> trees;
    std::vector<TreeRef> resting;
    const int count = draw(12);
    for (int i = 0; i < count; ++i) resting.emplace_back(trees.emplace_back(ball()));
    const std::shared_ptr<const SsvTree> mover = ball();
    SearchPairs pairs;
    pairs.rest(resting);
    struct Written {
      int row, resting, chain;
      double margin;
    };
    std::vector<Written> list;
    const int rows = draw(5);
    for (int r = 0; r < rows; ++r) {
      RestingRow row{mover.get(), 10 + r, 0.5, {}, {}};
      for (int i = 0; i < count; ++i) {
        const bool out = draw(4) == 0, own = draw(4) == 0;
        const double margin = own ? 1.0 + i : 0.5;
        if (own) row.margins.emplace_back(i, margin);
        if (out) row.excluded.push_back(i);
        if (!out) list.push_back({r, i, 10 + r, margin});
        excluded += out ? 1 : 0;
        with_margin += own && !out ? 1 : 0;
      }
      pairs.add(std::move(row));
    }
    ASSERT_EQ(pairs.resting_pairs(), list.size());
    const SearchPair moving{mover.get(), TreeRef(trees.emplace_back(ball())), 99, 0.25};
    pairs.add(moving);
    ASSERT_EQ(pairs.size(), list.size() + 1);
    EXPECT_EQ(&*pairs[list.size()].tree_b, &*moving.tree_b);
    EXPECT_EQ(pairs[list.size()].chain, 99);
    std::map<std::pair<int, int>, int> numbers;
    for (std::size_t p = 0; p < list.size(); ++p) {
      const Written& w = list[p];
      const SearchPair pair = pairs[p];
      ASSERT_EQ(pairs.place(p), std::pair(w.row, w.resting));
      ASSERT_EQ(pair.margin, w.margin);
      ASSERT_EQ(pair.chain, w.chain);
      ASSERT_EQ(&*pair.tree_b, &*resting[static_cast<std::size_t>(w.resting)]);
      numbers[{w.row, w.resting}] = static_cast<int>(p);
    }
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < count; ++i) {
        const auto found = numbers.find({r, i});
        ASSERT_EQ(pairs.find(r, i), found == numbers.end() ? -1 : found->second);
      }
    }
  }
  EXPECT_GT(excluded, 300);
  EXPECT_GT(with_margin, 300);
}

}  // namespace
}  // namespace planner_ccd
