#include "planner_ccd/triangle_ccd/plucker_axis.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/plucker_piece.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using plucker::FeaturePair;
using plucker::PairType;
using plucker::Piece;
using plucker::PieceAdvance;
using plucker::PieceContact;
using plucker::PieceLimits;
using plucker::Span;

constexpr double kTurn = 6.2832;       ///< [rad] Just above 2 pi.
constexpr double kLongestPiece = 3.1;  ///< [rad] Below pi, so that |tan(s/2)| < 1.
constexpr double kLargest = 1e100;     ///< Keeps every product finite.

struct Suspect {
  FeaturePair pair;
  Span span;
};

/// The 6 + 9 pairs, at most 4 spans each.
struct Suspects {
  std::array<Suspect, 60> items;
  int count = 0;
};

Suspects suspects_of(const Piece& piece, double from) {
  Suspects list;
  const auto collect = [&](const FeaturePair& pair) {
    const plucker::Spans spans = piece.suspects(pair);
    for (int s = 0; s < spans.count; ++s) {
      const Span span{std::max(spans.items[s].lo, from), spans.items[s].hi};
      if (span.lo <= span.hi) list.items[list.count++] = {pair, span};
    }
  };
  for (int i = 0; i < 3; ++i) {
    collect({PairType::VertexFace, i, 0});
    collect({PairType::FaceVertex, 0, i});
    for (int j = 0; j < 3; ++j) collect({PairType::EdgeEdge, i, j});
  }
  std::sort(list.items.begin(), list.items.begin() + list.count,
            [](const Suspect& p, const Suspect& q) { return p.span.lo < q.span.lo; });
  return list;
}

/// The witness points are computed from the weights, so that they can be checked; their distance is recomputed.
PieceContact start_contact(const TriangleDistance& d, const Triangle& a, const Triangle& b, double rounding) {
  PieceContact contact;
  const ClosestFeatures on_a = closest_point_triangle(d.point_a, a);
  const ClosestFeatures on_b = closest_point_triangle(d.point_b, b);
  contact.closest = {on_a.weights_b, on_b.weights_b, on_a.point_b, on_b.point_b};
  contact.normal = d.normal;
  contact.distance = (on_a.point_b - on_b.point_b).norm() * (1.0 + 16.0 * kUnitRoundoff) + 2.0 * rounding;
  return contact;
}

/// The motion with its axis through the origin and its angle or distance increasing.
class AxisWalk {
 public:
  AxisWalk(const Triangle& a, const Triangle& b, const AxisMotion& motion, const LeafOptions& options)
      : options_(options), rotation_(motion.kind == AxisMotion::Kind::Rotation) {
    const double forwards = motion.to >= motion.from ? 1.0 : -1.0;
    k_ = forwards * motion.axis.stableNormalized();
    from_ = forwards * motion.from;
    length_ = forwards * motion.to - from_;
    Vector3d centre = (a[0] + a[1] + a[2] + b[0] + b[1] + b[2]) / 6.0;
    if (rotation_) centre = motion.origin + k_ * k_.dot(centre - motion.origin);
    centre_ = centre;
    for (int i = 0; i < 3; ++i) {
      a_[i] = a[i] - centre;
      b_[i] = b[i] - centre;
    }
    set_clearance(motion);
    usable_ = motion.axis.allFinite() && motion.axis.stableNorm() > 0.0 && limits_.rounding <= kLargest &&
              std::isfinite(length_) && std::isfinite(options.min_separation);
  }

  LeafResult run() {
    result_.t_hi = options_.t_max;
    if (!usable_) return result_;
    const double length = options_.t_max * length_;
    if (!rotation_) {
      const Vector3d shift = from_ * k_;
      const Triangle start{a_[0] + shift, a_[1] + shift, a_[2] + shift};
      if (walk(Piece(plucker::Kind::Translation, k_, length, start, b_, limits_, {0.0, 1.0}), 0.0)) return result_;
    } else if (turn_by(std::min(length + 8.0 * kUnitRoundoff * (std::abs(from_) + length_), kTurn))) {
      return result_;
    }
    result_.verdict = Verdict::Free;
    result_.t_lo = options_.t_max;
    return result_;
  }

 private:
  /// The error of positions: of the axis, of corners relative to the middle, and of their rotation. (MATHS.md T10)
  void set_clearance(const AxisMotion& motion) {
    double size = 0.0;
    double far = centre_.norm();
    for (int i = 0; i < 3; ++i) size = std::max({size, a_[i].norm(), b_[i].norm()});
    if (rotation_) {
      far += motion.origin.norm();
    } else {
      size += std::abs(motion.from) + std::abs(motion.to);
    }
    limits_ = {options_.min_separation, options_.tolerance, size, 64.0 * kUnitRoundoff * (size + far)};
  }

  /// Rotation in pieces; true when the search is over.
  bool turn_by(double angle) {
    const int pieces = std::max(1, static_cast<int>(std::ceil(angle / kLongestPiece)));
    for (int p = 0; p < pieces; ++p) {
      const double begin = from_ + angle * p / pieces;
      const double end = from_ + angle * (p + 1) / pieces;
      middle_ = 0.5 * (begin + end);
      const double half = std::max(end - middle_, middle_ - begin) * (1.0 + 4.0 * kUnitRoundoff);
      const double r = std::tan(0.5 * half) * (1.0 + 8.0 * kUnitRoundoff);
      Triangle a;
      for (int i = 0; i < 3; ++i) {
        const Vector3d along = k_ * k_.dot(a_[i]);
        a[i] = along + std::cos(middle_) * (a_[i] - along) + std::sin(middle_) * k_.cross(a_[i]);
      }
      if (walk(Piece(plucker::Kind::Rotation, k_, 0.0, a, b_, limits_, {-r, r}), -r)) return true;
    }
    return false;
  }

  /// The direction between the centres at the piece's middle separates most pairs throughout, without a distance query.
  bool parted_by_centres(const Piece& piece) const {
    const double middle = 0.5 * (piece.domain().lo + piece.domain().hi);
    const Triangle a = piece.moved(middle);
    const Span free = piece.free_around((b_[0] + b_[1] + b_[2]) - (a[0] + a[1] + a[2]), middle);
    return free.lo < piece.domain().lo && free.hi > piece.domain().hi;
  }

  /// One piece; true when the search is over.
  bool walk(const Piece& piece, double begin) {
    ++result_.iterations;
    if (parted_by_centres(piece)) {
      started_ = true;
      return false;
    }
    const Triangle a = piece.moved(begin);
    const TriangleDistance d = triangle_distance(a, b_);
    const Span free = piece.free_around(d.normal, begin);
    if (free.hi > piece.domain().hi) return false;
    if (free.lo >= free.hi && !started_) {
      // Not apart even at the start (a later piece begins where one was proved free).
      PieceContact contact = start_contact(d, a, b_, limits_.rounding);
      contact.r = begin;
      return finish(begin, contact);
    }
    started_ = true;
    return search(piece, std::max(begin, free.hi));
  }

  bool search(const Piece& piece, double begin) {
    const Suspects list = suspects_of(piece, begin);
    int budget = options_.max_iterations - result_.iterations;
    const int granted = budget;
    double proved = piece.domain().hi;
    std::optional<PieceContact> first;
    for (int i = 0; i < list.count; ++i) {
      Span span = list.items[i].span;
      span.hi = std::min(span.hi, proved);
      if (span.lo > span.hi) continue;
      const PieceAdvance advance = piece.advance(list.items[i].pair, span, budget);
      if (advance.verdict == Verdict::Free) continue;
      unresolved_ = true;
      proved = std::min(proved, advance.proved);
      if (advance.verdict == Verdict::Contact && (!first || advance.contact.r < first->r)) first = advance.contact;
    }
    result_.iterations += granted - std::max(budget, 0);
    if (!unresolved_) return false;
    if (first) return finish(proved, *first);
    result_.t_lo = time_at(proved, -1.0);
    return true;
  }

  bool finish(double proved, const PieceContact& contact) {
    result_.t_lo = time_at(proved, -1.0);
    if (!(contact.distance <= options_.min_separation + options_.tolerance)) return true;
    result_.verdict = Verdict::Contact;
    result_.t_hi = std::max(result_.t_lo, time_at(contact.r, 0.0));
    result_.weights_a = contact.closest.weights_a;
    result_.weights_b = contact.closest.weights_b;
    result_.feature_a = feature_of(result_.weights_a);
    result_.feature_b = feature_of(result_.weights_b);
    result_.point_a = contact.closest.point_a + centre_;
    result_.point_b = contact.closest.point_b + centre_;
    result_.normal = contact.normal;
    result_.tolerance_reached =
        std::max(0.0, (contact.distance - options_.min_separation) * (1.0 + 4.0 * kUnitRoundoff));
    return true;
  }

  /// The time of r, rounded down (direction -1) or to nearest (0): the angle is within 4u (|angle| + 1) of the truth.
  double time_at(double r, double direction) const {
    const double done = rotation_ ? (middle_ - from_) + 2.0 * std::atan(r) : options_.t_max * length_ * r;
    const double error =
        rotation_ ? 8.0 * kUnitRoundoff * (std::abs(middle_) + std::abs(from_) + 4.0) : 8.0 * kUnitRoundoff * length_;
    const double t = length_ > 0.0 ? (done + direction * error) / length_ : 0.0;
    return std::clamp(direction < 0.0 ? t * (1.0 - 4.0 * kUnitRoundoff) : t, 0.0, options_.t_max);
  }

  const LeafOptions& options_;
  bool rotation_;
  bool usable_ = false;
  bool started_ = false;
  bool unresolved_ = false;
  Vector3d k_;
  Vector3d centre_;
  double from_ = 0.0;
  double length_ = 0.0;
  double middle_ = 0.0;
  Triangle a_;
  Triangle b_;
  PieceLimits limits_;
  LeafResult result_;
};

}  // namespace

LeafResult axis_triangle_ccd(const Triangle& a, const Triangle& b, const AxisMotion& motion,
                             const LeafOptions& options) {
  return AxisWalk(a, b, motion, options).run();
}

}  // namespace planner_ccd
