// SpanBatch's certificates against the motion itself: the two volumes' supports along n, from poses alone, sampled over
// the interval that it claims proved.
#include "planner_ccd/advancement/span_batch.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "hierarchy/synthetic_meshes.hpp"
#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using testing::scaled;

SsvTree tree_of(TriangleMesh mesh, double scale, const Eigen::Vector3d& shift) {
  for (Eigen::Vector3d& p : mesh.vertices) p = scale * p + shift;
  Geometry g;
  g.shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  return SsvTree::build({g}, "test mesh");
}

int some_node(const SsvTree& tree, Draw& draw) {
  int node = 0;
  while (!tree.is_leaf(node) && draw.integer(0, 3) != 0) {
    node = draw.integer(0, 1) ? tree.left(node) : tree.right(node);
  }
  return node;
}

/// The gap along n of a volume of A, placed by X, and one of B.
double gap_along(const Ssv& a, const Eigen::Isometry3d& X, const Ssv& b, const Eigen::Vector3d& n) {
  double top = -1e300, bottom = 1e300;
  for (int j = 0; j < 4; ++j) {
    const auto corner = [j](const Ssv& s) -> Eigen::Vector3d {
      return s.origin + (j & 1 ? 1.0 : 0.0) * s.edge0 + (j & 2 ? 1.0 : 0.0) * s.edge1;
    };
    top = std::max(top, n.dot(X * corner(a)));
    bottom = std::min(bottom, n.dot(corner(b)));
  }
  return bottom - top - (a.radius + b.radius) * n.norm();
}

struct Tally {
  int apart = 0, partial = 0, lanes = 0;
  double sum = 0.0;
};

/// One random chain, motion and instant.
void check(Draw& draw, Tally& tally) {
  const RobotModel robot(draw.robot(draw.integer(1, 6)));
  EdgeMotion motion(robot);
  motion.set_linear(draw.configuration(robot, 1.5), draw.configuration(robot, 1.5), AnglePolicy::Literal);
  const int bodies = static_cast<int>(robot.bodies().size());
  const PairChain chain = pair_chain(motion.chain(), draw.integer(0, bodies - 1), draw.integer(0, bodies - 1));
  const double size = draw.uniform(0.05, 0.4);
  const SsvTree a = tree_of(synthetic::torus_knot(20, 6), size, draw.vector(0.3));
  const double t = draw.uniform(0.0, 1.0);
  Kinematics k;
  k.resize(motion.chain());
  const auto pose = [&](double at) {
    motion.kinematics(at, k);
    return k.bodies[chain.body_b].pose().inverse() * k.bodies[chain.body_a].pose();
  };
  const Eigen::Vector3d centre = pose(t) * a.bounding_center();
  const SsvTree b = tree_of(synthetic::soup(60, 1, 2.0), 0.5 * size, centre + draw.vector(1.5 * size));
  const double reach = a.bounding_center().norm() + a.bounding_radius();
  const double extent = std::max(reach, b.bounding_center().norm() + b.bounding_radius());
  const RoundingPads pads = motion.rounding_pads(extent);
  PairMotion bounds;
  bounds.set(chain, motion, reach);
  motion.kinematics(t, k);
  PairState state;
  state.set(chain, k);

  DeferredTree later_b(std::make_shared<const SsvTree>(b));
  const SearchPair pair{&a, TreeRef(later_b), 0, draw.integer(0, 1) ? 0.0 : draw.uniform(0.0, 0.05)};
  const double half_width = draw.uniform(0.01, 0.6);
  int node_a[4], node_b[4];
  for (int i = 0; i < 4; ++i) {
    node_a[i] = some_node(a, draw);
    node_b[i] = some_node(b, draw);
  }
  const SpanBatch::Spans spans = SpanBatch(pair, state, bounds, pads).evaluate(node_a, node_b, half_width);
  for (int i = 0; i < 4; ++i) {
    ++tally.lanes;
    if (!(spans.back[i] >= 0.0f && spans.forward[i] >= 0.0f)) continue;
    ++tally.apart;
    const double from = std::max({-static_cast<double>(spans.back[i]), -half_width, -t});
    const double to = std::min({static_cast<double>(spans.forward[i]), half_width, 1.0 - t});
    tally.partial += spans.back[i] < half_width || spans.forward[i] < half_width;
    tally.sum += (to - from) / (std::min(half_width, t) + std::min(half_width, 1.0 - t));
    const Eigen::Vector3d n = spans.gaps.n(i);
    for (int s = 0; s <= 24; ++s) {
      const double at = t + from + (to - from) * s / 24.0;
      const double gap = gap_along(a.volume(node_a[i]), pose(at), b.volume(node_b[i]), n);
      ASSERT_GT(gap, pair.margin - 1e-13 * extent) << "t " << t << " s " << at - t << " lane " << i;
    }
  }
}

TEST(SpanBatch, VolumesStayApartOverTheIntervalProved) {
  const unsigned seed = 4711;
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  Tally tally;
  const int draws = std::max(300, scaled(4000));
  for (int i = 0; i < draws; ++i) {
    check(draw, tally);
    if (HasFatalFailure()) FAIL() << "draw " << i;
  }
  std::printf("%d lanes, %d apart, %d of them not for all of the interval; %.2f of it on average\n", tally.lanes,
              tally.apart, tally.partial, tally.sum / tally.apart);
  EXPECT_GT(tally.apart, tally.lanes / 4);
  EXPECT_GT(tally.partial, tally.apart / 4);
  EXPECT_GT(tally.sum, 0.3 * tally.apart);
}

/// Single precision must not depend on world coordinates, only on those relative to the bodies.
TEST(SpanBatch, FarFromTheOriginNothingIsLost) {
  const TriangleMesh knot = synthetic::torus_knot(20, 6);
  RobotSpec spec;
  spec.name = "slider";
  spec.links = {{"base", {}, {}}, {"link", {}, {}}};
  JointSpec joint;
  joint.name = "joint";
  joint.type = JointType::Prismatic;
  joint.parent = "base";
  joint.child = "link";
  joint.axis = Eigen::Vector3d::UnitX();
  joint.lower = -1.0;
  joint.upper = 1.0;
  joint.origin.translation() = Eigen::Vector3d(1000.0, -2000.0, 500.0);
  spec.joints = {joint};
  const RobotModel robot(spec);
  EdgeMotion motion(robot);
  motion.set_linear(Eigen::VectorXd::Constant(1, -0.1), Eigen::VectorXd::Constant(1, 0.1), AnglePolicy::Literal);
  const PairChain chain = pair_chain(motion.chain(), 1, 0);
  const SsvTree a = tree_of(knot, 0.1, Eigen::Vector3d::Zero());
  const SsvTree b = tree_of(knot, 0.1, joint.origin.translation() + Eigen::Vector3d(0.0, 1.0, 0.0));
  PairMotion bounds;
  bounds.set(chain, motion, a.bounding_radius() + a.bounding_center().norm());
  Kinematics k;
  k.resize(motion.chain());
  motion.kinematics(0.5, k);
  PairState state;
  state.set(chain, k);
  DeferredTree later_b(std::make_shared<const SsvTree>(b));
  const SearchPair pair{&a, TreeRef(later_b), 0, 0.0};
  const int root[4] = {0, 0, 0, 0};
  const SpanBatch::Spans spans = SpanBatch(pair, state, bounds, motion.rounding_pads(3000.0)).evaluate(root, root, 0.5);
  const double truth = gap_along(a.volume(0), k.bodies[1].pose(), b.volume(0), spans.gaps.n(0));
  EXPECT_GT(truth, 0.1);
  EXPECT_NEAR(spans.gaps.gap[0], truth, 1e-4);
  EXPECT_GT(spans.forward[0], 0.5f);
}

}  // namespace
}  // namespace planner_ccd
