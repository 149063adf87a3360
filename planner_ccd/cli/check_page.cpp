#include "planner_ccd/cli/check_page.hpp"

#include <algorithm>

#include "planner_ccd/cli/timeline_report.hpp"

namespace planner_ccd::cli {
namespace {

constexpr std::size_t kNamedAssumptions = 40;  // on one line of the page

viewer::EntryKind kind_of(const Finding& f) {
  switch (f.kind) {
    case FindingKind::Contact:
    case FindingKind::ContactAtStart:
    case FindingKind::ContactAtEnd: return viewer::EntryKind::Contact;
    case FindingKind::Margin: return viewer::EntryKind::Margin;
    case FindingKind::Undecided: return viewer::EntryKind::Undecided;
    case FindingKind::JointLimit:
    case FindingKind::VelocityLimit:
    case FindingKind::AccelerationLimit:
    case FindingKind::JerkLimit:
    case FindingKind::StartJump: return viewer::EntryKind::Limit;
    case FindingKind::TimeNotIncreasing:
    case FindingKind::FullTurn: return viewer::EntryKind::Note;
  }
  return viewer::EntryKind::Note;
}

/// "contact_at_start" as a title: "Contact at start".
std::string title_of(const Finding& f) {
  std::string title = f.contact && f.contact->inside  ? "Inside"
                      : f.kind == FindingKind::Margin ? "too close"
                                                      : to_string(f.kind);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

/// The end of a finding. If unknown: the witness of a contact, the end of an undecided segment.
double end_of(const CheckReport& report, const Finding& f) {
  if (f.has_end) return f.end.to;
  if (f.kind != FindingKind::Undecided) return f.begin.to;
  return report.trajectory.segments[static_cast<std::size_t>(f.segment)].t1;
}

viewer::Entry page_finding(const CheckReport& report, const Finding& f) {
  const Scene& scene = scene_during(report, f.segment);
  viewer::Entry finding;
  finding.kind = kind_of(f);
  finding.title = title_of(f);
  finding.text = f.message;
  finding.begin = f.begin.from;
  finding.end = std::max(f.begin.from, end_of(report, f));
  finding.moment = f.coordinate >= 0 ? f.at : f.begin.to;
  if (!f.contact) return finding;
  const Contact& contact = *f.contact;
  finding.a = {contact.a};
  finding.b = {contact.b};
  if (contact.inside) return finding;
  finding.touch = viewer::Touch{contact.point_a, contact.point_b, contact.normal};
  const auto mark = [&](const std::string& name, int geometry, int triangle) {
    if (const auto marked = viewer::marked_triangle(report.checker.robot(), scene, name, geometry, triangle)) {
      finding.triangles.push_back(*marked);
    }
  };
  mark(contact.a, contact.geometry_a, contact.triangle_a);
  mark(contact.b, contact.geometry_b, contact.triangle_b);
  return finding;
}

/// The state of the whole motion: free except for contacts and undecided parts, unchecked after a contact without an
/// end.
std::vector<viewer::Span> spans_of(const CheckReport& report) {
  const double end = report.trajectory.segments.back().t1;
  double known = report.trajectory.segments.front().t0;
  std::vector<viewer::Span> spans;
  const auto add = [&](double until, viewer::SpanKind kind) {
    if (until <= known) return;
    spans.push_back({known, until, kind});
    known = until;
  };
  std::vector<const Finding*> met;
  for (const Finding& f : report.result.findings) {
    if (f.contact || f.kind == FindingKind::Undecided) met.push_back(&f);
  }
  std::stable_sort(met.begin(), met.end(),
                   [](const Finding* x, const Finding* y) { return x->begin.from < y->begin.from; });
  for (const Finding* f : met) {
    add(f->begin.from, viewer::SpanKind::Free);
    const auto kind = f->kind == FindingKind::Margin ? viewer::SpanKind::Margin
                      : f->contact                   ? viewer::SpanKind::Contact
                                                     : viewer::SpanKind::Undecided;
    add(end_of(report, *f), kind);
    if (!f->has_end) add(end, viewer::SpanKind::Unchecked);
  }
  add(end, viewer::SpanKind::Free);
  return spans;
}

}  // namespace

std::vector<viewer::Piece> pieces_of(const RobotModel& robot, const Trajectory& trajectory) {
  std::vector<viewer::Piece> pieces;
  EdgeMotion motion(robot);
  double begin = trajectory.segments.front().t0;
  for (const TrajectorySegment& segment : trajectory.segments) {
    const double end = std::max(begin, segment.t1);  // the page's clock never runs back
    motion.set_segment(segment);
    pieces.push_back(viewer::piece_of(motion, begin, end));
    begin = end;
  }
  if (pieces.back().end == pieces.front().begin) pieces.clear();
  return pieces;
}

viewer::PageContent check_page(const CheckReport& report, const Trajectory& trajectory, const Scene& scene) {
  const PathReport& result = report.result;
  viewer::PageContent content;
  content.robot = &report.checker.robot();
  content.scene = &scene;
  content.title = content.robot->name();
  content.verdict = to_string(result.verdict);
  content.margin = report.checked.margin;
  content.time_is_known = trajectory.timed;
  content.motion = pieces_of(*content.robot, trajectory);
  content.rest = configuration(*content.robot, trajectory.segments.front(), 0.0);
  content.spans = spans_of(report);
  const bool all =
      std::all_of(result.findings.begin(), result.findings.end(), [](const Finding& f) { return f.has_end; });
  switch (result.verdict) {
    case Verdict::Free: content.summary = "Proved free of collision everywhere on the motion."; break;
    case Verdict::Contact:
      content.summary = all ? "Proved free but for the contacts listed."
                            : "Proved free up to the contact; what comes after was not checked.";
      break;
    case Verdict::Undecided: content.summary = "The budget was spent before an answer was found."; break;
  }
  for (const Assumption& a : report.assumptions) content.assumptions.push_back(to_line(a, kNamedAssumptions));
  for (const Finding& f : result.findings) content.findings.push_back(page_finding(report, f));
  if (report.timeline) show_events(*report.timeline, content);
  for (const ClearancePiece& piece : result.profile) {
    const PairClearance& nearest = piece.nearest;
    content.profile.push_back({piece.from, piece.to, nearest.lower, nearest.upper, nearest.a, nearest.b});
  }
  if (report.tracking_limit) content.tracking = report.tracking_limit->by_segment;
  return content;
}

}  // namespace planner_ccd::cli
