#include "planner_ccd/cli/check_page.hpp"

#include <algorithm>

#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::cli {
namespace {

using viewer::Finding;
using viewer::FindingKind;

double time_at(const Trajectory& trajectory, int segment, double u) {
  const TrajectorySegment& s = trajectory.segments[static_cast<std::size_t>(segment)];
  return s.t0 + u * (s.t1 - s.t0);
}

Finding contact_finding(const CheckReport& report, const Trajectory& trajectory, const Scene& scene) {
  const Contact& contact = *report.result.edge.contact;
  const RobotModel& robot = report.checker.robot();
  Finding finding;
  finding.kind = FindingKind::Contact;
  finding.title = contact.inside ? "Inside" : "Contact";
  finding.begin = time_at(trajectory, report.result.segment, report.result.edge.t_free);
  finding.end = finding.moment = time_at(trajectory, report.result.segment, contact.t);
  finding.a = {contact.a};
  finding.b = {contact.b};
  if (contact.inside) {
    finding.text = "One closed body lies inside the other.";
    return finding;
  }
  finding.touch = viewer::Touch{contact.point_a, contact.point_b, contact.normal};
  const auto mark = [&](const std::string& name, int geometry, int triangle) {
    if (const auto marked = viewer::marked_triangle(robot, scene, name, geometry, triangle)) {
      finding.triangles.push_back(*marked);
    }
  };
  mark(contact.a, contact.geometry_a, contact.triangle_a);
  mark(contact.b, contact.geometry_b, contact.triangle_b);
  return finding;
}

}  // namespace

std::vector<viewer::Piece> pieces_of(const RobotModel& robot, const Trajectory& trajectory) {
  std::vector<viewer::Piece> pieces;
  EdgeMotion motion(robot);
  double begin = trajectory.segments.front().t0;
  for (const TrajectorySegment& segment : trajectory.segments) {
    const double end = std::max(begin, segment.t1);  // the page's clock only goes on
    motion.set_segment(segment);
    pieces.push_back(viewer::piece_of(motion, begin, end));
    begin = end;
  }
  if (pieces.back().end == pieces.front().begin) pieces.clear();
  return pieces;
}

std::vector<std::pair<std::string, std::string>> page_facts(const Arguments& arguments) {
  std::vector<std::pair<std::string, std::string>> facts = {{"planner_ccd", PLANNER_CCD_VERSION}};
  for (const Option& option : option_table()) {
    if (option.name == "html" || option.name == "json") continue;
    for (const std::string& value : arguments.all(option.name)) facts.emplace_back("--" + option.name, value);
  }
  return facts;
}

viewer::PageContent check_page(const CheckReport& report, const Trajectory& trajectory, const Scene& scene) {
  const PathResult& result = report.result;
  viewer::PageContent content;
  content.robot = &report.checker.robot();
  content.scene = &scene;
  content.title = content.robot->name();
  content.verdict = to_string(result.verdict);
  content.margin = report.margin;
  content.time_is_known = trajectory.timed;
  content.motion = pieces_of(*content.robot, trajectory);
  content.rest = configuration(*content.robot, trajectory.segments.front(), 0.0);
  const double begin = trajectory.segments.front().t0, end = trajectory.segments.back().t1;
  const double proved = result.verdict == Verdict::Free ? end : time_at(trajectory, result.segment, result.edge.t_free);
  content.spans.push_back({begin, proved, viewer::SpanKind::Free});
  switch (result.verdict) {
    case Verdict::Free: content.summary = "Proved free of collision everywhere on the motion."; break;
    case Verdict::Contact:
      content.summary = "Proved free up to the contact; what comes after was not checked.";
      content.findings.push_back(contact_finding(report, trajectory, scene));
      content.spans.push_back({proved, content.findings.back().moment, viewer::SpanKind::Contact});
      break;
    case Verdict::Undecided: {
      content.summary = "The budget was spent before an answer was found.";
      const double segment_end = time_at(trajectory, result.segment, 1.0);
      Finding finding;
      finding.kind = FindingKind::Undecided;
      finding.title = "Undecided";
      finding.begin = finding.moment = proved;
      finding.end = segment_end;
      content.findings.push_back(finding);
      content.spans.push_back({proved, segment_end, viewer::SpanKind::Undecided});
      break;
    }
  }
  if (content.spans.back().end < end) {
    content.spans.push_back({content.spans.back().end, end, viewer::SpanKind::Unchecked});
  }
  return content;
}

}  // namespace planner_ccd::cli
