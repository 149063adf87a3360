#pragma once

#include "planner_ccd/triangle_ccd/plucker.hpp"

namespace planner_ccd::plucker {

/// The expel zone of van Waveren (2005), section 3: a layer of thickness e around the fixed body that is larger than any
/// rounding error of a query. A feature is stopped where it enters the layer; inside, it may only move outwards. So an
/// error can leave a body a little inside the layer, but never inside the other body, and the next query lets it out.
///
/// Each function returns how much of the motion, in [0, 1], the pair may make; the caller then checks whether the
/// features meet between their bounds (sidedness). Differences from the paper: f is -alpha/beta; the root of the linear
/// case is
/// -c/(2b); features deep behind a plane are left alone (they belong to another part of the surface); and a rotating feature
/// that leaves the zone and comes back is stopped at the *inward* crossing (the maximum of both roots can be the outward
/// one).

/// 3.1. alpha: signed distance of the vertex from the plane; beta: its change over the motion. 1: no stop.
double expel_translating_vertex(double alpha, double beta, double e);

/// 3.2. f_edge and f_expanded: when the moving line meets the fixed edge, and the line of its expanded planes. 1: no stop.
double expel_translating_edge(double f_edge, double f_expanded);

/// Where a rotating pair has to stop, if it is between its bounds, and where it would meet without the zone (2: nowhere).
/// The paper asks for the bounds at the stop, along the direction of motion; but on an arc that reaches the plane at a
/// grazing angle this is not where the features meet. They are to be compared at both.
struct Stop {
  double fraction;
  double contact;
};

struct Stops {
  std::array<Stop, 2> items{};
  int count = 0;
};

/// 3.3. h: signed distance from the plane, a rotation (3) of plucker.hpp with s = 0 at the start; `angle` in (0, pi/2].
Stops expel_rotating_vertex(const Height& h, double e, double angle);

/// 3.4. `edge` is the side product of the moving line with the fixed edge, and `gap` what moving the edge out by a unit
/// adds to it, so that the line stands
///     height = -edge / gap,     d height/ds has the sign of   edge gap' - edge' gap,                       (5)
/// above the edge; (5) is again of the form (3). (The paper takes the derivative of `edge - e gap` for the one of the
/// height; that also changes when only the angle between the lines does, and would hold a body that slides in the zone.)
///
/// Both roots can be inward crossings: the moving line may sweep past the edge's line far from the edge, recede beyond all
/// bounds as it becomes parallel to the way out, and come back. With only the smallest root, as printed, contacts are
/// missed (one motion in some thousand of the tests).
Stops expel_rotating_edge(const Height& edge, const Height& gap, double e, double angle);

}  // namespace planner_ccd::plucker
