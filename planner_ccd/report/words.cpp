#include <algorithm>
#include <iomanip>
#include <sstream>

#include "planner_ccd/report/report.hpp"
#include "planner_ccd/validation/describe_finding.hpp"

namespace planner_ccd {
namespace {

std::string number(double x) {
  std::ostringstream out;
  out << std::setprecision(6) << x;
  return out.str();
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string robots_words(const Question& q) {
  std::string text;
  for (const RobotPart& part : q.robots) {
    text += (text.empty() ? "" : part.link.empty() ? ", and " : ", with ") + part.name;
    if (!part.prefix.empty()) text += " as " + part.prefix;
    if (!part.file.empty()) text += " (" + part.file + ")";
    if (!part.link.empty()) text += " on " + part.link;
  }
  if (text.empty()) text = q.robot;
  return text + "; " + std::to_string(q.links_with_geometry) + " of " +
         counted(static_cast<std::size_t>(q.links), "link") + " with collision geometry";
}

std::string motion_words(const Question& q) {
  std::string text;
  if (q.log)
    text = q.log->topic + " (" + q.log->type + "), " + counted(static_cast<std::size_t>(q.log->messages), "message") +
           "; ";
  if (q.begin == q.end) return text + "the robot rests";
  return text + (q.timed ? "from " + number(q.begin) + " to " + number(q.end) + " s"
                         : "without times: each segment counts as one second");
}

std::string distance_words(const Question& q) {
  std::string text = q.margin > 0.0 || q.self_margin > 0.0
                         ? "more than " + millimetres(q.margin) + " to the world and between robots, " +
                               millimetres(q.self_margin) + " within a robot"
                         : "no contact";
  std::string padded;
  for (const Padding& p : q.padding) padded += (padded.empty() ? "" : ", ") + p.name + " " + millimetres(p.padding);
  if (!padded.empty()) text += "; padding: " + padded;
  return text + "; what comes " + millimetres(q.tolerance) + " near to that may count as contact";
}

void add(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

std::string pose_words(const std::pair<std::string, PoseError>& of) {
  return of.first + " " + number(of.second.position) + " m, " + number(of.second.angle) + " rad";
}

std::string errors_words(const StatedErrors& e) {
  std::string text;
  const auto same = [&](const auto& one) { return one.second == e.tracking.front().second; };
  if (!e.tracking.empty() && std::all_of(e.tracking.begin(), e.tracking.end(), same)) {
    add(text, "every joint " + number(e.tracking.front().second));
  } else {
    for (const auto& [name, error] : e.tracking) {
      if (error > 0.0) add(text, name + " " + number(error));
    }
  }
  for (const auto& [name, error] : e.columns) {
    if (error > 0.0) add(text, "by its columns " + name + " up to " + number(error));
  }
  if (e.delay > 0.0) add(text, "up to " + number(e.delay) + " s behind");
  for (const auto& base : e.bases) add(text, pose_words(base));
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < std::min(e.objects.size(), kMost); ++i) add(text, pose_words(e.objects[i]));
  if (e.objects.size() > kMost) add(text, "and " + std::to_string(e.objects.size() - kMost) + " more objects");
  return text;
}

std::string search_words(const Question& q) {
  std::string text = q.method;
  if (q.leaf != "inclusion") text += ", leaf " + q.leaf;
  if (q.broad_phase != "tree") text += ", broad phase " + q.broad_phase;
  if (q.angles == AnglePolicy::Wrap) text += ", joints without limits turn the shorter way";
  return text + ", at most " + std::to_string(q.max_evaluations) + " distance evaluations a segment";
}

std::string contact_headline(const Report& report) {
  const TrajectoryResult& r = report.result;
  const Contact& c = *r.edge.contact;
  const auto found = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    return f.contact && f.segment == r.segment && f.contact->a == c.a && f.contact->b == c.b;
  });
  const bool known = found != r.findings.end();
  return (known && found->kind == FindingKind::Margin ? "too close: " : "contact: ") +
         (known ? found->message : c.a + " meets " + c.b) + " in " +
         to_text({r.segment, c.t}, report.segments, report.question.timed);
}

}  // namespace

std::string headline(const Report& report) {
  const TrajectoryResult& r = report.result;
  if (r.verdict == Verdict::Contact && r.edge.contact) return contact_headline(report);
  if (r.verdict == Verdict::Undecided) {
    return "undecided: in segment " + std::to_string(r.segment) + " " + unsettled(r.edge.undecided_pair);
  }
  if (report.question.pairs == 0 || r.nothing_checked) {
    return "nothing was checked: no pair of bodies is compared, so every motion counts as free";
  }
  if (r.segments == 0) return "free: the only waypoint is proved clear";
  return "free: proved everywhere on " +
         (r.segments == 1 ? "the only segment" : "all " + std::to_string(r.segments) + " segments");
}

std::vector<std::pair<std::string, std::string>> in_words(const Question& q) {
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("robot", robots_words(q));
  std::string world = counted(static_cast<std::size_t>(q.objects), "object");
  if (q.held > 0) world += ", and " + std::to_string(q.held) + " held by the robot";
  lines.emplace_back("world", world);
  lines.emplace_back("motion", motion_words(q));
  lines.emplace_back("pairs",
                     q.pairs == 0 ? "none: nothing is checked" : counted(q.pairs, "pair") + " of bodies checked");
  lines.emplace_back("distance", distance_words(q));
  if (const std::string errors = errors_words(q.errors); !errors.empty()) lines.emplace_back("errors", errors);
  lines.emplace_back("limits", q.limits_checked ? "of joints, velocities and accelerations where given" : "ignored");
  lines.emplace_back("search", search_words(q));
  return lines;
}

Moment moment_of(const std::vector<TimeBracket>& segments, double clock) {
  const auto at = std::lower_bound(segments.begin(), segments.end(), clock,
                                   [](const TimeBracket& s, double time) { return s.to < time; });
  const auto found = at == segments.end() ? segments.end() - 1 : at;
  const double length = found->to - found->from;
  return {static_cast<int>(found - segments.begin()),
          length > 0.0 ? std::clamp((clock - found->from) / length, 0.0, 1.0) : 0.0};
}

std::string to_text(const Moment& moment, const std::vector<TimeBracket>& segments, bool timed) {
  std::string text = "segment " + std::to_string(moment.segment) + ", t = " + number(moment.t);
  const TimeBracket& s = segments[static_cast<std::size_t>(moment.segment)];
  return timed ? text + ", at " + number(s.from + moment.t * (s.to - s.from)) + " s" : text;
}

std::string when_text(const Finding& f, const std::vector<TimeBracket>& segments, bool timed) {
  const TimeBracket& s = segments[static_cast<std::size_t>(f.segment)];
  const double length = s.to - s.from;
  const Moment begin{f.segment, length > 0.0 ? std::clamp((f.begin.to - s.from) / length, 0.0, 1.0) : 0.0};
  const std::string from = to_text(begin, segments, timed);
  if (!f.has_end || !(f.end.from > f.begin.to)) return from;
  const Moment end = moment_of(segments, f.end.from);
  if (end.segment == begin.segment) {
    return from + " to " + (timed ? number(f.end.from) + " s" : "t = " + number(end.t));
  }
  return from + " to " + to_text(end, segments, timed);
}

}  // namespace planner_ccd
