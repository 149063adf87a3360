#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "planner_ccd/first_look/body_cover.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/body_volumes.hpp"
#include "support/oracle_body.hpp"
#include "support/scenarios.hpp"
#include "support/shared_data.hpp"

/// Covers contain the bodies, cores lie within them, and points that volumes call inside are: on random shapes, our own
/// robots and those of the shared data. Judged by points of the oracle's bodies and by its solid angles.
namespace planner_ccd {
namespace {

using testing::Draw;
using truth::Real;
using truth::Vec;

constexpr unsigned kSeed = 4711;

struct Tally {
  long bodies = 0, points = 0, in_cores = 0, enclosed = 0, in_rinds = 0, with_core = 0, with_rind = 0, unjudged = 0;
};

struct Subject {
  std::vector<Geometry> geometry;
  std::string name;
  SsvTree tree;
  truth::Body truly;

  Subject(std::vector<Geometry> g, const std::string& n)
      : geometry(std::move(g)),
        name(n),
        tree(SsvTree::build(geometry, n)),
        truly(n, -1, geometry, Eigen::Isometry3d::Identity()) {}

  /// A point of a piece: a corner, on an edge or anywhere, offset by up to the piece's radius.
  Eigen::Vector3d point(Draw& draw) const {
    const truth::Piece& piece = truly.pieces[draw.integer(0, static_cast<int>(truly.pieces.size()) - 1)];
    Real w[3] = {1, 0, 0};
    const int kind = draw.integer(0, 2);
    if (kind > 0) w[1] = draw.uniform(0, 1), w[0] = 1 - w[1];
    if (kind > 1) w[2] = w[0] * draw.uniform(0, 1), w[0] -= w[2];
    const Vec p = w[0] * piece.corner[0] + w[1] * piece.corner[1] + w[2] * piece.corner[2];
    return truth::to_eigen(p) + static_cast<double>(piece.radius) * draw.direction();
  }
  /// To rounding of the point itself.
  double slack() const { return 1e-12 * (1.0 + tree.reach()); }
  /// Within a closed surface, or within a rounded piece (cylinders are inscribed prisms, whose error is allowed for).
  bool holds(const Eigen::Vector3d& p) const {
    if (truly.encloses(truth::from(p))) return true;
    Geometry tip;
    tip.shape = Sphere{1e-12};
    tip.pose.translation() = p;
    const truth::Body at("tip", -1, {tip}, Eigen::Isometry3d::Identity());
    truth::Hint hint;
    return truth::distance(at, truly, truth::Mat4{}, 1.0L, hint) <= truly.cylinder_error + static_cast<Real>(slack());
  }
};

bool in_some_ball(const BodyCover& cover, const Eigen::Vector3d& p, double slack) {
  for (const CoverBall& ball : cover.balls) {
    if ((p - ball.center.cast<double>()).norm() <= ball.radius + slack) return true;
  }
  return false;
}

/// [m] Height above the volume's surface; below 0: minus the depth.
double height(const RoundVolume& v, const Eigen::Vector3d& p) {
  const Eigen::Vector3d l = v.axes.cast<double>().transpose() * (p - v.center.cast<double>());
  const Eigen::Vector3d half = v.half.cast<double>();
  Eigen::Vector3d over = l.cwiseAbs() - half;
  if (v.cylinder) over = Eigen::Vector3d(std::hypot(l[0], l[1]) - half[0], -1e30, over[2]);
  const double most = over.maxCoeff();
  return (most > 0.0 ? over.cwiseMax(0.0).norm() : most) - v.radius;
}

Eigen::Vector3d anywhere_in(Draw& draw, const Eigen::AlignedBox3d& box) {
  return box.center() + 0.5 * box.sizes().cwiseProduct(draw.vector(1.0));
}

void judge(Draw& draw, const Subject& s, int points, Tally& tally) {
  SCOPED_TRACE(s.name);
  const BodyCover cover = cover_body(s.tree);
  const BodyVolumes volumes = volumes_of(s.tree, 8);
  ++tally.bodies;
  ASSERT_FALSE(cover.balls.empty());
  ASSERT_LE(cover.balls.size(), static_cast<std::size_t>(kCoverBalls));
  const auto in_some_volume = [&](const Eigen::Vector3d& p) {
    for (const RoundVolume& v : volumes.volumes) {
      if (height(v, p) <= 1e-6 * (1.0 + s.tree.reach())) return true;  // the axes are rounded
    }
    return false;
  };
  for (int i = 0; i < points && !::testing::Test::HasFailure(); ++i) {
    const Eigen::Vector3d p = s.point(draw);
    ++tally.points;
    EXPECT_TRUE(in_some_ball(cover, p, s.slack()));
    EXPECT_LE((p - cover.around.center.cast<double>()).norm() - cover.around.radius, s.slack());
    EXPECT_TRUE(in_some_volume(p));
  }
  for (const Eigen::Vector3f& p : cover.points) {
    EXPECT_TRUE(s.holds(p.cast<double>() + Eigen::Vector3d::Zero()) ||
                [&] {  // of the surface, to the rounding of single precision
                  Geometry tip;
                  tip.shape = Sphere{1e-12};
                  tip.pose.translation() = p.cast<double>();
                  const truth::Body at("tip", -1, {tip}, Eigen::Isometry3d::Identity());
                  truth::Hint hint;
                  return truth::distance(at, s.truly, truth::Mat4{}, 1.0L, hint) <= 2e-7L * (1.0L + s.tree.reach());
                }());
  }
  // Only a few of these: each is compared with all triangles.
  const int few = std::max(2, points / 20);
  ASSERT_LE(cover.cores.size(), static_cast<std::size_t>(kCoverCores));
  for (const CoverBall& core : cover.cores) {
    ASSERT_GT(core.radius, 0.0f);
    // Duplicated or inside-out parts cancel in the oracle's solid angles.
    if (!s.holds(core.center.cast<double>())) {
      ++tally.unjudged;
      continue;
    }
    ++tally.with_core;
    for (int i = 0; i < few && !::testing::Test::HasFailure(); ++i) {
      ++tally.in_cores;
      EXPECT_TRUE(s.holds(core.center.cast<double>() + 0.999999 * core.radius * draw.direction()))
          << "core " << core.radius;
    }
  }
  for (const RoundVolume& v : volumes.volumes) {
    if (v.rind < 0.0f) continue;
    ++tally.with_rind;
    if (!s.holds(v.center.cast<double>())) {
      ++tally.unjudged;
      continue;
    }
    for (int i = 0; i < 4 * few && !::testing::Test::HasFailure(); ++i) {
      const Eigen::Vector3d l =
          (v.half.cast<double>() + Eigen::Vector3d::Constant(v.radius)).cwiseProduct(draw.vector(1.0));
      const Eigen::Vector3d p = v.center.cast<double>() + v.axes.cast<double>() * l;
      if (height(v, p) >= -v.rind) continue;
      ++tally.in_rinds;
      EXPECT_TRUE(s.holds(p)) << "rind " << v.rind << ", depth " << -height(v, p);
    }
  }
  for (int i = 0; i < 2 * few && !::testing::Test::HasFailure(); ++i) {
    const Eigen::Vector3d p = anywhere_in(draw, s.tree.bounds());
    if (!s.truly.encloses(truth::from(p))) continue;
    ++tally.enclosed;
    EXPECT_TRUE(!cover.filled || in_some_ball(cover, p, 0.0));
    EXPECT_TRUE(!volumes.filled || in_some_volume(p));
  }
}

void judge_robot(Draw& draw, const RobotModel& robot, int points, Tally& tally) {
  for (const Link& link : robot.links()) {
    if (link.collision.empty() || ::testing::Test::HasFailure()) continue;
    judge(draw, Subject(link.collision, robot.name() + ", " + link.name), points, tally);
  }
}

void report(const char* what, const Tally& t) {
  std::printf(
      "  %s: %ld bodies, %ld points, %ld in %ld cores, %ld deep in %ld volumes, %ld enclosed, %ld cores and volumes "
      "not judged\n",
      what, t.bodies, t.points, t.in_cores, t.with_core, t.in_rinds, t.with_rind, t.enclosed, t.unjudged);
  EXPECT_LE(t.unjudged, (t.with_core + t.with_rind) / 5);
}

TEST(Covers, HoldRandomBodies) {
  Draw draw(testing::seeded(kSeed));
  Tally tally;
  for (int i = 0; i < testing::scaled(150) && !HasFailure(); ++i) {
    std::vector<Geometry> geometry;
    for (int k = draw.integer(1, 3); k > 0; --k) {
      Geometry g = testing::primitive(draw, 0.2);
      switch (draw.integer(0, 7)) {
        case 0: g = testing::blob_mesh(draw, 0.2); break;
        case 1: g = testing::plate_mesh(0.4, 0.3, 0.01); break;
        case 2: g = testing::sheet_mesh(0.3, 0.2); break;
        case 3: g = testing::needle_mesh(0.5, 0.01); break;
        case 4: g = testing::soup_mesh(draw, 20, 0.3); break;
        default: break;
      }
      g.pose = draw.pose(k > 1 ? 0.3 : 1.0);
      geometry.push_back(g);
    }
    judge(draw, Subject(std::move(geometry), "body " + std::to_string(i)), 100, tally);
  }
  report("random", tally);
  EXPECT_GT(tally.with_core, tally.bodies / 2);
  EXPECT_GT(tally.with_rind, tally.bodies / 4);
  EXPECT_GT(tally.in_rinds, tally.bodies);
}

/// Whether a flood from the faces of a box leaves out points that are in no ball. It flows through the points of a lattice and
/// through everything that may be free beside them.
bool has_hole(const std::vector<CoverBall>& balls, double half, int count) {
  const double spacing = 2.0 * half / (count - 1);
  const auto is_free = [&](const Eigen::Vector3i& c, double shrunk) {
    const Eigen::Vector3d p = spacing * c.cast<double>() - Eigen::Vector3d::Constant(half);
    return std::none_of(balls.begin(), balls.end(),
                        [&](const CoverBall& b) { return (p - b.center.cast<double>()).norm() <= b.radius - shrunk; });
  };
  std::vector<char> wet(static_cast<std::size_t>(count) * count * count, 0);
  std::vector<Eigen::Vector3i> next;
  const auto flow = [&](const Eigen::Vector3i& c) {
    if (c.minCoeff() < 0 || c.maxCoeff() >= count) return;
    char& here = wet[static_cast<std::size_t>((c[2] * count + c[1]) * count + c[0])];
    if (here != 0 || !is_free(c, spacing)) return;
    here = 1;
    next.push_back(c);
  };
  std::vector<Eigen::Vector3i> all;
  for (int i = 0; i < count * count * count; ++i) all.emplace_back(i % count, i / count % count, i / count / count);
  for (const Eigen::Vector3i& c : all) {
    if (c.minCoeff() == 0 || c.maxCoeff() == count - 1) flow(c);
  }
  while (!next.empty()) {
    const Eigen::Vector3i c = next.back();
    next.pop_back();
    for (int k = 0; k < 3; ++k) {
      for (const int step : {-1, 1}) flow(c + step * Eigen::Vector3i::Unit(k));
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wet[i] == 0 && is_free(all[i], 0.0)) return true;
  }
  return false;
}

/// Balls about the corners of a tetrahedron meet in threes from 0.577 of its edge and all together from 0.612: in between
/// they leave a hole. Balls drawn at random near these are judged by a flood.
TEST(Covers, KnowWhichBallsLeaveAHole) {
  const auto tetrahedron = [](float radius) {
    const float corner = std::sqrt(0.125f);  // edges of length 1
    std::vector<CoverBall> balls;
    for (const Eigen::Vector3i& c : {Eigen::Vector3i(1, 1, 1), Eigen::Vector3i(1, -1, -1), Eigen::Vector3i(-1, 1, -1),
                                     Eigen::Vector3i(-1, -1, 1)}) {
      balls.push_back({corner * c.cast<float>(), radius});
    }
    return balls;
  };
  EXPECT_TRUE(leaves_no_hole(tetrahedron(0.56f)));
  EXPECT_FALSE(leaves_no_hole(tetrahedron(0.59f)));
  EXPECT_TRUE(leaves_no_hole(tetrahedron(0.63f)));
  Draw draw(testing::seeded(kSeed + 3));
  int holes = 0, none = 0;
  for (int i = 0; i < testing::scaled(150, 40); ++i) {
    std::vector<CoverBall> balls = tetrahedron(0.0f);
    for (CoverBall& b : balls) {
      b.center += draw.vector(0.05).cast<float>();
      b.radius = static_cast<float>(draw.uniform(0.55, 0.64));
    }
    const bool sure = leaves_no_hole(balls);
    none += sure;
    if (!has_hole(balls, 0.35, 61)) continue;
    ++holes;
    EXPECT_FALSE(sure) << "trial " << i;
  }
  std::printf("  %d holes seen; %d times none is proved\n", holes, none);
  EXPECT_GT(holes, 3);
  EXPECT_GT(none, 10);
}

/// Triangles that are points, at places that single precision holds exactly: balls about them have no radius.
TEST(Covers, HoldPoints) {
  Draw draw(testing::seeded(kSeed + 4));
  Tally tally;
  for (int count = 1; count < 9; ++count) {
    auto mesh = std::make_shared<TriangleMesh>();
    for (int i = 0; i < count; ++i) {
      const Eigen::Vector3d p(i % 2, i / 2 % 2, i / 4);
      for (int k = 0; k < 3; ++k) mesh->vertices.push_back(p);
      mesh->triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    judge(draw, Subject({{MeshPtr(mesh), Pose::Identity(), "points"}}, std::to_string(count) + " points"), 50, tally);
  }
  EXPECT_EQ(tally.bodies, 8);
}

TEST(Covers, HoldTheLinksOfOurRobots) {
  Draw draw(testing::seeded(kSeed + 1));
  Tally tally;
  for (const char* name : {"puma", "arm7", "mannequin", "hand"}) {
    const std::string file = testing::source_dir() + "/urdf/" + std::string(name) + ".urdf";
    if (std::filesystem::exists(file)) judge_robot(draw, RobotModel(load_urdf(file).value), 200, tally);
  }
  report("own robots", tally);
  EXPECT_GT(tally.bodies, 20);
  EXPECT_GT(tally.with_core, tally.bodies / 2);
}

TEST(Covers, HoldTheLinksOfRealRobots) {
  const std::string data = testing::shared_data("robots");
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  Draw draw(testing::seeded(kSeed + 2));
  Tally tally;
  int robots = 0;
  for (const char* file : {"panda/panda_collision_only.urdf", "ur5/ur5_collision_coarse.urdf"}) {
    if (!std::filesystem::exists(data + "/robots/" + file)) continue;
    judge_robot(draw, RobotModel(load_urdf(data + "/robots/" + file).value), 300, tally);
    ++robots;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data + "/robots")) {
    if (entry.path().extension() != ".urdf" || entry.path().string().find("_parser_") != std::string::npos) continue;
    try {
      judge_robot(draw, RobotModel(load_urdf(entry.path().string()).value), 40, tally);
      ++robots;
    } catch (const InputError&) {  // files that need resources from elsewhere
    }
  }
  report("real robots", tally);
  EXPECT_GT(robots, 3);
}

}  // namespace
}  // namespace planner_ccd
