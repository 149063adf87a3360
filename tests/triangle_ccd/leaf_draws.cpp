#include "triangle_ccd/leaf_draws.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace planner_ccd::test {
namespace {

using Eigen::Vector3d;

}  // namespace

const std::vector<Family>& all_families() {
  static const std::vector<Family> families{Family::UnitCube, Family::SmallMoves, Family::Grazing,
                                            Family::Coplanar, Family::Collinear,  Family::ZeroLength,
                                            Family::Static,   Family::Scales,     Family::Robot};
  return families;
}

std::string name(Family family) {
  switch (family) {
    case Family::UnitCube: return "unit_cube";
    case Family::SmallMoves: return "small_moves";
    case Family::Grazing: return "grazing";
    case Family::Coplanar: return "coplanar";
    case Family::Collinear: return "collinear";
    case Family::ZeroLength: return "zero_length";
    case Family::Static: return "static";
    case Family::Scales: return "scales";
    case Family::Robot: return "robot";
  }
  return "";
}

FourPoints LeafDraws::draw(Family family, bool edges) {
  switch (family) {
    case Family::UnitCube: return cube();
    case Family::SmallMoves: {
      FourPoints p = cube();
      const double reach = std::pow(10.0, -integer(1, 3));
      for (MovingPoint& x : p) x.end = x.start + vector(reach);
      return p;
    }
    case Family::Grazing: return grazing(edges);
    case Family::Coplanar: return integer(0, 3) == 0 ? flat() : coplanar();
    case Family::Collinear: return collinear(edges);
    case Family::ZeroLength: return zero_length(edges);
    case Family::Static: return at_rest(edges);
    case Family::Scales: return scaled(edges);
    case Family::Robot: return robot(edges);
  }
  return cube();
}

FourPoints LeafDraws::cube() {
  FourPoints p;
  for (MovingPoint& x : p) x = {in_cube(), in_cube()};
  return p;
}

FourPoints LeafDraws::grazing(bool edges) {
  // All corners at the time of contact, on a lattice half of the time (exact arithmetic), moved there from either side.
  FourPoints p;
  const bool exact = integer(0, 1) == 0;
  const double times[] = {0.0, 1.0, 0.5, 0.25, 0.75};
  const double t = exact ? times[integer(0, 4)] : uniform(0, 1);
  Vector3d at[4];
  for (Vector3d& x : at) x = exact ? Vector3d(lattice(8) / 8) : Vector3d(vector(1.0));
  const double weights[] = {0.0, 1.0, 0.5, 0.25};
  const double a = exact ? weights[integer(0, 3)] : uniform(0, 1);
  const double b = exact ? weights[integer(0, 3)] : uniform(0, 1);
  if (edges)
    at[0] = at[1] + (1 + a) * ((1 - b) * at[2] + b * at[3] - at[1]);  // the edge 1 0 passes through edge 2 3
  else
    at[0] = at[1] + a * (1 - b) * (at[2] - at[1]) + b * (at[3] - at[1]);
  const int power = integer(0, 13);
  if (power > 0) at[0] += vector(std::pow(10.0, -3 - power));
  for (int i = 0; i < 4; ++i) {
    const Vector3d v = exact ? Vector3d(lattice(4) / 4) : Vector3d(vector(1.0));
    p[i] = {at[i] - t * v, at[i] + (1 - t) * v};
  }
  return p;
}

FourPoints LeafDraws::coplanar() {
  // Integers in a plane spanned by two integer vectors: exactly coplanar for all t.
  const Vector3d e = lattice(2), f = lattice(2), origin = lattice(3);
  const double unit = std::pow(2.0, integer(-8, 4));
  FourPoints p;
  for (MovingPoint& x : p) {
    x.start = unit * (origin + integer(-6, 6) * e + integer(-6, 6) * f);
    x.end = unit * (origin + integer(-6, 6) * e + integer(-6, 6) * f);
  }
  return p;
}

FourPoints LeafDraws::flat() {
  // Reals in a coordinate plane; the first corner starts near the border or edge 2 3.
  const int axis = integer(0, 2), level = integer(-2, 2);
  FourPoints p = cube();
  const double share = uniform(0, 1);
  p[0].start = (1 - share) * p[2].start + share * p[3].start + vector(std::pow(10.0, -integer(4, 10)));
  for (MovingPoint& x : p) x.start[axis] = x.end[axis] = level;
  return p;
}

FourPoints LeafDraws::collinear(bool edges) {
  FourPoints p = cube();
  const int kind = integer(0, 3);
  const Vector3d along = lattice(3);
  if (kind == 0) {  // everything on one line
    const Vector3d origin = lattice(3);
    for (MovingPoint& x : p) x = {origin + integer(-5, 5) * along, origin + integer(-5, 5) * along};
    return p;
  }
  // A face whose corners stay on a moving line, or two edges that stay parallel; for kind 3 at one end only.
  const Vector3d s = lattice(2), e = lattice(2), other = kind == 1 ? along : lattice(3);
  const int first = edges ? 0 : 1;
  for (int i = first; i < 4; ++i) {
    const Vector3d shift = edges && i > 1 ? lattice(2) : Vector3d(Vector3d::Zero());
    if (i == first || !edges || i < 2)
      p[i] = {s + integer(-4, 4) * along, e + integer(-4, 4) * other};
    else
      p[i] = {shift + s + integer(-4, 4) * along, shift + e + integer(-4, 4) * other};
  }
  if (!edges) p[0] = {lattice(4), lattice(4)};
  if (kind == 3) p[3].end += lattice(1);
  return p;
}

FourPoints LeafDraws::zero_length(bool edges) {
  FourPoints p = integer(0, 1) ? cube() : grazing(edges);
  const int from = edges ? 2 * integer(0, 1) : integer(1, 2);
  const int to = edges ? from + 1 : integer(from + 1, 3);
  if (integer(0, 2) > 0)
    p[to] = p[from];
  else
    p[to].end = p[from].end;
  if (integer(0, 3) == 0) (edges ? p[1] : p[2]) = (edges ? p[0] : p[1]);
  if (integer(0, 3) == 0) p[0] = {p[3].start, p[2].end};
  return p;
}

FourPoints LeafDraws::at_rest(bool edges) {
  FourPoints p = integer(0, 1) ? cube() : grazing(edges);
  const bool lattice_shift = integer(0, 1) == 0;
  const Vector3d shift = integer(0, 1)   ? Vector3d(Vector3d::Zero())
                         : lattice_shift ? Vector3d(lattice(4))
                                         : Vector3d(vector(1.0));
  const int moving = integer(0, 2) == 0 ? integer(0, 3) : 4;
  for (int i = 0; i < 4; ++i) {
    if (i != moving) p[i].end = p[i].start + shift;
  }
  return p;
}

FourPoints LeafDraws::scaled(bool edges) {
  FourPoints p = integer(0, 1) ? cube() : grazing(edges);
  const double size = std::pow(10.0, uniform(-3, 5));
  const Vector3d offset = integer(0, 1) ? Vector3d(Vector3d::Zero()) : Vector3d(vector(1e5));
  const double reach = std::pow(10.0, -integer(0, 3));
  for (MovingPoint& x : p) {
    x.end = x.start + reach * (x.end - x.start);
    x.start = size * x.start + offset;
    x.end = size * x.end + offset;
  }
  return p;
}

FourPoints LeafDraws::robot(bool edges) {
  FourPoints p;
  const double size = std::pow(10.0, uniform(-2.5, -1.0));
  const Vector3d centre = vector(0.5);
  const Eigen::AngleAxisd turn(uniform(-0.1, 0.1), vector(1.0).normalized());
  const Vector3d travel = vector(0.02);
  const int moving = edges ? 2 : 1;
  const Vector3d gap = vector(0.03);
  for (int i = 0; i < 4; ++i) {
    const Vector3d x = centre + vector(size);
    if (i < moving)
      p[i] = {x + gap, turn * (x + gap) + travel};
    else
      p[i] = {x, x};
  }
  return p;
}

}  // namespace planner_ccd::test
