#include "support/oracle_body.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"

namespace planner_ccd::truth {
namespace {

/// Every three points with all others on one side are a face: correct for points no four of which are coplanar.
std::vector<int> hull_faces(const std::vector<Vec>& v) {
  std::vector<int> faces;
  const int n = static_cast<int>(v.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        const Vec normal = cross(v[j] - v[i], v[k] - v[i]);
        int above = 0, below = 0;
        for (int m = 0; m < n; ++m) {
          if (m == i || m == j || m == k) continue;
          ++(dot(normal, v[m] - v[i]) > 0 ? above : below);
        }
        if (above == 0) faces.insert(faces.end(), {i, j, k});
        if (below == 0) faces.insert(faces.end(), {i, k, j});
      }
    }
  }
  return faces;
}

Vector<double> rough(const Vec& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

Body::Body(std::string body_name, int on_link, const std::vector<Geometry>& geometry, const Eigen::Isometry3d& pose)
    : name(std::move(body_name)), link(on_link) {
  for (const Geometry& g : geometry) add(g, from(pose) * from(g.pose));
  for (const Piece& p : pieces) {
    for (const Vec& c : p.corner) reach = std::max(reach, norm(c) + p.radius);
  }
  build(0, static_cast<int>(pieces.size()));
  balls_.resize(4 * pieces.size());
  corners_.resize(3 * pieces.size());
  planes_.resize(pieces.size(), {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& p = pieces[i];
    const Vec c = Real(1) / 3 * (p.corner[0] + p.corner[1] + p.corner[2]);
    Real r = 0;
    for (const Vec& k : p.corner) r = std::max(r, norm(k - c));
    balls_[4 * i] = static_cast<double>(c.x), balls_[4 * i + 1] = static_cast<double>(c.y);
    balls_[4 * i + 2] = static_cast<double>(c.z);
    balls_[4 * i + 3] = static_cast<double>(r + p.radius) * (1 + 1e-12);
    const Vec n = cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]);
    const Real size = norm(n);
    if (size > 0) planes_[i] = {to_eigen(1 / size * n), to_eigen(p.corner[0])};
    for (int k = 0; k < 3; ++k) corners_[3 * i + k] = to_eigen(p.corner[k]);
  }
}

void Body::add(const Geometry& geometry, const Mat4& X) {
  if (const Sphere* s = std::get_if<Sphere>(&geometry.shape)) {
    const Vec c = X * Vec{};
    pieces.push_back({{c, c, c}, s->radius, -1});
    samples.push_back(c);
  } else if (const Capsule* r = std::get_if<Capsule>(&geometry.shape)) {
    const Vec p = X * Vec{0, 0, -r->length / Real(2)}, q = X * Vec{0, 0, r->length / Real(2)};
    pieces.push_back({{p, q, q}, r->radius, -1});
    samples.push_back(p);
  } else if (const Box* b = std::get_if<Box>(&geometry.shape)) {
    std::vector<Vec> v;
    for (int i = 0; i < 8; ++i) {
      const Eigen::Vector3d c =
          0.5 * b->size.cwiseProduct(Eigen::Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
      v.push_back(X * from(c));
    }
    add_triangles(v, {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
  } else if (const Cylinder* c = std::get_if<Cylinder>(&geometry.shape)) {
    std::vector<Vec> v{X * Vec{0, 0, -c->length / Real(2)}, X * Vec{0, 0, c->length / Real(2)}};
    std::vector<int> t;
    const Real step = 2 * std::numbers::pi_v<Real> / kSides;
    for (int i = 0; i < kSides; ++i) {
      for (const Real z : {-c->length / Real(2), c->length / Real(2)}) {
        v.push_back(X * Vec{c->radius * std::cos(i * step), c->radius * std::sin(i * step), z});
      }
      const int lo = 2 + 2 * i, hi = lo + 1, next_lo = 2 + 2 * ((i + 1) % kSides), next_hi = next_lo + 1;
      for (const int k : {0, next_lo, lo, 1, hi, next_hi, lo, next_lo, hi, next_lo, next_hi, hi}) t.push_back(k);
    }
    cylinder_error = std::max(cylinder_error, c->radius * (1 - std::cos(step / 2)));
    add_triangles(v, t);
  } else if (const MeshPtr* m = std::get_if<MeshPtr>(&geometry.shape)) {
    std::vector<Vec> v;
    std::vector<int> t;
    for (const Eigen::Vector3d& p : (*m)->vertices) v.push_back(X * from(p));
    for (const Eigen::Vector3i& i : (*m)->triangles) t.insert(t.end(), {i[0], i[1], i[2]});
    add_triangles(v, t);
  } else if (const CloudPtr* cloud = std::get_if<CloudPtr>(&geometry.shape)) {
    grains = true;
    for (int i = 0; i < (*cloud)->size(); ++i) {
      const Vec at = X * from((*cloud)->point(i));
      pieces.push_back({{at, at, at}, (*cloud)->ball_radius(), -1});
      samples.push_back(at);
    }
  } else if (const CellsPtr* cells = std::get_if<CellsPtr>(&geometry.shape)) {
    grains = true;
    const HeightField* field = (*cells)->field();
    for (int i = 0; i < (*cells)->size(); ++i) {
      std::vector<Vec> v;
      for (int corner = 0; corner < 8; ++corner) {
        Real at[3];
        if (field != nullptr) {
          const HeightField::Column& column = field->columns[i];
          const Real upper = std::isinf(column.height) ? Real(field->top) : Real(column.height);
          at[0] = (column.x + Real(corner & 1)) * field->pixel;
          at[1] = (column.y + Real(corner >> 1 & 1)) * field->pixel;
          at[2] = (corner & 4) != 0 ? upper : Real(field->floor);
        } else {
          const OctreeCell& cell = (*cells)->cell(i);
          for (int k = 0; k < 3; ++k) {
            at[k] = (cell.key[k] - Real(32768) + (corner >> k & 1) * Real(1 << cell.level)) * (*cells)->resolution();
          }
        }
        v.push_back(X * Vec{at[0], at[1], at[2]});
      }
      add_triangles(v, {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
    }
  } else {
    const ConvexHull& hull = std::get<ConvexHull>(geometry.shape);
    std::vector<Vec> v;
    for (const Eigen::Vector3d& p : hull.points) v.push_back(X * from(p));
    add_triangles(v, hull_faces(v));
  }
}

/// Vertices at one position are merged; a surface is closed when every edge is used equally often in both directions.
void Body::add_triangles(const std::vector<Vec>& vertices, const std::vector<int>& corners) {
  std::map<std::array<Real, 3>, int> place;
  std::vector<int> id(vertices.size()), root(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    id[i] = place.emplace(std::array<Real, 3>{vertices[i].x, vertices[i].y, vertices[i].z}, static_cast<int>(i))
                .first->second;
  }
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t k = 0; k < corners.size(); k += 3) {
    for (int e = 0; e < 3; ++e) {
      const int p = id[corners[k + e]], q = id[corners[k + (e + 1) % 3]];
      root[find(p)] = find(q);
      if (p != q) edges[{std::min(p, q), std::max(p, q)}] += p < q ? 1 : -1;
    }
  }
  std::map<int, bool> closed;
  for (const auto& [edge, balance] : edges) {
    const bool ok = closed.emplace(find(edge.first), true).first->second;
    closed[find(edge.first)] = ok && balance == 0;
  }
  std::map<int, int> shell;
  for (std::size_t k = 0; k < corners.size(); k += 3) {
    const int r = find(id[corners[k]]);
    const auto [it, fresh] = shell.emplace(r, -1);
    if (fresh) {
      samples.push_back(vertices[corners[k]]);
      if (closed[r]) it->second = shells_++;
    }
    pieces.push_back({{vertices[corners[k]], vertices[corners[k + 1]], vertices[corners[k + 2]]}, 0, it->second});
  }
}

int Body::build(int begin, int end) {
  Real lo[3], hi[3];
  std::fill(lo, lo + 3, std::numeric_limits<Real>::infinity());
  std::fill(hi, hi + 3, -std::numeric_limits<Real>::infinity());
  const auto coordinate = [](const Vec& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
  for (int i = begin; i < end; ++i) {
    for (const Vec& c : pieces[i].corner) {
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], coordinate(c, k) - pieces[i].radius);
        hi[k] = std::max(hi[k], coordinate(c, k) + pieces[i].radius);
      }
    }
  }
  const int index = static_cast<int>(nodes.size());
  nodes.emplace_back();
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    nodes[index].center[k] = static_cast<double>((lo[k] + hi[k]) / 2);
    nodes[index].half[k] = static_cast<double>((hi[k] - lo[k]) / 2) * (1 + 1e-12) + 1e-12;
    if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
  }
  if (end - begin <= 2) {
    nodes[index].first = begin;
    nodes[index].count = end - begin;
    return index;
  }
  const int middle = (begin + end) / 2;
  std::nth_element(
      pieces.begin() + begin, pieces.begin() + middle, pieces.begin() + end, [&](const Piece& p, const Piece& q) {
        const auto place = [&](const Piece& x) {
          return coordinate(x.corner[0], axis) + coordinate(x.corner[1], axis) + coordinate(x.corner[2], axis);
        };
        return place(p) < place(q);
      });
  const int left = build(begin, middle);
  const int right = build(middle, end);
  nodes[index].left = left;
  nodes[index].right = right;
  return index;
}

bool Body::encloses(const Vec& p) const {
  std::vector<Real> angle(shells_, 0);
  for (const Piece& piece : pieces) {
    if (piece.shell < 0) continue;
    const Vec a = piece.corner[0] - p, b = piece.corner[1] - p, c = piece.corner[2] - p;
    const Real la = norm(a), lb = norm(b), lc = norm(c);
    angle[piece.shell] +=
        2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  // Shells of one body add up: overlapping parts stay solid, cavities facing inwards are hollow.
  const Real turns = std::accumulate(angle.begin(), angle.end(), Real(0)) / (4 * std::numbers::pi_v<Real>);
  return std::abs(turns) > Real(0.5);
}

bool nested(const Body& a, const Body& b, const Mat4& X_BA) {
  const auto in_box = [](const Body& body, const Vec& p) {
    const Body::Node& n = body.nodes[0];
    return std::abs(p.x - n.center[0]) <= n.half[0] && std::abs(p.y - n.center[1]) <= n.half[1] &&
           std::abs(p.z - n.center[2]) <= n.half[2];
  };
  const Mat4 X_AB = inverse(X_BA);
  for (const Vec& p : a.samples) {
    const Vec q = X_BA * p;
    if (in_box(b, q) && b.encloses(q)) return true;
  }
  for (const Vec& p : b.samples) {
    const Vec q = X_AB * p;
    if (in_box(a, q) && a.encloses(q)) return true;
  }
  return false;
}

/// Branch and bound over the two trees.
class DistanceSearch {
 public:
  DistanceSearch(const Body& a, const Body& b, const Mat4& X_BA, Real exact_below, Hint& hint)
      : a_(a), b_(b), X_(X_BA), exact_below_(exact_below), hint_(hint) {
    for (int i = 0; i < 3; ++i) {
      t_[i] = static_cast<double>(X_.m[i][3]);
      for (int j = 0; j < 3; ++j) {
        R_[i][j] = static_cast<double>(X_.m[i][j]);
        absolute_[i][j] = std::abs(R_[i][j]) + 1e-15;
      }
    }
  }

  Real run() {
    try_pair(hint_.a, hint_.b);
    descend(0, 0, bound(a_.nodes[0], b_.nodes[0]));
    return best_;
  }

 private:
  const Body& a_;
  const Body& b_;
  const Mat4& X_;
  const Real exact_below_;
  Hint& hint_;
  double t_[3], R_[3][3], absolute_[3][3];
  Real best_ = std::numeric_limits<Real>::infinity();
  double cut_ = std::numeric_limits<double>::infinity();

  double bound(const Body::Node& a, const Body::Node& b) const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double c = R_[i][0] * a.center[0] + R_[i][1] * a.center[1] + R_[i][2] * a.center[2] + t_[i] - b.center[i];
      const double h = absolute_[i][0] * a.half[0] + absolute_[i][1] * a.half[1] + absolute_[i][2] * a.half[2];
      const double gap = std::max(0.0, std::abs(c) - h - b.half[i] - 1e-12);
      sum += gap * gap;
    }
    return std::sqrt(sum) * (1 - 1e-14);
  }

  void try_pair(int i, int j) {
    const Piece &p = a_.pieces[i], &q = b_.pieces[j];
    const Vec corner[3] = {X_ * p.corner[0], X_ * p.corner[1], X_ * p.corner[2]};
    Real d = 0;
    // Far apart, doubles suffice: their error is far below the factor of 0.6.
    const Vector<double> rough_a[3] = {rough(corner[0]), rough(corner[1]), rough(corner[2])};
    const Vector<double> rough_b[3] = {rough(q.corner[0]), rough(q.corner[1]), rough(q.corner[2])};
    const Real estimate = triangle_distance(rough_a, rough_b) - p.radius - q.radius;
    if (estimate > 2 * exact_below_) {
      d = Real(0.999) * estimate;
    } else {
      d = std::max<Real>(0, triangle_distance(corner, q.corner) - p.radius - q.radius);
    }
    if (d >= best_) return;
    best_ = d;
    cut_ = static_cast<double>(best_ > exact_below_ ? std::max<Real>(exact_below_, Real(0.6) * best_) : best_);
    hint_ = {i, j};
  }

  Eigen::Vector3d placed(const Eigen::Vector3d& p) const {
    Eigen::Vector3d q;
    for (int k = 0; k < 3; ++k) q[k] = R_[k][0] * p[0] + R_[k][1] * p[1] + R_[k][2] * p[2] + t_[k];
    return q;
  }

  /// True if one triangle lies on one side of the other's plane, at least the best distance found so far (to 1e-12 of
  /// itself) from it.
  bool planes_apart(int i, int j) const {
    const double radii = static_cast<double>(a_.pieces[i].radius + b_.pieces[j].radius);
    const double wanted = cut_ * (1 - 1e-12) + radii;
    const Eigen::Vector3d a[3] = {placed(a_.corners_[3 * i]), placed(a_.corners_[3 * i + 1]),
                                  placed(a_.corners_[3 * i + 2])};
    const auto beyond = [&](const Eigen::Vector3d& n, const Eigen::Vector3d& on, const Eigen::Vector3d* t) {
      const double h0 = n.dot(t[0] - on), h1 = n.dot(t[1] - on), h2 = n.dot(t[2] - on);
      return std::max(std::min({h0, h1, h2}), -std::max({h0, h1, h2})) - 1e-14 >= wanted;
    };
    return beyond(b_.planes_[j].normal, b_.planes_[j].point, a) ||
           beyond(placed(a_.planes_[i].normal) - placed(Eigen::Vector3d::Zero()), a[0], &b_.corners_[3 * j]);
  }

  void leaves(const Body::Node& a, const Body::Node& b) {
    for (int i = a.first; i < a.first + a.count; ++i) {
      const double* p = &a_.balls_[4 * i];
      double c[3];
      for (int k = 0; k < 3; ++k) c[k] = R_[k][0] * p[0] + R_[k][1] * p[1] + R_[k][2] * p[2] + t_[k];
      for (int j = b.first; j < b.first + b.count; ++j) {
        const double* q = &b_.balls_[4 * j];
        const double x = c[0] - q[0], y = c[1] - q[1], z = c[2] - q[2];
        if (std::sqrt(x * x + y * y + z * z) - p[3] - q[3] - 1e-12 >= cut_) continue;
        if (planes_apart(i, j)) continue;
        try_pair(i, j);
        if (best_ == 0) return;
      }
    }
  }

  void descend(int i, int j, double least) {
    if (best_ == 0 || least >= cut_) return;
    const Body::Node &a = a_.nodes[i], &b = b_.nodes[j];
    const bool leaf_a = a.left < 0, leaf_b = b.left < 0;
    if (leaf_a && leaf_b) return leaves(a, b);
    const double size_a = a.half[0] + a.half[1] + a.half[2], size_b = b.half[0] + b.half[1] + b.half[2];
    const bool split_a = leaf_b || (!leaf_a && size_a >= size_b);
    const int i0 = split_a ? a.left : i, i1 = split_a ? a.right : i;
    const int j0 = split_a ? j : b.left, j1 = split_a ? j : b.right;
    const double d0 = bound(a_.nodes[i0], b_.nodes[j0]), d1 = bound(a_.nodes[i1], b_.nodes[j1]);
    if (d0 <= d1) {
      descend(i0, j0, d0);
      descend(i1, j1, d1);
    } else {
      descend(i1, j1, d1);
      descend(i0, j0, d0);
    }
  }
};

Real distance(const Body& a, const Body& b, const Mat4& X_BA, Real exact_below, Hint& hint) {
  return DistanceSearch(a, b, X_BA, exact_below, hint).run();
}

}  // namespace planner_ccd::truth
