#include <charconv>
#include <numeric>
#include <sstream>

#include "planner_ccd/certificate/verifier/motion.hpp"
#include "planner_ccd/certificate/verifier/verify.hpp"

/// verify.py --show prints the same.
namespace pccd {
namespace {

std::string digits(double x, int count) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, count).ptr};
}
double meant(const std::string& text) {
  double x = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}
/// A number of the file, with so many digits that no other double is meant.
std::string exact(double x) {
  int count = 1;
  while (count < 17 && meant(digits(x, count)) != x) ++count;
  return digits(x, count);
}
/// A bound, which is computed in other ways elsewhere: with more than these differ by.
std::string at_most(double x) {
  const double y = x * (1.0 + 1e-9) + 1e-12;
  double z = std::max(y, 1e-9);
  while (meant(digits(z, 6)) < y) z += 1e-6 * z;
  return digits(z, 6);
}

double end_of(const Curve& c) { return std::accumulate(c.c.rbegin(), c.c.rend(), 0.0); }

/// The farthest that a point within `reach` of its body's origin is moved from one pose to the other. A rotation less another one
/// lengthens a vector by no more than its Frobenius norm / sqrt(2).
double jump(const Relative& a, const Relative& b, double reach) {
  double squares = 0.0;
  for (std::size_t i = 0; i < 9; ++i) squares += std::pow(a.R.m[i / 3][i % 3] - b.R.m[i / 3][i % 3], 2);
  const double turned = above(std::sqrt(0.5 * squares) + 2.0 * (a.R.error + b.R.error));
  return up((a.p[0] - b.p[0]).length() + up(turned * reach));
}

double greatest_jump(const Statement& s) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 31;
  Motion motion(s);
  double most = 0.0;
  for (const Collider& c : s.colliders) {
    double reach = 0.0, radius = 0.0;
    for (const auto& v : c.vertices) reach = std::max(reach, Near{v}.length());
    for (const Source& source : c.sources) radius = std::max(radius, source.radius);
    for (std::size_t i = 1; c.body != 0 && i < s.segments.size(); ++i) {
      motion.set_segment(i - 1);
      const Relative before = motion.over(c.body, 0, kEnd, kEnd);
      motion.set_segment(i);
      most = std::max(most, jump(before, motion.over(c.body, 0, 0, 0), up(reach + radius)));
    }
  }
  return most;
}

void show_motion(const Statement& s, std::ostream& out) {
  out << "MOTION: " << s.segments.size()
      << " segments, of each all u in [0, 1]; on a clock, no part of the proof, from "
      << exact(s.segments.front().begin) << " to " << exact(s.segments.back().end)
      << "\n  Between one segment and the next no point of a collider jumps by more than " << at_most(greatest_jump(s))
      << " m.\n";
  for (std::size_t k = 0; k < s.curves.size(); ++k) {
    double tube = 0.0;
    for (const Segment& segment : s.segments) tube = std::max(tube, segment.curves[k].tube);
    out << "  " << s.curves[k].name << ": from " << digits(s.segments.front().curves[k].c[0], 9) << " to "
        << digits(end_of(s.segments.back().curves[k]), 9) << ", limits " << exact(s.curves[k].lower) << " to "
        << exact(s.curves[k].upper) << " (no part of the proof); within " << exact(tube) << " of the stated curve\n";
  }
  for (std::size_t b = 1; b < s.bodies.size(); ++b) {
    for (const Move& move : s.bodies[b].moves) {
      if (move.curve == kNone || (move.multiplier == 1.0 && move.offset == 0.0)) continue;
      out << "  body " << b << " is " << (move.kind == MoveKind::Translation ? "shifted" : "turned") << " by "
          << exact(move.multiplier) << " times " << s.curves[move.curve].name << ", plus " << exact(move.offset)
          << "\n";
    }
  }
}

/// Of what the surface winds about, counted as often as it does, with its sign: no more than that; 0 where it is not clear that there is any.
double volume(const Collider& c, const Surface& surface) {
  const auto corner = [&](std::uint32_t t, std::size_t k) { return Near{c.vertices[c.primitives[t].vertex[k]]}; };
  NearNumber six;
  for (const std::uint32_t t : surface.triangles) {
    const Near origin = corner(surface.triangles.front(), 0);
    six = six + dot(corner(t, 0) - origin, cross(corner(t, 1) - origin, corner(t, 2) - origin));
  }
  const double size = (Near{surface.box.hi} - Near{surface.box.lo}).length();
  return std::abs(six.x) - six.error > 6e-9 * size * size * size ? (std::abs(six.x) - six.error) / 6.0 : 0.0;
}

void show_collider(const Collider& c, std::ostream& out) {
  std::size_t holding = 0, closed = 0, solid = 0;
  double held = 0.0, thinnest = INFINITY;
  Box box;
  for (const auto& v : c.vertices) box.add(v);
  for (const Surface& surface : c.groups) {
    const double least = volume(c, surface);
    held += least;
    if (least > 0.0) ++holding, closed += surface.triangles.size();
  }
  for (const Primitive& p : c.primitives) {
    const Source& source = c.sources[p.source];
    const auto &x = c.vertices[p.vertex[0]], &y = c.vertices[p.vertex[1]], &z = c.vertices[p.vertex[2]];
    if (!source.cylinder && (source.radius == 0.0 || (x != y && y != z && z != x))) continue;
    ++solid;
    thinnest = std::min(thinnest, source.radius);
  }
  out << "  " << c.name << (c.is_link ? " (link" : " (object") << ", body " << c.body << "), vertices within";
  for (std::size_t k = 0; k < 3; ++k) out << (k == 0 ? " " : " x ") << digits(box.hi[k] - box.lo[k], 4);
  if (closed > 0)
    out << "; " << closed << " triangles in " << holding << " closed surfaces of about " << digits(held, 3) << " m^3";
  if (solid > 0) out << "; " << solid << " balls, rods or cylinders, of radius " << exact(thinnest) << " or more";
  const std::size_t open = c.primitives.size() - solid - closed;
  if (open > 0) out << "; " << open << " triangles WITHOUT AN INSIDE";
  out << "\n";
}

}  // namespace

std::string show(const Statement& s) {
  std::ostringstream out;
  out << "CLAIM: at every instant of every segment, all pairs but those listed as not checked are more than "
      << exact(s.margin) << " m apart (or the pair's other margin), and no part of one is inside of the other.\n"
      << "OF: " << s.title << "; written by " << s.producer << "\n";
  show_motion(s, out);
  out << "BODIES: " << s.colliders.size() << " colliders on " << s.bodies.size()
      << " rigid bodies. Inside is where a closed surface winds about; volumes count a region as often as that,\n  "
         "with its "
         "sign. What lies in a hollow, between balls and rods, or behind triangles WITHOUT AN INSIDE, is not inside.\n";
  for (const Collider& c : s.colliders) show_collider(c, out);
  out << "PAIRS: " << s.pairs.size() << " proved apart, " << s.excluded.size()
      << " not checked; nor are colliders on one rigid body.\n";
  for (const Pair& p : s.pairs) {
    if (p.margin == s.margin) continue;
    out << "  other margin, " << exact(p.margin) << ": " << s.colliders[p.a].name << " and " << s.colliders[p.b].name
        << "\n";
  }
  for (const Pair& e : s.excluded)
    out << "  not checked: " << s.colliders[e.a].name << " and " << s.colliders[e.b].name << ", " << e.reason << "\n";
  for (const std::string& note : s.notes) out << "NOTE: " << note << "\n";
  for (const InputFile& f : s.inputs)
    out << "INPUT: " << f.role << " " << f.name << ", " << f.size << " bytes, SHA-256 " << to_hex(f.digest) << "\n";
  out << "STATEMENT SHA-256: " << to_hex(s.meaning) << "\n";
  return out.str();
}

}  // namespace pccd
