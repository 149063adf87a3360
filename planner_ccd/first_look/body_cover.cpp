#include "planner_ccd/first_look/body_cover.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "planner_ccd/first_look/cover_centers.hpp"
#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr int kCoreSteps = 8;
constexpr int kMostVertices = 2000;  ///< Considered for the points.

/// Balls about the centres, as large as they must be so that each piece is in one: in that which exceeds its wanted radius by
/// the least. Midpoints of cuts are off by less than 64 u of the body's reach, and so is the piece; distances by less than 32 u of
/// themselves.
std::vector<CoverBall> grow(const std::vector<WantedBall>& wanted, const std::vector<CoverPiece>& pieces,
                            double reach) {
  std::vector<CoverBall> balls(wanted.size());
  std::vector<Vector3d> exact(wanted.size());
  std::vector<double> radius(wanted.size(), -1.0);  // nothing is in the ball
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    balls[k].center = single(wanted[k].center);
    exact[k] = balls[k].center.cast<double>();
  }
  for (const CoverPiece& p : pieces) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity(), needed = 0.0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const double r = p.reach(exact[k]), excess = r - wanted[k].radius;
      if (excess < least) least = excess, best = k, needed = r;
    }
    radius[best] = std::max(radius[best], needed);
  }
  std::vector<CoverBall> used;
  for (std::size_t k = 0; k < balls.size(); ++k) {
    if (radius[k] < 0.0) continue;
    balls[k].radius = float_up((radius[k] + 64.0 * kUnitRoundoff * reach) * kRoundUp);
    used.push_back(balls[k]);
  }
  return used;
}

/// A point inside, its depth, and the direction in which it gets deeper.
struct Depth {
  double depth = 0.0;  ///< At least the radius of an enclosed ball about it; 0: none known.
  Vector3d inwards = Vector3d::Zero();
};

Depth depth(const SsvTree& tree, const Vector3d& p) {
  Depth deepest;
  if (tree.soup().grains) return deepest;  // nothing larger than a grain is in them
  bool meshes = false;
  const auto take = [&](double d, const Vector3d& inwards) {
    if (d > deepest.depth) deepest = {d, inwards};
  };
  const double off = 64.0 * kUnitRoundoff * (tree.reach() + p.norm());
  for (int i = 0; i < tree.primitive_count(); ++i) {
    if (tree.soup().source(tree.soup().primitives[i]).has_triangles) {
      meshes = true;
      continue;
    }
    const Primitive s = tree.primitive(i);
    const Vector3d edge = s.corners[1] - s.corners[0], d = p - s.corners[0];
    const double length = edge.norm();
    const Vector3d axis = length > 0.0 ? Vector3d(edge / length) : Vector3d::UnitZ();
    const double along = d.dot(axis), across = (d - along * axis).norm();
    const Vector3d inwards = s.corners[0] + std::clamp(along, 0.0, length) * axis - p;
    if (s.kind == PrimitiveKind::Cylinder) {
      take(std::min({s.radius - across, along, length - along}) - off, inwards);
    } else {
      const double beyond = std::max({0.0, -along, along - length});
      take(s.radius - std::sqrt(across * across + beyond * beyond) - off, inwards);
    }
  }
  if (!meshes || tree.soup().shells.empty() || inside(tree, p) != Containment::Inside) return deepest;
  constexpr double kTip = 1e-9;
  Geometry tip;
  tip.shape = Sphere{kTip};
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = p;
  const SsvTree probe = SsvTree::build({tip}, "core");
  const DistanceOptions options{.containment = false};
  const DistanceResult to_surface = distance(probe, X, tree, Eigen::Isometry3d::Identity(), options);
  take(to_surface.lower, p - to_surface.point_b);
  return deepest;
}

/// Inner balls: start at these places, and move away from the nearest surface as long as that makes them larger.
std::vector<CoverBall> choose_cores(const SsvTree& tree, const std::vector<Vector3d>& places) {
  std::vector<CoverBall> cores;
  for (Vector3d p : places) {
    CoverBall core;
    Depth best;
    double step = 0.5;
    for (int i = 0; i < kCoreSteps; ++i) {
      const Eigen::Vector3f center = single(p);
      const Depth here = depth(tree, center.cast<double>());
      if (here.depth > best.depth) {
        best = here;
        core = {center, std::max(0.0f, float_down(here.depth))};
      } else {
        step *= 0.5;
      }
      const double way = best.inwards.norm();
      if (!(way > 0.0)) break;
      p = core.center.cast<double>() + step * best.depth / way * best.inwards;
    }
    if (core.radius > 0.0f) cores.push_back(core);
  }
  return cores;
}

enum class Common : std::uint8_t { Some, None, Unknown };

/// Have the balls a common point? By (23) of MATHS.md T15, with steps towards the ball that x is farthest outside of (Frank and Wolfe).
Common common_point(const std::vector<CoverBall>& balls) {
  constexpr int kRounds = 400;
  const Vector3d origin = balls[0].center.cast<double>();
  std::vector<Vector3d> centers;
  std::vector<double> squares;
  double slack = 0.0;
  for (const CoverBall& ball : balls) {
    const double r = ball.radius;
    centers.push_back(ball.center.cast<double>() - origin);
    squares.push_back(r * r);
    slack = std::max(slack, 1e-12 * (centers.back().squaredNorm() + r * r));
  }
  Vector3d x = centers[0];
  double weighted = -squares[0];  // sum l_k (|c_k|^2 - r_k^2)
  for (int i = 0; i < kRounds; ++i) {
    std::size_t worst = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < centers.size(); ++k) {
      const double power = (x - centers[k]).squaredNorm() - squares[k];
      if (power > most) most = power, worst = k;
    }
    if (most < -slack) return Common::Some;
    if (weighted - x.squaredNorm() > slack) return Common::None;
    const double step = 1.0 / (i + 2.0);
    x += step * (centers[worst] - x);
    weighted += step * (centers[worst].squaredNorm() - squares[worst] - weighted);
  }
  return Common::Unknown;
}

std::vector<Eigen::Vector3f> choose_points(const SsvTree& tree) {
  const PrimitiveSoup& soup = tree.soup();
  std::vector<Vector3d> vertices;
  for (int i = 0; soup.grains && i < soup.count(); i += 1 + soup.count() / kMostVertices) {
    vertices.push_back(soup.grains[i].corners[0]);
  }
  const int step = 1 + static_cast<int>(soup.primitives.size()) * 3 / kMostVertices;
  for (std::size_t i = 0; i < soup.primitives.size(); i += step) {
    for (const std::int32_t v : soup.primitives[i].vertex) vertices.push_back(soup.vertices[v]);
  }
  std::vector<Eigen::Vector3f> points;
  std::vector<double> nearest(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) nearest[i] = (vertices[i] - tree.bounding_center()).norm();
  for (int k = 0; k < kCoverPoints; ++k) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (k > 0 && *farthest == 0.0) break;
    const Vector3d p = vertices[farthest - nearest.begin()];
    points.push_back(p.cast<float>());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const double d = (vertices[i] - p).norm();
      nearest[i] = k == 0 ? d : std::min(nearest[i], d);
    }
  }
  return points;
}

}  // namespace

bool leaves_no_hole(const std::vector<CoverBall>& balls) {
  if (balls.size() <= 3) return true;
  if (balls.size() > 4) return false;
  if (common_point(balls) == Common::Some) return true;
  for (std::size_t left_out = 0; left_out < balls.size(); ++left_out) {
    std::vector<CoverBall> three = balls;
    three.erase(three.begin() + static_cast<std::ptrdiff_t>(left_out));
    if (common_point(three) == Common::None) return true;
  }
  return false;
}

BodyCover cover_body(const SsvTree& tree) {
  const std::vector<CoverPiece> pieces = cover_pieces(tree);
  const CoverCenters centers(tree, pieces);
  BodyCover cover;
  const bool may_be_hollow = !tree.soup().shells.empty();
  for (int count = kCoverBalls; count > 0 && !cover.filled; --count) {
    cover.balls = grow(centers.choose(count), pieces, tree.reach());
    cover.filled = !may_be_hollow || leaves_no_hole(cover.balls);
  }
  cover.around = grow({centers.around()}, pieces, tree.reach()).front();
  std::vector<Vector3d> places;
  for (const CoverBall& ball : cover.balls) places.push_back(ball.center.cast<double>());
  for (const WantedBall& ball : centers.inner(kCoverCores - kCoverBalls)) places.push_back(ball.center);
  cover.cores = choose_cores(tree, places);
  cover.points = choose_points(tree);
  return cover;
}

LinkCovers link_covers(const std::vector<std::shared_ptr<const SsvTree>>& trees) {
  LinkCovers covers;
  for (const auto& tree : trees) {
    covers.push_back(tree == nullptr ? nullptr : std::make_shared<const BodyCover>(cover_body(*tree)));
  }
  return covers;
}

}  // namespace planner_ccd
