#include <cmath>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"

/// What the ordinary search misses or finds inaccurately, and the remedies, cheapest first, until the bracket is tight (MATHS.md 10c): edges
/// through a face, whose witnesses are one point; the normals of slivers and of nearly parallel edges, made orthogonal again to the edges
/// they come from; features that single precision has confused.
namespace planner_ccd::triangle_detail {
namespace {

using Eigen::Vector3d;

/// One of the two triangles.
struct Side {
  const Vector3d* corner;
  const Vector3d* edge;
};

/// x / y in [0, 1], 0 where the quotient means nothing.
double ratio01(double x, double y) { return y > kTiny ? clamp01(x / y) : 0.0; }

class Search {
 public:
  Search(const LocalPair& l, Bracket& found)
      : l_(l), found_(found), e_{l.e(0), l.e(1), l.e(2)}, f_{l.f(0), l.f(1), l.f(2)} {}

  bool pierce() {
    const Side a{l_.p, e_};
    const Side b{l_.q, f_};
    return pierce(a, b) || pierce(b, a);
  }

  void run() {
    const Side a{l_.p, e_};
    const Side b{l_.q, f_};
    if (pierce() || face(a, b) || face(b, a)) return;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (edge_edge(i, j)) return;
      }
    }
  }

 private:
  const LocalPair& l_;
  Bracket& found_;
  const Vector3d e_[3], f_[3];

  void try_witness(const Witness& w) {
    const double upper = upper_bound(l_, w);
    if (upper < found_.upper) {
      found_.upper = upper;
      found_.witness = w;
    }
  }

  void try_direction(const Vector3d& v) {
    const bool away =
        l_.p[0].dot(v) + l_.p[1].dot(v) + l_.p[2].dot(v) > l_.q[0].dot(v) + l_.q[1].dot(v) + l_.q[2].dot(v);
    const Separation s = separation_along(l_, away ? Vector3d(-v) : v);
    if (s.gap > found_.lower.gap) found_.lower = s;
  }

  void try_orthogonal(const Vector3d& direction, const Vector3d& edge) {
    const double e2 = edge.squaredNorm();
    if (e2 > kTiny) try_direction(direction - edge * (direction.dot(edge) / e2));
  }

  /// A point of the other triangle against a face.
  void try_foot(const Side& face, int corner, const Vector3d& x, Feature feature) {
    const Foot foot = foot_on_face(face.corner[corner], face.edge[corner], -face.edge[next(next(corner))], x);
    try_witness(face.corner == l_.p ? Witness{foot.point, x, Feature::Face, feature}
                                    : Witness{x, foot.point, feature, Feature::Face});
  }

  bool pierce(const Side& face, const Side& other) {
    const Vector3d normal = face.edge[0].cross(face.edge[1]);
    double h[3];
    for (int i = 0; i < 3; ++i) h[i] = normal.dot(other.corner[i] - face.corner[0]);
    for (int i = 0; i < 3; ++i) {
      const int k = next(i);
      if ((h[i] < 0.0) == (h[k] < 0.0)) continue;
      const double s = clamp01(h[i] / (h[i] - h[k]));
      try_foot(face, 0, other.corner[i] + s * other.edge[i], edge_feature(i, s));
      if (found_.tight(l_)) return true;
    }
    return false;
  }

  bool face(const Side& side, const Side& other) {
    int longest = 0;
    for (int i = 1; i < 3; ++i) {
      if (side.edge[i].squaredNorm() > side.edge[longest].squaredNorm()) longest = i;
    }
    try_orthogonal(side.edge[longest].cross(side.edge[next(longest)]), side.edge[longest]);
    for (int i = 0; i < 3; ++i) try_foot(side, longest, other.corner[i], static_cast<Feature>(i));
    return found_.tight(l_);
  }

  bool edge_edge(int i, int j) {
    const Vector3d& e = e_[i];
    const Vector3d& f = f_[j];
    const Vector3d r = l_.q[j] - l_.p[i];
    const Vector3d normal = e.cross(f);
    const double ee = e.squaredNorm();
    const double ff = f.squaredNorm();
    const double s0 = ratio01(r.cross(f).dot(normal), normal.squaredNorm());
    const double t = ratio01(f.dot(s0 * e - r), ff);
    const double s = ratio01(e.dot(r + t * f), ee);
    try_witness({l_.p[i] + s * e, l_.q[j] + t * f, edge_feature(i, s), edge_feature(j, t)});
    const Vector3d difference = r + t * f - s * e;
    try_orthogonal(normal, ee > ff ? e : f);
    try_direction(difference);
    try_orthogonal(difference, e);
    try_orthogonal(difference, f);
    return found_.tight(l_);
  }
};

}  // namespace

bool search_piercing(const LocalPair& l, Bracket& found) { return Search(l, found).pierce(); }

void search_thoroughly(const LocalPair& l, Bracket& found) { Search(l, found).run(); }

}  // namespace planner_ccd::triangle_detail
