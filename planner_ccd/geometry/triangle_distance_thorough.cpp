#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"

/// Why the ordinary search can be loose, and what is done about it here:
///
/// - Nearly parallel edges at an angle theta. ee ff - (e.f)^2 carries an error of u against theta^2; the cross product
///   e x f carries u against theta, so witnesses come from  s = (f x r).N / N^2,  N = e x f.
/// - N is then still wrong by u / theta, and its components along e and f cost the gap u |e| / theta. Subtracting from
/// N its
///   projection on e leaves u along e, and u theta / theta along f: the gap is again exact to u * scale. The same
///   repair serves the normals of sliver faces (project out the longest edge) and short differences from a vertex to an
///   edge.
/// - An edge that passes through a face: the witnesses are the point where it does.
namespace planner_ccd::triangle_detail {
namespace {

using Eigen::Vector3d;

/// x / y in [0, 1], 0 where the quotient means nothing.
double ratio01(double x, double y) { return y > 0x1p-1000 ? clamp01(x / y) : 0.0; }

class Search {
 public:
  Search(const LocalPair& l, Bracket& found) : l_(l), found_(found) {}

  void run() {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) edge_edge(i, j);
    }
    face(l_.p, l_.e, true);
    face(l_.q, l_.f, false);
  }

 private:
  const LocalPair& l_;
  Bracket& found_;

  void try_witness(const Witness& w) {
    const double upper = upper_bound(l_, w);
    if (upper < found_.upper) {
      found_.upper = upper;
      found_.witness = w;
    }
  }

  /// Both signs of a direction, as it is and made orthogonal to `edge`.
  void try_direction(const Vector3d& direction, const Vector3d& edge) {
    try_signs(direction);
    const double e2 = edge.squaredNorm();
    if (e2 > 0x1p-1000) try_signs(direction - edge * (direction.dot(edge) / e2));
  }

  void try_signs(const Vector3d& direction) {
    for (const Vector3d& v : {direction, Vector3d(-direction)}) {
      const Separation s = separation_along(l_, v);
      if (s.gap > found_.lower.gap) found_.lower = s;
    }
  }

  void edge_edge(int i, int j) {
    const Vector3d& e = l_.e[i];
    const Vector3d& f = l_.f[j];
    const Vector3d r = l_.q[j] - l_.p[i];
    const Vector3d normal = e.cross(f);
    const double ee = e.squaredNorm();
    const double ff = f.squaredNorm();
    const double s0 = ratio01(r.cross(f).dot(normal), normal.squaredNorm());
    const double t = ratio01(f.dot(s0 * e - r), ff);
    const double s = ratio01(e.dot(r + t * f), ee);
    const Witness w{l_.p[i] + s * e, l_.q[j] + t * f, edge_feature(i, s), edge_feature(j, t)};
    try_witness(w);
    try_direction(normal, ee > ff ? e : f);
    const Vector3d difference = r + t * f - s * e;
    try_direction(difference, e);
    try_direction(difference, f);
  }

  /// The face with these corners and edges against the vertices and edges of the other triangle.
  void face(const Vector3d* corner, const Vector3d* edge, bool is_a) {
    const int longest = longest_edge(edge);
    const Vector3d& e0 = edge[longest];
    const Vector3d& e1 = edge[next(longest)];
    const Vector3d& o = corner[longest];
    Vector3d normal = e0.cross(e1);
    if (!(normal.squaredNorm() > 0x1p-800)) return;
    normal.normalize();
    normal -= e0 * (normal.dot(e0) / e0.squaredNorm());
    try_signs(normal);

    const Vector3d* other = is_a ? l_.q : l_.p;
    const double h[3] = {normal.dot(other[0] - o), normal.dot(other[1] - o), normal.dot(other[2] - o)};
    for (int i = 0; i < 3; ++i) {
      foot(normal, o, e0, e1, other[i], static_cast<Feature>(i), is_a);
      const int k = next(i);
      if ((h[i] < 0.0) == (h[k] < 0.0)) continue;
      const double s = clamp01(h[i] / (h[i] - h[k]));
      const Vector3d& along = is_a ? l_.f[i] : l_.e[i];
      foot(normal, o, e0, e1, other[i] + s * along, edge_feature(i, s), is_a);
    }
  }

  static int longest_edge(const Vector3d* edge) {
    int longest = 0;
    for (int i = 1; i < 3; ++i) {
      if (edge[i].squaredNorm() > edge[longest].squaredNorm()) longest = i;
    }
    return longest;
  }

  /// A point of the other triangle and its foot on the face: x = o + v e0 + w (e0 + e1), brought into the triangle.
  void foot(const Vector3d& normal, const Vector3d& o, const Vector3d& e0, const Vector3d& e1, const Vector3d& x,
            Feature feature, bool is_a) {
    const double area = e0.cross(e1).dot(normal);
    if (!(area > 0x1p-1000)) return;
    const Vector3d side = (x - o).cross(normal);
    const double w = clamp01(side.dot(e0) / area);
    const double v = std::min(clamp01(-side.dot(e0 + e1) / area), 1.0 - w);
    const Vector3d on_face = o + v * e0 + w * (e0 + e1);
    try_witness(is_a ? Witness{on_face, x, Feature::Face, feature} : Witness{x, on_face, feature, Feature::Face});
  }
};

}  // namespace

void search_thoroughly(const LocalPair& l, Bracket& found) { Search(l, found).run(); }

}  // namespace planner_ccd::triangle_detail
