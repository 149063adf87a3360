#include "planner_ccd/viewer/report_page.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd::viewer {
namespace {

constexpr std::size_t kNamedAssumptions = 40;  // on one line of the page

EntryKind kind_of(const Finding& f) {
  switch (f.kind) {
    case FindingKind::Contact:
    case FindingKind::ContactAtStart:
    case FindingKind::ContactAtEnd: return EntryKind::Contact;
    case FindingKind::Margin: return EntryKind::Margin;
    case FindingKind::Undecided: return EntryKind::Undecided;
    case FindingKind::JointLimit:
    case FindingKind::VelocityLimit:
    case FindingKind::AccelerationLimit:
    case FindingKind::JerkLimit:
    case FindingKind::StartJump: return EntryKind::Limit;
    case FindingKind::TimeNotIncreasing:
    case FindingKind::FullTurn: return EntryKind::Note;
  }
  return EntryKind::Note;
}

std::string capitalised(std::string title) {
  std::replace(title.begin(), title.end(), '_', ' ');
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

/// "contact_at_start" as a title: "Contact at start".
std::string title_of(const Finding& f) {
  return capitalised(f.contact && f.contact->inside  ? "Inside"
                     : f.kind == FindingKind::Margin ? "too close"
                                                     : to_string(f.kind));
}

/// The end of a finding. If unknown: the witness of a contact, the end of an undecided segment.
double end_of(const Report& report, const Finding& f) {
  if (f.has_end) return f.end.to;
  if (f.kind != FindingKind::Undecided) return f.begin.to;
  return report.segments[static_cast<std::size_t>(f.segment)].to;
}

Entry page_finding(const Report& report, const Shown& shown, const Finding& f) {
  Entry finding;
  finding.kind = kind_of(f);
  finding.title = title_of(f);
  finding.text = f.message + " (" + when_text(f, report.segments, report.question.timed) + ")";
  finding.begin = f.begin.from;
  finding.end = std::max(f.begin.from, end_of(report, f));
  finding.moment = f.coordinate >= 0 ? f.at : f.begin.to;
  if (!f.contact) return finding;
  const Contact& contact = *f.contact;
  finding.a = {contact.a};
  finding.b = {contact.b};
  if (contact.inside) return finding;
  finding.touch = Touch{contact.point_a, contact.point_b, contact.normal};
  const Scene& scene = shown.timeline ? shown.timeline->stage_of(f.segment).scene : shown.scene;
  const auto mark = [&](const std::string& name, int geometry, int triangle) {
    if (const auto marked = marked_triangle(shown.robot, scene, name, geometry, triangle)) {
      finding.triangles.push_back(*marked);
    }
  };
  mark(contact.a, contact.geometry_a, contact.triangle_a);
  mark(contact.b, contact.geometry_b, contact.triangle_b);
  return finding;
}

/// The state of the whole motion: free except for contacts and undecided parts, unchecked after a contact without an
/// end.
std::vector<Span> spans_of(const Report& report) {
  const double end = report.question.end;
  double known = report.question.begin;
  std::vector<Span> spans;
  const auto add = [&](double until, SpanKind kind) {
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
    add(f->begin.from, SpanKind::Free);
    const auto kind = f->kind == FindingKind::Margin ? SpanKind::Margin
                      : f->contact                   ? SpanKind::Contact
                                                     : SpanKind::Undecided;
    add(end_of(report, *f), kind);
    if (!f->has_end) add(end, SpanKind::Unchecked);
  }
  add(end, report.question.pairs == 0 ? SpanKind::Unchecked : SpanKind::Free);
  return spans;
}

std::string summary_of(const Report& report) {
  const auto& findings = report.result.findings;
  switch (report.result.verdict) {
    case Verdict::Free:
      return report.question.pairs == 0 ? "Nothing was checked: no pair of bodies is compared."
                                        : "Proved free of collision everywhere on the motion.";
    case Verdict::Contact:
      return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.has_end; })
                 ? "Proved free but for the contacts listed."
                 : "Proved free up to the contact; what comes after was not checked.";
    case Verdict::Undecided: return "The budget was spent before an answer was found.";
  }
  return {};
}

std::string number(double x) {
  std::string text = std::to_string(x);
  return text.substr(0, text.find('.') + 4);
}

/// Numbers and facts that have no place of their own on the page.
std::vector<std::pair<std::string, std::string>> numbers_of(const Report& report) {
  const TrajectoryResult& r = report.result;
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("segments", std::to_string(r.segments));
  if (r.verdict != Verdict::Free && r.segment >= 0) {
    rows.emplace_back("proved free before",
                      to_text({r.segment, r.edge.t_free}, report.segments, report.question.timed));
  }
  rows.emplace_back("distance evaluations", std::to_string(r.counters.evaluations()));
  rows.emplace_back("time of the check", number(report.time_us / 1000.0) + " ms");
  if (report.clearance_us > 0.0) {
    rows.emplace_back("evaluations of clearances", std::to_string(r.clearance_counters.evaluations()));
    rows.emplace_back("time of clearances", number(report.clearance_us / 1000.0) + " ms");
  }
  for (const PairClearance& c : r.clearance) {
    rows.emplace_back("clearance of " + c.a + " and " + c.b, (c.known ? number(1e3 * c.lower) + " to " : "at most ") +
                                                                 number(1e3 * c.upper) + " mm" +
                                                                 (c.known ? "" : ", from below not known"));
  }
  if (report.question.clearance_accuracy > 0.0 && !(r.clearance_of_others > 0.0)) {
    rows.emplace_back("clearance of all other pairs", "not known");
  }
  if (!report.proved_apart.empty()) {
    rows.emplace_back("passed over", std::to_string(report.proved_apart.size()) + " of " +
                                         std::to_string(report.question.pairs) +
                                         " pairs, proved apart within the joint limits");
  }
  if (report.tracking_limit) {
    std::string text = tracking_limit_text(*report.tracking_limit).substr(label("").size());
    text.pop_back();
    rows.emplace_back("tracking error", text);
  }
  if (report.certificate) {
    const CertificateResult& c = report.certificate->result;
    rows.emplace_back("certificate", c.proved ? report.certificate->file : "none: " + c.obstacle);
    if (c.proved) rows.emplace_back("SHA-256 of the certificate", c.sha256);
  }
  if (report.executed) {
    rows.emplace_back("executed " + report.executed->file, to_string(report.executed->result.verdict));
    rows.emplace_back("what ran beside the plan", outcome_text(*report.executed));
    for (const Finding& f : report.executed->result.findings) rows.emplace_back("found in what ran", f.message);
  }
  return rows;
}

/// Where every object is during a stage.
void add_stays(const RobotModel& robot, const Timeline::Stage& stage, std::vector<Stay>& stays) {
  for (const SceneObject& object : stage.scene.objects) stays.push_back({object.name, stage.begin, 0, object.pose});
  for (const AttachedObject& a : stage.scene.attached) {
    const Link& link = robot.links()[static_cast<std::size_t>(robot.find_link(a.link))];
    stays.push_back({a.object.name, stage.begin, link.body, link.X_BodyLink * a.object.pose});
  }
}

}  // namespace

std::vector<Piece> pieces_of(const RobotModel& robot, const Trajectory& trajectory) {
  std::vector<Piece> pieces;
  EdgeMotion motion(robot);
  double begin = trajectory.segments.front().t0;
  for (const TrajectorySegment& segment : trajectory.segments) {
    const double end = std::max(begin, segment.t1);  // the page's clock never runs back
    motion.set_segment(segment);
    pieces.push_back(piece_of(motion, begin, end));
    begin = end;
  }
  if (pieces.back().end == pieces.front().begin) pieces.clear();
  return pieces;
}

void show_events(const std::vector<TimelineEvent>& events, PageContent& content) {
  for (const TimelineEvent& event : events) {
    Entry entry;
    entry.kind = EntryKind::Event;
    entry.title = capitalised(to_string(event.kind));
    entry.text = describe(event);
    entry.begin = entry.end = entry.moment = *event.time;
    if (!event.object.empty()) entry.a = {event.object};
    content.findings.push_back(std::move(entry));
  }
  std::stable_sort(content.findings.begin(), content.findings.end(),
                   [](const Entry& x, const Entry& y) { return x.begin < y.begin; });
}

void show_changes(const Timeline& timeline, PageContent& content) {
  const RobotModel& robot = timeline.stages()[0].checker.robot();
  std::set<std::string> handled;
  for (const TimelineEvent& event : timeline.events()) handled.insert(event.object);
  for (const Timeline::Stage& stage : timeline.stages()) add_stays(robot, stage, content.stays);
  std::erase_if(content.stays, [&](const Stay& stay) { return handled.count(stay.item) == 0; });
}

PageContent report_page(const Report& report, const Shown& shown) {
  PageContent content;
  content.robot = &shown.robot;
  content.scene = &shown.scene;
  content.title = report.question.robot;
  const bool vacuous = report.question.pairs == 0 && report.result.verdict == Verdict::Free;
  content.verdict =
      vacuous ? "" : to_string(report.result.verdict);  // a page without one says that nothing was checked
  content.headline = headline(report);
  content.summary = summary_of(report);
  content.margin = report.question.margin;
  content.time_is_known = report.question.timed;
  content.motion = pieces_of(shown.robot, shown.trajectory);
  content.rest = configuration(shown.robot, shown.trajectory.segments.front(), 0.0);
  content.spans = spans_of(report);
  for (const auto& [name, words] : in_words(report.question)) {
    content.question.push_back(std::string(name).append(": ").append(words));
  }
  for (const InputFile& file : report.inputs) content.inputs.push_back({file.role, file.path, file.sha256_hex()});
  content.command_line = report.command;
  for (const InputWarning& w : report.warnings) content.warnings.push_back({to_string(w.kind), w.text});
  for (const std::string& kind : report.refused_by) {
    content.warnings.push_back({"not accepted", kind + " (--strict, --fail-on)"});
  }
  content.numbers = numbers_of(report);
  content.not_looked_at = report.not_looked_at;
  for (const std::string& hint : report.hints) content.warnings.push_back({"hint", hint});
  for (const Assumption& a : report.assumptions) content.assumptions.push_back(to_line(a, kNamedAssumptions));
  for (const Finding& f : report.result.findings) content.findings.push_back(page_finding(report, shown, f));
  if (report.question.events) show_events(*report.question.events, content);
  if (shown.timeline) show_changes(*shown.timeline, content);
  for (const ClearancePiece& piece : report.result.profile) {
    const PairClearance& nearest = piece.nearest;
    const double lower = nearest.known ? nearest.lower : std::nan("");
    content.profile.push_back({piece.from, piece.to, lower, nearest.upper, nearest.a, nearest.b});
  }
  if (report.tracking_limit) content.tracking = report.tracking_limit->by_segment;
  content.facts.emplace_back("planner_ccd", report.version);
  return content;
}

}  // namespace planner_ccd::viewer
