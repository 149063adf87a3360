#include <cmath>
#include <sstream>

#include "planner_ccd/certificate/verifier/verify.hpp"

namespace pccd {
namespace {

/// Names of a file on a terminal: control characters replaced.
std::string plain(const std::string& text) {
  std::string out = text;
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return out;
}

double value_at(const Curve& c, double u) {
  double sum = 0.0;
  for (int i = c.degree; i >= 0; --i) sum = sum * u + c.c[static_cast<std::size_t>(i)];
  return sum;
}

void show_motion(const Statement& s, std::ostream& out) {
  out << "MOTION: " << s.segments.size() << " segments, on its clock from " << s.segments.front().begin << " to "
      << s.segments.back().end << ". Each is proved for u in [0, 1], all instants.\n";
  double jump = 0.0;
  for (std::size_t i = 1; i < s.segments.size(); ++i)
    for (std::size_t k = 0; k < s.curves.size(); ++k)
      jump =
          std::max(jump, std::abs(value_at(s.segments[i - 1].curves[k], 1.0) - value_at(s.segments[i].curves[k], 0.0)));
  out << "  Between one segment and the next no value jumps by more than " << jump << ".\n";
  for (std::size_t k = 0; k < s.curves.size(); ++k) {
    double tube = 0.0;
    for (const Segment& segment : s.segments) tube = std::max(tube, segment.curves[k].tube);
    out << "  " << plain(s.curves[k].name) << ": from " << value_at(s.segments.front().curves[k], 0.0) << " to "
        << value_at(s.segments.back().curves[k], 1.0) << ", limits " << s.curves[k].lower << " to " << s.curves[k].upper
        << " (not part of the proof); within " << tube << " of the stated curve\n";
  }
}

void show_bodies(const Statement& s, std::ostream& out) {
  out << "BODIES: " << s.colliders.size() << " colliders on " << s.bodies.size()
      << " rigid bodies, the world included.\n";
  for (const Collider& c : s.colliders) {
    std::size_t open = 0;
    for (const Primitive& p : c.primitives)
      open += p.group == kNone && !c.sources[p.source].cylinder && c.sources[p.source].radius == 0.0;
    out << "  " << plain(c.name) << (c.is_link ? " (link" : " (object") << ", body " << c.body
        << "): " << c.primitives.size() << " primitives";
    if (open > 0)
      out << "; " << open << " of them in surfaces WITHOUT AN INSIDE: what lies wholly behind these is not seen";
    out << "\n";
  }
}

void show_pairs(const Statement& s, std::ostream& out) {
  out << "PAIRS: " << s.pairs.size() << " proved apart, " << s.excluded.size() << " not checked.\n";
  for (const Pair& p : s.pairs) {
    if (p.margin == s.margin) continue;
    out << "  other margin, " << p.margin << " m: " << plain(s.colliders[p.a].name) << " and "
        << plain(s.colliders[p.b].name) << "\n";
  }
  for (const Pair& e : s.excluded) {
    out << "  not checked: " << plain(s.colliders[e.a].name) << " and " << plain(s.colliders[e.b].name) << " ("
        << plain(e.reason) << ")\n";
  }
  out << "  Colliders on one rigid body are not checked against each other.\n";
}

}  // namespace

std::string show(const Statement& s) {
  std::ostringstream out;
  out << "CLAIM: everywhere on the motion all pairs but those listed as not checked are more than " << s.margin
      << " m apart (or the margin listed for the pair), and nothing is inside of anything.\n";
  out << "OF: " << plain(s.title) << "; written by " << plain(s.producer) << "\n";
  show_motion(s, out);
  show_bodies(s, out);
  show_pairs(s, out);
  for (const std::string& note : s.notes) out << "NOTE: " << plain(note) << "\n";
  for (const InputFile& f : s.inputs) {
    out << "INPUT: " << plain(f.role) << " " << plain(f.name) << ", " << f.size << " bytes, SHA-256 "
        << to_hex(f.digest) << "\n";
  }
  out << "STATEMENT SHA-256: " << to_hex(s.digest) << "\n";
  return out.str();
}

}  // namespace pccd
