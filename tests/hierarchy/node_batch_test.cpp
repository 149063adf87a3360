#include "planner_ccd/hierarchy/node_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "hierarchy/synthetic_meshes.hpp"
#include "support/scale.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

SsvTree tree_of(TriangleMesh mesh, double scale, const Vector3d& shift) {
  for (Vector3d& p : mesh.vertices) p = scale * p + shift;
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  return SsvTree::build({g}, "test mesh");
}

/// Picks large nodes as often as small ones.
int some_node(const SsvTree& tree, std::mt19937& random) {
  int node = 0;
  while (!tree.is_leaf(node) && random() % 4 != 0) node = random() % 2 ? tree.left(node) : tree.right(node);
  return node;
}

/// The batch against the search in double precision, which other tests check against exact distances.
TEST(NodeBatch, IsBelowTheGapInDoublePrecisionAndNearIt) {
  std::mt19937 random(77);
  std::normal_distribution<double> n;
  std::printf("seed 77\n");
  for (const double scale : {1e-6, 1.0, 1e4}) {
    const SsvTree a = tree_of(synthetic::torus_knot(40, 8), scale, 5.0 * scale * Vector3d(1, 2, 3));
    const SsvTree b = tree_of(synthetic::soup(300, 1, 2.0), 0.5 * scale, Vector3d::Zero());
    int apart = 0, tight = 0, total = 0;
    for (int round = 0; round < testing::scaled(400); ++round) {
      Isometry3d X = Isometry3d::Identity();
      X.linear() = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
      X.translation() = scale * Vector3d(n(random), n(random), n(random)) - X.linear() * a.bounding_center();
      const PairFrame frame(a, X, b, Isometry3d::Identity());
      const NodeBatch batch(a, b, frame);
      int node_a[4], node_b[4];
      for (int i = 0; i < 4; ++i) {
        node_a[i] = some_node(a, random);
        node_b[i] = some_node(b, random);
      }
      const NodeBatch::Gaps gaps = batch.gaps(node_a, node_b, static_cast<float>(0.3 * scale));
      for (int i = 0; i < 4; ++i) {
        const Ssv va = frame.place(a.volume(node_a[i])), vb = b.volume(node_b[i]);
        const double truth = ssv_gap(va, vb).gap;
        ASSERT_NEAR(gaps.n(i).norm(), 1.0, 0x1p-21);
        if (gaps.gap[i] > -1e30f) {
          ASSERT_LE(gaps.gap[i], ssv_gap_along(va, vb, gaps.n(i).normalized()) + 1e-12 * scale);
        }
        ++total;
        if (truth <= 0.0) {
          EXPECT_LE(gaps.gap[i], 0.0f);
          continue;
        }
        ++apart;
        ASSERT_LE(gaps.gap[i], truth + 1e-7 * scale);
        tight += gaps.gap[i] >= std::min(0.9 * truth, 0.3 * scale) - 2e-4 * scale;
      }
    }
    std::printf("scale %g: %d of %d apart, %d tight\n", scale, apart, total, tight);
    EXPECT_GE(apart, 0.3 * total);
    EXPECT_GE(total - apart, 0.3 * total);
    EXPECT_GE(tight, 0.95 * apart);
  }
}

/// Balls at a known distance: if they barely touch, the batch must not claim them apart.
TEST(NodeBatch, NeverSeparatesWhatTouches) {
  std::mt19937 random(5);
  std::normal_distribution<double> n;
  std::vector<Geometry> ball(1);
  ball[0].shape = Sphere{0.37};
  const SsvTree a = SsvTree::build(ball, "ball");
  for (int i = 0; i < 1000; ++i) {
    Isometry3d X = Isometry3d::Identity();
    X.linear() = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized().toRotationMatrix();
    X.translation() = 0.74 * (1.0 - 1e-9) * Vector3d(n(random), n(random), n(random)).normalized();
    const PairFrame frame(a, X, a, Isometry3d::Identity());
    const NodeBatch::Gaps gaps = NodeBatch(a, a, frame).gaps({0, 0, 0, 0}, {0, 0, 0, 0}, 0.0f);
    EXPECT_LE(gaps.gap[0], 0.0f);
    EXPECT_GE(gaps.gap[0], -1e-4f);
  }
}

}  // namespace
}  // namespace planner_ccd
