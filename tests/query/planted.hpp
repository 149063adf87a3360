#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "support/oracle.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"

/// Contacts that no sampling would find. A one-triangle sheet is placed in the way of one point of a link, at one time
/// t* of an edge, so that the point dips through it (or under its margin) by `depth`, 1e-11 m to 1 mm:
///
///   the point's path    p(t* + s) = p + s v + s^2/2 a + ...          seen from what carries the sheet
///   the sheet's plane   n.x = n.p + depth - radius - margin          n: across v (a graze), along v, or anything.
///
/// The contact is known by construction and confirmed in extended precision: for round bodies and margins by the
/// distance at t*, otherwise because the point is on both sides of the sheet within a short time, during which it stays
/// over its middle. A sheet is an obstacle, or is attached to another link.
namespace planner_ccd::testing::planted {

using truth::Mat4;
using truth::Real;
using truth::Vec;

inline Vec unit(const Vec& v) { return (1 / norm(v)) * v; }

struct Planted {
  Scenario scenario;
  truth::Edge edge;
  std::optional<TrajectorySegment> segment;  ///< A curve instead of the edge.
  std::string what;                          ///< Name of the link.
  Real from = 0, until = 0;                  ///< The contact is in [from, until].
};

/// The path of one point of a body, seen from link `seen_from` (-1: the world).
struct PointPath {
  const truth::Oracle& oracle;
  const truth::Edge& edge;
  int link, seen_from;
  Vec point;

  Vec operator()(Real t) const {
    const std::vector<Mat4> poses = oracle.poses(edge, t);
    const Vec p = poses[link] * point;
    return seen_from < 0 ? p : inverse(poses[seen_from]) * p;
  }
};

inline Vec random_point(Draw& draw, const truth::Piece& piece) {
  Real weight[3] = {1, 0, 0};
  if (draw.integer(0, 1) == 0) {
    for (Real& w : weight) w = draw.integer(0, 2) == 0 ? 0 : draw.uniform(0.01, 1.0);
  }
  const Real sum = weight[0] + weight[1] + weight[2];
  if (sum == 0) return piece.corner[draw.integer(0, 2)];
  return (1 / sum) * (weight[0] * piece.corner[0] + weight[1] * piece.corner[1] + weight[2] * piece.corner[2]);
}

struct Sheet {
  Eigen::Vector3d corner[3];

  Sheet(Draw& draw, const Vec& middle, const Vec& n, double size) {
    Vec u = truth::from(draw.direction());
    u = unit(u - dot(u, n) * n);
    const Vec w = cross(n, u);
    for (int k = 0; k < 3; ++k) {
      const Real angle = 2 * std::numbers::pi_v<Real> * k / 3;
      corner[k] = to_eigen(middle + static_cast<Real>(size) * (std::cos(angle) * u + std::sin(angle) * w));
    }
  }
  /// The triangle cut into four `levels` times, among `others` that are metres away: to get non-trivial trees.
  MeshPtr mesh(Draw& draw, int levels, int others) const {
    auto out = std::make_shared<TriangleMesh>();
    const auto add = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
      const int n = static_cast<int>(out->vertices.size());
      out->vertices.insert(out->vertices.end(), {a, b, c});
      out->triangles.emplace_back(n, n + 1, n + 2);
    };
    const auto cut = [&](const auto& self, const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                         int level) -> void {
      if (level == 0) return add(a, b, c);
      const Eigen::Vector3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
      self(self, a, ab, ca, level - 1);
      self(self, ab, b, bc, level - 1);
      self(self, ca, bc, c, level - 1);
      self(self, ab, bc, ca, level - 1);
    };
    cut(cut, corner[0], corner[1], corner[2], levels);
    for (int i = 0; i < others; ++i) {
      const Eigen::Vector3d at = corner[0] + draw.uniform(4.0, 6.0) * draw.direction();
      add(at, at + draw.vector(0.2), at + draw.vector(0.2));
    }
    return out;
  }
  /// Height of x over the plane as rounded, if x is over the triangle; otherwise empty.
  std::optional<Real> height(const Vec& x) const {
    const Vec t[3] = {truth::from(corner[0]), truth::from(corner[1]), truth::from(corner[2])};
    const Vec n = unit(cross(t[1] - t[0], t[2] - t[0]));
    for (int k = 0; k < 3; ++k) {
      if (dot(cross(n, t[(k + 1) % 3] - t[k]), x - t[k]) <= 0) return std::nullopt;
    }
    return dot(n, x - t[0]);
  }
};

/// The first time away from t* at which the point is over the plane while staying over the triangle.
inline std::optional<Real> other_side(const PointPath& path, const Sheet& sheet, Real at, Real way) {
  for (Real s = 1e-12L; s < 0.3L; s *= 1.25L) {
    const Real t = at + way * s;
    if (t < 0 || t > 1) return std::nullopt;
    const std::optional<Real> h = sheet.height(path(t));
    if (!h) return std::nullopt;
    if (*h > 0) return t;
  }
  return std::nullopt;
}

struct Family {
  const char* name;
  RandomScenario what;
  bool on_a_link = false;  ///< Carrier of the sheet.
  AnglePolicy angles = AnglePolicy::Literal;
  double away = 0.0;    ///< [m] Distance of everything from the world's origin.
  double turns = 0.0;   ///< [rad] Added to the values of joints without limits.
  bool curves = false;  ///< Splines instead of straight lines.
};

inline std::optional<Planted> plant(Draw& draw, const Family& family) {
  RandomScenario what = family.what;
  what.links = draw.integer(1, what.links);
  what.objects = 0;
  what.cell_evaluations = 200;
  Planted out;
  out.scenario = random_scenario(draw, what);
  out.scenario.options.self_margin = out.scenario.options.margin;  // one margin for everything planted
  out.scenario.scene.padding.clear();
  Scenario& s = out.scenario;
  if (family.away > 0.0) {
    Eigen::Isometry3d X = draw.pose(family.away);
    s.set_robot(combine({{s.spec, "", X}}));
  }
  const RobotModel& robot = *s.robot;
  s.matrix = CollisionMatrix();
  const truth::Oracle bare(s.spec, s.scene, s.matrix, 0.0);
  if (bare.bodies().empty() || robot.dof() == 0) return std::nullopt;
  EdgeDraw edges(robot, std::exp(draw.uniform(-2.5, 2.5)));
  out.edge.q0 = edges.configuration(draw);
  out.edge.q1 = edges.beyond(draw, out.edge.q0);
  out.edge.angles = family.angles;
  for (int i = 0; i < robot.dof() && family.turns > 0.0; ++i) {
    if (!robot.coordinates()[i].continuous) continue;
    const double turns = draw.uniform(-family.turns, family.turns);
    out.edge.q0[i] += turns;
    out.edge.q1[i] += turns;
  }
  if (family.curves) {
    RandomCurve c = random_curve(draw, robot, out.edge.q0, out.edge.q1);
    out.edge.curve = c.value;
    out.segment = std::move(c.segment);
  }

  const truth::Body& body = bare.bodies()[draw.integer(0, static_cast<int>(bare.bodies().size()) - 1)];
  int carrier = -1;
  if (family.on_a_link) carrier = draw.integer(0, static_cast<int>(robot.links().size()) - 1);
  if (carrier >= 0 && robot.links()[carrier].body == robot.links()[body.link].body) return std::nullopt;
  const truth::Piece& piece = body.pieces[draw.integer(0, static_cast<int>(body.pieces.size()) - 1)];
  const PointPath path{bare, out.edge, body.link, carrier, random_point(draw, piece)};

  const int when = draw.integer(0, 9);
  const Real at = when == 0 ? 0 : when == 1 ? 1 : draw.uniform(0.001, 0.999);
  const Real h = 1e-5L;
  const Real middle = std::min(1 - h, std::max(h, at));
  const Vec before = path(middle - h), now = path(middle), after = path(middle + h);
  const Vec v = (1 / (2 * h)) * (after - before);
  const Vec a = (1 / (h * h)) * (after - Real(2) * now + before);
  if (norm(v) < 1e-6L) return std::nullopt;
  Vec n = truth::from(draw.direction());
  const int kind = draw.integer(0, 3);
  if (kind == 0) n = (when == 1 ? Real(-1) : Real(1)) * unit(v);
  if (kind >= 2) {
    n = unit(n - dot(n, unit(v)) * unit(v));
    if (dot(n, a) < 0) n = Real(-1) * n;
  }
  const Real depth = std::exp(draw.uniform(std::log(1e-11), std::log(1e-3)));
  const Real margin = s.options.margin;
  const Vec place = path(at);
  const double size = std::exp(draw.uniform(std::log(1e-4), std::log(0.2)));
  const Sheet sheet(draw, place + (depth - piece.radius - margin) * n, n, size);
  const std::optional<Real> low = sheet.height(place);
  if (!low) return std::nullopt;
  if (piece.radius + margin > 0) {
    if (std::abs(*low) > piece.radius + margin - depth / 2) return std::nullopt;  // depth > radius + margin
    out.from = out.until = at;
  } else {
    if (*low >= 0) return std::nullopt;
    const std::optional<Real> earlier = other_side(path, sheet, at, -1), later = other_side(path, sheet, at, 1);
    if (!earlier && !later) return std::nullopt;
    out.from = earlier ? *earlier : at;
    out.until = earlier ? at : *later;
  }

  const bool finer = family.away == 0.0 && depth > 1e-9L && draw.integer(0, 1) == 0;
  const MeshPtr mesh = sheet.mesh(draw, finer ? 3 : 0, draw.integer(0, 1) == 0 ? 40 : 0);
  const Geometry geometry{mesh, Eigen::Isometry3d::Identity(), "sheet"};
  std::string sheet_name = "sheet";
  RobotSpec changed = s.spec;
  const bool own = carrier >= 0 && robot.links()[carrier].collision.empty() && draw.integer(0, 1) == 0;
  if (own) {  // part of the link itself, possibly of the base
    sheet_name = robot.links()[carrier].name;
    changed.links[carrier].collision = {geometry};
  } else {
    s.scene.objects.push_back({"sheet", {geometry}, Eigen::Isometry3d::Identity()});
    if (carrier >= 0) s.scene.attach("sheet", robot.links()[carrier].name, Eigen::Isometry3d::Identity(), {});
  }
  // Only the planted pair is checked.
  const auto exclude = [&](const std::string& x, const std::string& y) {
    const bool wanted = (x == body.name && y == sheet_name) || (y == body.name && x == sheet_name);
    if (!wanted) s.scene.allow.push_back({x, y});
  };
  for (const Link& x : robot.links()) {
    if (!own) exclude(x.name, "sheet");
    for (const Link& y : robot.links()) {
      if (&x < &y) exclude(x.name, y.name);
    }
  }
  out.what = body.name;
  if (own) s.set_robot(std::move(changed));
  return out;
}
inline RandomScenario of(Material material, bool all_joint_types, double margin = 0.0) {
  RandomScenario what;
  what.links = 6;
  what.material = material;
  what.all_joint_types = all_joint_types;
  what.margin = margin;
  return what;
}

}  // namespace planner_ccd::testing::planted
