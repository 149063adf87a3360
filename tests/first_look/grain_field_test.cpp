#include "planner_ccd/scene/grain_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/first_look/first_look.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "support/oracle.hpp"
#include "support/random_robot.hpp"
#include "support/scenarios.hpp"

/// Clearances of clouds, maps and height fields are never larger than what brute force finds in extended precision, and
/// not much smaller; what passes a grain nearer than it must is left open by the look.
namespace planner_ccd {
namespace {

using look::Until;
using testing::Draw;
using truth::Real;
using truth::Vec;

constexpr unsigned kSeed = 6113;

enum class Kind { Cloud, Cells, Columns };

Shape draw_grains(Draw& draw, Kind kind) {
  if (kind == Kind::Cloud) {
    std::vector<Eigen::Vector3d> points;
    for (int blob = draw.integer(1, 4); blob > 0; --blob) {
      const Eigen::Vector3d middle = draw.vector(1.0);
      const double size = std::exp(draw.uniform(-6.0, 0.0));
      for (int i = draw.integer(1, 200); i > 0; --i) points.push_back(middle + draw.vector(size));
    }
    return std::make_shared<const PointCloud>(std::span<const Eigen::Vector3d>(points), draw.uniform(1e-3, 0.05),
                                              "cloud");
  }
  if (kind == Kind::Cells) {
    std::vector<OctreeCell> cells;
    const auto key = [&](int level) {
      return static_cast<std::uint16_t>((CellMap::kMiddle + draw.integer(-60, 60)) >> level << level);
    };
    for (int i = draw.integer(1, 200); i > 0; --i) {
      const int level = draw.integer(0, 9) == 0 ? draw.integer(1, 4) : 0;
      cells.push_back({{key(level), key(level), key(level)}, static_cast<std::uint8_t>(level), false});
    }
    return std::make_shared<const CellMap>(std::move(cells), std::exp(draw.uniform(-4.6, -2.3)), "map");
  }
  const int rows = draw.integer(2, 12), columns = draw.integer(2, 12);
  std::vector<double> heights(static_cast<std::size_t>(rows * columns));
  for (double& h : heights) h = draw.uniform(0.0, 0.3);
  const HeightFieldOptions options{.pixel = draw.uniform(0.01, 0.1), .floor = -0.5};
  return std::make_shared<const CellMap>(
      make_height_field(heights, static_cast<std::size_t>(columns), options, "field"), "field");
}

/// [m] From a point to the nearest point of a cloud, or to the nearest cell.
Real true_distance(const PrimitiveSoup& soup, const Vec& p) {
  Real least = 1e30L;
  for (int i = 0; i < soup.count(); ++i) {
    const Primitive grain = soup.grains[i];
    const Vec d = p - truth::from(grain.corners[0]);
    if (grain.kind != PrimitiveKind::Cube) {
      least = std::min(least, norm(d));
      continue;
    }
    const std::array<Eigen::Vector3d, 3> half = half_edges(grain);
    Real square = 0;
    for (const Eigen::Vector3d& h : half) {
      const Vec axis = truth::from(h);
      const Real length = norm(axis), beyond = std::abs(dot(d, axis)) / length - length;
      if (beyond > 0) square += beyond * beyond;
    }
    least = std::min(least, std::max<Real>(0, std::sqrt(square) - static_cast<Real>(grain.radius)));
  }
  return least;
}

/// [m] As Field describes it.
double bound_at(const look::Field& field, const Eigen::Vector3d& p) {
  std::size_t cube[3];
  for (int k = 0; k < 3; ++k) {
    const double along = std::floor((p[k] - field.lower[k]) * static_cast<double>(field.per_metre));
    cube[k] = static_cast<std::size_t>(std::clamp(along, 0.0, static_cast<double>(field.last[k])));
  }
  const auto bricks_x = static_cast<std::size_t>(field.bricks[0]), bricks_y = static_cast<std::size_t>(field.bricks[1]);
  const std::size_t brick = (cube[2] / 4 * bricks_y + cube[1] / 4) * bricks_x + cube[0] / 4;
  const std::size_t at = brick * 64 + (cube[2] % 4 * 4 + cube[1] % 4) * 4 + cube[0] % 4;
  return (field.bounds[at / 4] >> (at % 4 * 8) & 0xFFu) * static_cast<double>(field.unit);
}

TEST(GrainField, BoundsTheDistanceFromBelowAndClosely) {
  Draw draw(testing::seeded(kSeed));
  for (const Kind kind : {Kind::Cloud, Kind::Cells, Kind::Columns}) {
    double lost = 0.0;  // cubes, in all
    long points = 0, beyond = 0;
    for (int i = 0; i < testing::scaled(60, 10) && !HasFailure(); ++i) {
      Geometry g;
      g.shape = draw_grains(draw, kind);
      g.pose = draw.pose(2.0);
      const bool turned = draw.integer(0, 1) == 0;
      if (!turned) g.pose.linear().setIdentity();
      const SsvTree tree = SsvTree::build({g}, "grains");
      const RoundVolume box = box_of_grains(tree).volumes.front();
      const look::Field field = field_of_grains(tree);
      const double edge = 1.0 / static_cast<double>(field.per_metre);
      // A turned cell occupies the cubes of the box about it; the pieces of a column are as long as a cube.
      double coarse = 2.0 * std::sqrt(3.0) * edge;
      if (kind != Kind::Cloud && turned) {
        double widest = 0.0;
        for (int k = 0; k < tree.primitive_count(); ++k) {
          const std::array<Eigen::Vector3d, 3> half = half_edges(tree.primitive(k));
          widest = std::max(widest, kind == Kind::Cells ? half[0].norm() : half[1].norm() + edge);
        }
        coarse += 3.0 * widest;
      }
      for (int k = 0; k < 60; ++k) {
        const Eigen::Vector3d p = (box.center + box.half.cwiseProduct(draw.vector(1.0).cast<float>())).cast<double>();
        const auto truly = static_cast<double>(true_distance(tree.soup(), truth::from(p)));
        const double bound = bound_at(field, p), size = box.center.norm() + box.half.norm();
        ASSERT_LE(bound, truly + 16.0 * 0x1p-24 * size) << "body " << i << ", kind " << static_cast<int>(kind);
        const double most = 24.0 * edge;
        if (bound >= most - 2.0 * field.unit) {
          ++beyond;
          continue;
        }
        ASSERT_GE(bound, truly - coarse - 1.01 * field.unit) << "body " << i << ", kind " << static_cast<int>(kind);
        lost += (truly - bound) / edge;
        ++points;
      }
    }
    std::printf("  %ld points: %.2f cubes are lost on average; %ld more beyond the farthest bound\n", points,
                lost / static_cast<double>(points), beyond);
    EXPECT_GT(points, beyond / 4);
    if (kind == Kind::Cloud) {
      EXPECT_LT(lost / static_cast<double>(points), 1.8);
    }
  }
}

RobotSpec slider(double radius) {
  Geometry ball;
  ball.shape = Sphere{radius};
  RobotSpec spec;
  spec.name = "slides";
  spec.links = {{"base", {}, {}}, {"ball", {ball}, {}}};
  JointSpec j;
  j.name = "joint";
  j.type = JointType::Prismatic;
  j.parent = "base";
  j.child = "ball";
  j.axis = Eigen::Vector3d::UnitX();
  j.lower = -20.0;
  j.upper = 20.0;
  spec.joints = {j};
  return spec;
}

/// A ball slides past grains along the x axis. One grain, in front of the others, is met at one time, between instants or at one, with the
/// bodies 1e-7 m within each other; farther away by what the grid may lose, it is proved not to be.
TEST(GrainField, LeavesOpenWhatMeetsAGrain) {
  Draw draw(testing::seeded(kSeed + 1));
  int trials = 0, proved = 0;
  for (int i = 0; i < testing::scaled(150, 30); ++i) {
    const bool cells = draw.integer(0, 1) == 0;
    const double radius = draw.uniform(0.02, 0.1), way = draw.uniform(0.1, 6.0), resolution = 0.02;
    const double grain = cells ? 0.0 : draw.uniform(1e-3, 0.02);
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + (draw.integer(0, 2) == 0 ? 0.0 : draw.uniform(0.0, 1.0))) / look::kPieces;
    Shape shape;
    Eigen::Vector3d met;  // of the grain: the point that is nearest to the ball
    if (cells) {
      std::vector<OctreeCell> all{{{CellMap::kMiddle, CellMap::kMiddle, CellMap::kMiddle}, 0, false}};
      for (int k = draw.integer(0, 100); k > 0; --k) {
        const auto key = [&](int low, int high) {
          return static_cast<std::uint16_t>(CellMap::kMiddle + draw.integer(low, high));
        };
        all.push_back({{key(-40, 40), key(1, 60), key(-40, 40)}, 0, false});
      }
      shape = std::make_shared<const CellMap>(std::move(all), resolution, "map");
      met = {draw.uniform(0.0, resolution), 0.0, draw.uniform(0.0, resolution)};
    } else {
      std::vector<Eigen::Vector3d> all{Eigen::Vector3d::Zero()};
      const double size = draw.integer(0, 1) == 0 ? 1.0 : 0.1;  // small ones have small cubes
      for (int k = draw.integer(0, 300); k > 0; --k) {
        all.emplace_back(size * draw.uniform(-1.0, 1.0), size * draw.uniform(0.05, 1.0),
                         size * draw.uniform(-1.0, 1.0));
      }
      shape = std::make_shared<const PointCloud>(std::span<const Eigen::Vector3d>(all), grain, "cloud");
      met = Eigen::Vector3d::Zero();
    }
    const RobotModel robot(slider(radius));
    for (const bool meets : {true, false}) {
      SceneObject object{"grains", {{shape, Pose::Identity(), "grains"}}, Pose::Identity()};
      object.pose.translation() = -met;
      object.pose.translation().y() = radius + grain + (meets ? -1e-7 : 0.1);
      Scene scene;
      scene.objects.push_back(object);
      const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
      const FirstLook first(world);
      EdgeMotion motion(robot);
      motion.set_linear(Eigen::VectorXd::Constant(1, -t * way), Eigen::VectorXd::Constant(1, (1.0 - t) * way),
                        AnglePolicy::Literal);
      FirstLook::Scratch scratch, other;
      ASSERT_TRUE(first.look(motion, Until::End, scratch));
      ASSERT_TRUE(first.look_one_by_one(motion, Until::End, other));
      EXPECT_EQ(scratch.findings.opened, other.findings.opened);
      const bool open = (scratch.findings.open(0) >> piece & 1u) != 0;
      if (meets) {
        ++trials;
        EXPECT_TRUE(open) << "trial " << i << (cells ? ", cells" : ", points") << ", way " << way << ", t " << t;
      } else {
        proved += !open;
      }
    }
  }
  std::printf("  %d trials, %d proved when not met\n", trials, proved);
  EXPECT_GT(proved, trials * 8 / 10);
}

/// A ball at rest that just touches the nearest point of a cloud, within the grid's box or beside it.
TEST(GrainField, LeavesOpenWhatTouchesAtRest) {
  Draw draw(testing::seeded(kSeed + 2));
  int trials = 0;
  for (int i = 0; i < testing::scaled(400, 150); ++i) {
    const Shape shape = draw_grains(draw, Kind::Cloud);
    const PointCloud& cloud = *std::get<CloudPtr>(shape);
    Eigen::AlignedBox3d box;
    for (int k = 0; k < cloud.size(); ++k) box.extend(cloud.point(k));
    const Eigen::Vector3d p = box.center() + 0.8 * (box.sizes().array() + 0.05).matrix().cwiseProduct(draw.vector(1.0));
    double nearest = 1e30;
    for (int k = 0; k < cloud.size(); ++k) nearest = std::min(nearest, (cloud.point(k) - p).norm());
    const double radius = nearest - cloud.ball_radius() + 1e-7;
    if (radius < 0.005) continue;
    ++trials;
    SceneObject object{"grains", {{shape, Pose::Identity(), "grains"}}, Pose::Identity()};
    object.pose.translation() = -p;
    Scene scene;
    scene.objects.push_back(object);
    const RobotModel robot(slider(radius));
    const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
    const FirstLook first(world);
    EdgeMotion motion(robot);
    motion.set_linear(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1), AnglePolicy::Literal);
    FirstLook::Scratch scratch, other;
    ASSERT_TRUE(first.look(motion, Until::End, scratch));
    ASSERT_TRUE(first.look_one_by_one(motion, Until::End, other));
    EXPECT_EQ(scratch.findings.opened, other.findings.opened);
    EXPECT_EQ(scratch.findings.open(0), look::kAllPieces) << "trial " << i << ", radius " << radius;
  }
  EXPECT_GT(trials, 50);
}

}  // namespace
}  // namespace planner_ccd
