#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "query/planted.hpp"
#include "support/verdict_check.hpp"

/// Robots among clouds of points, maps of cells and height fields. No contact with a single point, cell or column, known
/// or unknown, is missed, and free verdicts agree with samples of all of them in extended precision.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;
using testing::planted::PointPath;
using testing::planted::unit;
using truth::Mat4;
using truth::Real;
using truth::Vec;

enum class Kind { Points, Occupied, Unknown, Column, UnknownColumn };

/// One point or cell in contact at one instant, among others that are metres away.
struct Planted {
  Scenario scenario;
  truth::Edge edge;
  std::string what, where;  ///< Names of the link, and of the object.
  Real at = 0;
  int number = 0;  ///< Of the point, as given; of the cell, as stored; of a column's first height.
};

/// A rotation with n as column k.
Eigen::Matrix3d frame(Draw& draw, const Eigen::Vector3d& n, int k) {
  Eigen::Matrix3d R;
  R.col(k) = n;
  const Eigen::Vector3d u = draw.direction();
  R.col((k + 1) % 3) = (u - u.dot(n) * n).normalized();
  R.col((k + 2) % 3) = R.col(k).cross(R.col((k + 1) % 3)).normalized();
  return R;
}

/// Places the ball such that a round body of `reach` at `place` is inside it by `depth`.
std::optional<SceneObject> plant_point(Draw& draw, const Vec& place, const Vec& n, Real reach, Real depth,
                                       int& number) {
  const double radius = std::exp(draw.uniform(std::log(1e-3), std::log(0.05)));
  SceneObject object{"seen", {}, draw.pose(1.0)};
  object.pose = rigid(object.pose, "pose");
  const Mat4 X = truth::from(Eigen::Isometry3d(object.pose.matrix()));
  const Vec center = place - (static_cast<Real>(radius) + reach - depth) * n;
  std::vector<Eigen::Vector3d> points;
  const int others = draw.integer(0, 200);
  number = draw.integer(0, others);
  for (int i = 0; i <= others; ++i) {
    const Vec far = center + truth::from(draw.uniform(4.0, 6.0) * draw.direction());
    points.push_back(to_eigen(truth::inverse(X) * (i == number ? center : far)));
  }
  const Vec chosen = truth::from(points[static_cast<std::size_t>(number)]);
  if (draw.integer(0, 1) == 0) {  // in single precision, as from cameras: the balls do not grow
    for (Eigen::Vector3d& p : points) p = p.cast<float>().cast<double>();
    object.pose.translation() += to_eigen(X * chosen - X * truth::from(points[static_cast<std::size_t>(number)]));
  }
  const Vec there =
      truth::from(Eigen::Isometry3d(object.pose.matrix())) * truth::from(points[static_cast<std::size_t>(number)]);
  if (norm(there - place) > static_cast<Real>(radius) + reach - depth / 2) return std::nullopt;
  object.geometry.push_back(
      {std::make_shared<const PointCloud>(std::span<const Eigen::Vector3d>(points), radius, "seen"), Pose::Identity(),
       "cloud"});
  return object;
}

/// A pose at which a face, an edge or a corner of the box from `lo` is so far from `place` that a ball of `reach` there is
/// in it by `depth`.
std::optional<Pose> pose_of_box(Draw& draw, const Vec& place, const Vec& n, Real reach, Real depth,
                                const std::array<Real, 3>& lo, const std::array<Real, 3>& edges, bool not_below) {
  // outwards: along one axis (a face), two (an edge), three (a corner)
  const int axis = draw.integer(0, 2), axes = draw.integer(1, 3);
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  Real local[3];
  for (int i = 0; i < 3; ++i) {
    const int k = (axis + i) % 3;
    if (i < axes) out[k] = draw.integer(0, 1) == 0 && !(k == 2 && not_below) ? -1.0 : 1.0;
    const Real share = i < axes ? (out[k] > 0 ? 1 : 0) : static_cast<Real>(draw.uniform(0.1, 0.9));
    local[k] = lo[static_cast<std::size_t>(k)] + share * edges[static_cast<std::size_t>(k)];
  }
  out.normalize();
  Pose pose = Pose::Identity();
  const Eigen::Vector3d along = to_eigen(n).normalized();
  Eigen::Matrix3d from_out = frame(draw, out, 0), to_n = frame(draw, along, 0);
  pose.linear() = to_n * from_out.transpose();
  const Vec touched = Vec{local[0], local[1], local[2]} + (reach - depth) * truth::from(out);
  Eigen::Isometry3d turn = Eigen::Isometry3d::Identity();
  turn.linear() = pose.linear();
  pose.translation() = to_eigen(place - truth::from(turn) * touched);
  pose = rigid(pose, "pose");
  // Whether it really is: with the pose as rounded.
  const Vec p = truth::inverse(truth::from(Eigen::Isometry3d(pose.matrix()))) * place;
  const Real at[3] = {p.x, p.y, p.z};
  Real square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Real off = std::max<Real>({lo[k] - at[k], at[k] - lo[k] - edges[k], 0});
    square += off * off;
  }
  const bool inside = square == 0;
  if (!inside && std::sqrt(square) > reach - depth / 2) return std::nullopt;
  if (inside && reach > 0 && depth < reach) return std::nullopt;
  return pose;
}

/// At one corner of a field whose other columns end metres below it: the upper metre of its column is placed.
std::optional<SceneObject> plant_column(Draw& draw, const Vec& place, const Vec& n, Real reach, Real depth,
                                        bool unknown, int& number) {
  HeightFieldOptions options;
  options.pixel = std::exp(draw.uniform(std::log(2e-3), std::log(0.1)));
  options.floor = -7.0;
  options.top = draw.uniform(0.0, 0.5);
  const int rows = draw.integer(2, 30), columns = draw.integer(2, 30);
  std::vector<double> heights(static_cast<std::size_t>(rows * columns));
  for (double& h : heights) h = draw.uniform(-6.0, -5.0);
  const int x = draw.integer(0, 1) * (columns - 2), y = draw.integer(0, 1) * (rows - 2);
  const int at_x = x > 0 ? columns - 1 : 0, at_y = y > 0 ? rows - 1 : 0;
  number = y * columns + x;
  const double height = draw.uniform(-0.5, 0.0), end = unknown ? *options.top : height;
  heights[static_cast<std::size_t>(at_y * columns + at_x)] = unknown ? std::nan("") : height;
  const Real pixel = options.pixel;
  const std::optional<Pose> pose = pose_of_box(
      draw, place, n, reach, depth, {x * pixel, y * pixel, static_cast<Real>(end) - 1}, {pixel, pixel, 1}, true);
  if (!pose) return std::nullopt;
  SceneObject object{"seen", {}, *pose};
  HeightField field = make_height_field(heights, static_cast<std::size_t>(columns), options, "seen");
  object.geometry.push_back(
      {std::make_shared<const CellMap>(std::move(field), "seen"), Pose::Identity(), "height field"});
  return object;
}

/// Places a face, an edge or a corner of the cell at that distance from `place`.
std::optional<SceneObject> plant_cell(Draw& draw, const Vec& place, const Vec& n, Real reach, Real depth, bool unknown,
                                      int& number) {
  const double resolution = std::exp(draw.uniform(std::log(2e-3), std::log(0.2)));
  OctreeCell cell;
  cell.level = static_cast<std::uint8_t>(draw.integer(0, 3));
  cell.unknown = unknown;
  for (std::uint16_t& k : cell.key) {
    k = static_cast<std::uint16_t>((CellMap::kMiddle + draw.integer(-300, 300)) >> cell.level << cell.level);
  }
  const Real edge = static_cast<Real>(resolution) * static_cast<Real>(1 << cell.level);
  const auto bounds = [&](std::size_t k) {
    return (static_cast<Real>(cell.key[k]) - 32768) * static_cast<Real>(resolution);
  };
  const std::optional<Pose> pose =
      pose_of_box(draw, place, n, reach, depth, {bounds(0), bounds(1), bounds(2)}, {edge, edge, edge}, false);
  if (!pose) return std::nullopt;
  SceneObject object{"seen", {}, *pose};
  std::vector<OctreeCell> cells{cell};
  for (int i = draw.integer(0, 100); i > 0; --i) {
    OctreeCell other;
    other.unknown = draw.integer(0, 1) == 0;
    for (std::size_t k = 0; k < 3; ++k) other.key[k] = cell.key[k];
    const int far = static_cast<int>(draw.uniform(4.0, 6.0) / resolution);
    other.key[static_cast<std::size_t>(draw.integer(0, 2))] +=
        static_cast<std::uint16_t>(draw.integer(0, 1) == 0 ? far : -far);
    cells.push_back(other);
  }
  const auto map = std::make_shared<const CellMap>(std::move(cells), resolution, "seen");
  for (number = 0; !(map->cell(number) == cell); ++number) {
  }
  object.geometry.push_back({map, Pose::Identity(), "octomap"});
  return object;
}

std::optional<Planted> plant(Draw& draw, Kind kind, bool held, double margin) {
  testing::RandomScenario what = testing::planted::of(testing::Material::Anything, true, margin);
  what.links = draw.integer(1, what.links);
  what.objects = 0;
  what.cell_evaluations = 200;
  Planted out;
  out.scenario = random_scenario(draw, what);
  Scenario& s = out.scenario;
  s.scene.padding.clear();
  s.matrix = CollisionMatrix();
  const RobotModel& robot = *s.robot;
  const truth::Oracle bare(s.spec, s.scene, s.matrix, 0.0);
  if (bare.bodies().empty() || robot.dof() == 0) return std::nullopt;
  testing::EdgeDraw edges(robot, std::exp(draw.uniform(-2.5, 2.5)));
  out.edge.q0 = edges.configuration(draw);
  out.edge.q1 = edges.beyond(draw, out.edge.q0);
  const truth::Body& body = bare.bodies()[draw.integer(0, static_cast<int>(bare.bodies().size()) - 1)];
  const int carrier = held ? draw.integer(0, static_cast<int>(robot.links().size()) - 1) : -1;
  if (held && robot.links()[carrier].body == robot.links()[body.link].body) return std::nullopt;
  const truth::Piece& piece = body.pieces[draw.integer(0, static_cast<int>(body.pieces.size()) - 1)];
  const PointPath path{bare, out.edge, body.link, carrier, testing::planted::random_point(draw, piece)};
  const int when = draw.integer(0, 9);
  out.at = when == 0 ? 0 : when == 1 ? 1 : draw.uniform(0.001, 0.999);
  const Real h = 1e-5L, middle = std::min(1 - h, std::max(h, out.at));
  const Vec before = path(middle - h), now = path(middle), after = path(middle + h);
  const Vec v = (1 / (2 * h)) * (after - before), a = (1 / (h * h)) * (after - Real(2) * now + before);
  if (norm(v) < 1e-6L) return std::nullopt;
  Vec n = truth::from(draw.direction());
  if (draw.integer(0, 3) > 0) {  // a graze: the path turns away again
    n = unit(n - dot(n, unit(v)) * unit(v));
    if (dot(n, a) < 0) n = Real(-1) * n;
  }
  const Real depth = std::exp(draw.uniform(std::log(1e-11), std::log(1e-3)));
  const Real reach = piece.radius + static_cast<Real>(s.options.margin);
  s.options.self_margin = s.options.margin;
  std::optional<SceneObject> object =
      kind == Kind::Points ? plant_point(draw, path(out.at), n, reach, depth, out.number)
      : kind == Kind::Column || kind == Kind::UnknownColumn
          ? plant_column(draw, path(out.at), n, reach, depth, kind == Kind::UnknownColumn, out.number)
          : plant_cell(draw, path(out.at), n, reach, depth, kind == Kind::Unknown, out.number);
  if (!object) return std::nullopt;
  const Pose X = object->pose;
  s.scene.objects.push_back(std::move(*object));
  if (held) s.scene.attach("seen", robot.links()[carrier].name, X, {});
  for (const Link& x : robot.links()) {
    if (x.name != body.name) s.scene.allow.push_back({x.name, "seen"});
    for (const Link& y : robot.links()) {
      if (&x < &y) s.scene.allow.push_back({x.name, y.name});
    }
  }
  out.what = body.name;
  return out;
}

void run(const char* name, Kind kind, bool held, double margin, unsigned seed) {
  Draw draw(testing::seeded(seed));
  int planted = 0, contact = 0, undecided = 0, named = 0;
  const int count = testing::scaled(120);
  while (planted < count && !::testing::Test::HasFailure()) {
    const std::optional<Planted> p = plant(draw, kind, held, margin);
    if (!p) continue;
    ++planted;
    const Scenario& s = p->scenario;
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace w(checker);
    EdgeOptions options;
    options.tolerance = std::pow(10.0, -draw.integer(2, 6));
    const std::string where =
        std::string(name) + " number " + std::to_string(planted) + ", " + p->what + ", " + testing::describe(p->edge);
    EXPECT_FALSE(checker.is_free(p->edge.q0, p->edge.q1, w, options)) << where;
    const EdgeResult r = checker.first_contact(p->edge.q0, p->edge.q1, w, options);
    EXPECT_NE(r.verdict, Verdict::Free) << where;
    EXPECT_LE(r.t_free, static_cast<double>(p->at) + 1e-15) << where;
    contact += r.verdict == Verdict::Contact;
    undecided += r.verdict == Verdict::Undecided;
    if (!r.contact || r.contact->inside) continue;
    named += (r.contact->a == "seen" ? r.contact->triangle_a : r.contact->triangle_b) == p->number;
  }
  std::printf("  %-26s seed %u: %d planted: %d contact (%d by its number), %d undecided, 0 missed\n", name, seed,
              planted, contact, named, undecided);
  EXPECT_LE(undecided, 0.01 * planted + 1);
  EXPECT_GE(named, 0.5 * planted);
}

TEST(Clouds, NoContactWithASinglePointIsMissed) {
  run("points", Kind::Points, false, 0.0, 1);
  run("points, margin", Kind::Points, false, 0.01, 2);
  run("points, held", Kind::Points, true, 0.0, 3);
}

TEST(Clouds, NoContactWithASingleCellIsMissed) {
  run("cells", Kind::Occupied, false, 0.0, 4);
  run("cells, margin", Kind::Occupied, false, 0.01, 5);
  run("cells, held", Kind::Occupied, true, 0.0, 6);
  run("unknown cells", Kind::Unknown, false, 0.0, 7);
  run("unknown cells, margin", Kind::Unknown, false, 0.01, 8);
}

TEST(Clouds, NoContactWithASingleColumnIsMissed) {
  run("columns", Kind::Column, false, 0.0, 21);
  run("columns, margin", Kind::Column, false, 0.01, 22);
  run("columns, held", Kind::Column, true, 0.0, 23);
  run("unknown columns", Kind::UnknownColumn, false, 0.0, 24);
}

/// Heights of 8 x 6 columns, one of them missing.
CellsPtr random_field(Draw& draw) {
  std::vector<double> heights(9 * 7);
  for (double& h : heights) h = draw.uniform(0.0, 0.15);
  heights[static_cast<std::size_t>(draw.integer(0, 62))] = std::nan("");
  const HeightFieldOptions options{.pixel = draw.uniform(0.01, 0.04), .floor = -0.1, .top = 0.2};
  return std::make_shared<const CellMap>(make_height_field(heights, 9, options, "field"), "field");
}

/// Links among clouds, cells and columns, against samples of every point, cell and column.
TEST(Clouds, VerdictsAgreeWithSamples) {
  Draw draw(testing::seeded(9));
  testing::Tally tally;
  const int scenarios = testing::scaled(10, 10);  // fewer may all end the same way
  for (int i = 0; i < scenarios && !::testing::Test::HasFailure(); ++i) {
    testing::RandomScenario what;
    what.links = 4;
    what.objects = 3;
    what.attached = i % 3 == 0;
    what.margin = i % 2 == 0 ? 0.0 : 0.01;
    Scenario s = random_scenario(draw, what);
    const SceneObjects given = s.scene.objects;
    for (const SceneObject& object : given) {
      SceneObject fresh = object;
      Shape shape;
      const int kind = draw.integer(0, 2);
      if (kind == 2) {
        shape = random_field(draw);
      } else if (kind == 0) {
        std::vector<Eigen::Vector3d> points;
        for (int k = 0; k < 200; ++k) points.push_back(draw.vector(0.15));
        shape = std::make_shared<const PointCloud>(std::span<const Eigen::Vector3d>(points), 0.01, "cloud");
      } else {
        std::vector<OctreeCell> cells(40);
        for (OctreeCell& cell : cells) {
          cell.level = static_cast<std::uint8_t>(draw.integer(0, 1));
          for (std::uint16_t& k : cell.key) {
            k = static_cast<std::uint16_t>((CellMap::kMiddle + draw.integer(-8, 8)) >> cell.level << cell.level);
          }
        }
        shape = std::make_shared<const CellMap>(std::move(cells), 0.02, "cells");
      }
      fresh.geometry = {{shape, Pose::Identity(), "seen"}};
      s.scene.objects.replace(std::move(fresh));
    }
    testing::Judge judge(s);
    testing::EdgeDraw edges(*s.robot, 0.5);
    for (int k = 0; k < 12 && !::testing::Test::HasFailure(); ++k) {
      Eigen::VectorXd q0 = edges.configuration(draw);
      for (int n = 0; n < 40 && judge.checker().in_contact(q0, judge.workspace(), {}); ++n)
        q0 = edges.configuration(draw);
      Eigen::VectorXd q1 = edges.beyond(draw, q0);
      const int seeks = draw.integer(0, 1) == 0 ? 20 : 0;  // ends in contact
      for (int n = 0; n < seeks && !judge.checker().in_contact(q1, judge.workspace(), {}); ++n)
        q1 = edges.beyond(draw, q0);
      edges.learn(judge.check(q0, q1, {}, "scenario " + std::to_string(i) + " edge " + std::to_string(k)).verdict);
    }
    tally += judge.tally();
  }
  tally.print("clouds and cells");
  EXPECT_EQ(tally.contradictions + tally.too_early + tally.inconsistent, 0);
  EXPECT_GE(tally.free, tally.edges / 10);
  EXPECT_GE(tally.contact, tally.edges / 10);
}

}  // namespace
}  // namespace planner_ccd
