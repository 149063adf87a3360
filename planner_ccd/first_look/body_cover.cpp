#include "planner_ccd/first_look/body_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/first_look/single.hpp"
#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr int kMostPrimitives = 3000;  ///< Larger bodies are covered through their tree's volumes,
constexpr int kVolumes = 1500;         ///< this many of them.
constexpr int kMostPieces = 6000;
constexpr int kSample = 300;     ///< Pieces used to choose the centres; all of them determine the radii.
constexpr int kRounds = 6;       ///< Rounds of assigning pieces to centres.
constexpr int kSteps = 24;       ///< Steps towards the centre of the smallest ball about some pieces.
constexpr double kFinest = 0.1;  ///< Triangles are not cut below this share of the body's size.
constexpr int kCoreSteps = 8;
constexpr int kMostVertices = 2000;  ///< Considered for the points.

/// A convex part of the body: within `radius` of the hull of the points, or the cylinder between two of them.
struct Piece {
  Vector3d point[4];
  int count;
  double radius;
  bool cylinder;

  Vector3d middle() const {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < count; ++i) sum += point[i];
    return sum / count;
  }
  /// Bounds the distance of the piece's points from c, up to rounding.
  double reach(const Vector3d& c) const {
    double most = 0.0;
    if (!cylinder) {
      for (int i = 0; i < count; ++i) most = std::max(most, (point[i] - c).squaredNorm());
      return std::sqrt(most) + radius;
    }
    const Vector3d axis = (point[1] - point[0]).normalized();
    for (int i = 0; i < 2; ++i) {
      const Vector3d d = point[i] - c;
      const double along = d.dot(axis), across = (d - along * axis).norm() + radius;
      most = std::max(most, along * along + across * across);
    }
    return std::sqrt(most);
  }
};

/// Halves the longest edge of a triangle or segment until none is longer than `finest`.
void cut(const Piece& piece, double finest, std::vector<Piece>& out) {
  int from = 0, to = 1;
  double longest = 0.0;
  for (int i = 0; i < piece.count; ++i) {
    for (int j = i + 1; j < piece.count; ++j) {
      const double length = (piece.point[j] - piece.point[i]).norm();
      if (length > longest) longest = length, from = i, to = j;
    }
  }
  if (!(longest > finest) || out.size() >= static_cast<std::size_t>(kMostPieces)) return out.push_back(piece);
  const Vector3d middle = 0.5 * (piece.point[from] + piece.point[to]);
  Piece half = piece;
  half.point[from] = middle;
  cut(half, finest, out);
  half = piece;
  half.point[to] = middle;
  cut(half, finest, out);
}

std::vector<Piece> pieces_of(const SsvTree& tree) {
  std::vector<Piece> pieces;
  if (tree.primitive_count() <= kMostPrimitives) {
    const double finest = kFinest * 2.0 * tree.bounding_radius();
    for (int i = 0; i < tree.primitive_count(); ++i) {
      const Primitive p = tree.primitive(i);
      if (p.kind == PrimitiveKind::Cube) {
        const Vector3d& c = p.corners[0];
        pieces.push_back({{c, c, c, c}, 1, reach_of_cube(p), false});
        continue;
      }
      Piece piece{{p.corners[0], p.corners[1], p.corners[2], {}}, 3, p.radius, p.kind == PrimitiveKind::Cylinder};
      if (p.corners[1] == p.corners[2]) piece.count = p.corners[0] == p.corners[1] && !piece.cylinder ? 1 : 2;
      cut(piece, finest, pieces);
    }
    return pieces;
  }
  std::vector<int> nodes{0};
  for (std::size_t next = 0; next < nodes.size() && nodes.size() < static_cast<std::size_t>(kVolumes);) {
    const int node = nodes[next];
    if (tree.is_leaf(node)) {
      ++next;
      continue;
    }
    nodes[next] = tree.left(node);  // level by level, nearly: a child takes its parent's place
    nodes.push_back(tree.right(node));
    ++next;
    if (next == nodes.size()) next = 0;
  }
  for (const int node : nodes) {
    const Ssv v = tree.volume(node);
    Piece piece{{}, v.corner_count(), v.radius, false};
    for (int i = 0; i < piece.count; ++i) piece.point[i] = v.corner(i);
    pieces.push_back(piece);
  }
  return pieces;
}

/// Near the centre of the smallest ball about the pieces: steps towards the farthest one (Badoiu and Clarkson).
Vector3d middle_of(const std::vector<const Piece*>& pieces) {
  Vector3d c = Vector3d::Zero();
  for (const Piece* p : pieces) c += p->middle() / static_cast<double>(pieces.size());
  for (int i = 1; i <= kSteps; ++i) {
    Vector3d farthest = c;
    double most = -1.0;
    for (const Piece* p : pieces) {
      for (int k = 0; k < p->count; ++k) {
        const double d = (p->point[k] - c).squaredNorm();
        if (d > most) most = d, farthest = p->point[k];
      }
    }
    c += (farthest - c) / (i + 1.0);
  }
  return c;
}

/// Centres for `count` balls: pieces are assigned to the nearest centre, which moves to the middle of its pieces.
std::vector<Vector3d> choose_centers(const std::vector<const Piece*>& sample, int count) {
  std::vector<Vector3d> centers{middle_of(sample)};
  if (count == 1) return centers;
  std::vector<double> nearest(sample.size(), std::numeric_limits<double>::infinity());
  for (int k = 0; k < count; ++k) {  // start far from one another
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      nearest[i] = std::min(nearest[i], (sample[i]->middle() - centers.back()).norm());
      if (k == 0) nearest[i] = std::numeric_limits<double>::infinity();
      const double here = k == 0 ? (sample[i]->middle() - centers[0]).norm() : nearest[i];
      const double best = k == 0 ? (sample[farthest]->middle() - centers[0]).norm() : nearest[farthest];
      if (here > best) farthest = i;
    }
    if (k == 0) {
      centers = {sample[farthest]->middle()};
    } else {
      centers.push_back(sample[farthest]->middle());
    }
  }
  std::vector<std::vector<const Piece*>> groups(centers.size());
  for (int round = 0; round < kRounds; ++round) {
    for (auto& group : groups) group.clear();
    for (const Piece* p : sample) {
      std::size_t best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < centers.size(); ++k) {
        const double d = p->reach(centers[k]);
        if (d < least) least = d, best = k;
      }
      groups[best].push_back(p);
    }
    for (std::size_t k = 0; k < centers.size(); ++k) {
      if (!groups[k].empty()) centers[k] = middle_of(groups[k]);
    }
  }
  return centers;
}

/// Balls about the centres, grown until each piece is in one. Midpoints of cuts are off by less than 64 u of the body's reach, and
/// so is the piece; distances by less than 32 u of themselves.
std::vector<CoverBall> grow(const std::vector<Vector3d>& centers, const std::vector<Piece>& pieces, double reach) {
  std::vector<CoverBall> balls(centers.size());
  std::vector<Vector3d> exact(centers.size());
  std::vector<double> radius(centers.size(), 0.0);
  for (std::size_t k = 0; k < centers.size(); ++k) {
    balls[k].center = single(centers[k]);
    exact[k] = balls[k].center.cast<double>();
  }
  for (const Piece& p : pieces) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity(), needed = 0.0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const double r = p.reach(exact[k]), growth = std::max(0.0, r - radius[k]);
      if (growth < least) least = growth, best = k, needed = r;
    }
    radius[best] = std::max(radius[best], needed);
  }
  std::vector<CoverBall> used;
  for (std::size_t k = 0; k < balls.size(); ++k) {
    if (radius[k] == 0.0 && balls.size() > 1) continue;
    balls[k].radius = float_up((radius[k] + 64.0 * kUnitRoundoff * reach) * kRoundUp);
    used.push_back(balls[k]);
  }
  if (used.empty()) used.push_back(balls[0]);
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

/// Inner balls: start at the middles of the cover and between these and parts of the surface, and move away from the
/// nearest surface as long as that makes them larger.
std::vector<CoverBall> choose_cores(const SsvTree& tree, const std::vector<CoverBall>& balls,
                                    const std::vector<Vector3d>& parts) {
  std::vector<Vector3d> places;
  for (const CoverBall& ball : balls) places.push_back(ball.center.cast<double>());
  for (const Vector3d& part : parts) {
    const auto nearer = [&](const CoverBall& x, const CoverBall& y) {
      return (x.center.cast<double>() - part).norm() < (y.center.cast<double>() - part).norm();
    };
    places.push_back(0.5 * (part + std::min_element(balls.begin(), balls.end(), nearer)->center.cast<double>()));
  }
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

/// See BodyCover::filled.
bool leaves_no_hole(const std::vector<CoverBall>& balls) {
  if (balls.size() <= 3) return true;
  const auto center = [&](std::size_t k) -> Vector3d { return balls[k].center.cast<double>(); };
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const double radii = static_cast<double>(balls[i].radius) + balls[j].radius;
      if ((center(i) - center(j)).norm() * kRoundDown > radii) return true;
    }
  }
  // A point of the same power with respect to all four; if it is in one ball it is in all.
  Eigen::Matrix3d A;
  Vector3d b;
  const auto power = [&](std::size_t k) {
    const double r = balls[k].radius;
    return (center(k) - center(0)).squaredNorm() - r * r;
  };
  for (int k = 0; k < 3; ++k) {
    A.row(k) = 2.0 * (center(k + 1) - center(0)).transpose();
    b[k] = power(k + 1) - power(0);
  }
  const Vector3d x = center(0) + A.fullPivLu().solve(b);
  // Whatever x is: a point that lies in all four balls is common to them.
  return std::all_of(balls.begin(), balls.end(), [&](const CoverBall& ball) {
    return (x - ball.center.cast<double>()).norm() * kRoundUp < ball.radius;
  });
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

BodyCover cover_body(const SsvTree& tree) {
  const std::vector<Piece> pieces = pieces_of(tree);
  std::vector<const Piece*> sample;
  const std::size_t step = 1 + pieces.size() / kSample;
  for (std::size_t i = 0; i < pieces.size(); i += step) sample.push_back(&pieces[i]);
  BodyCover cover;
  cover.balls = grow(choose_centers(sample, kCoverBalls), pieces, tree.reach());
  cover.around = grow(choose_centers(sample, 1), pieces, tree.reach()).front();
  cover.cores = choose_cores(tree, cover.balls, choose_centers(sample, kCoverCores - kCoverBalls));
  cover.filled = tree.soup().shells.empty() || leaves_no_hole(cover.balls);
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
