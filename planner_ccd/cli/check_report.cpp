#include "planner_ccd/cli/check_report.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/cli/assumptions_report.hpp"
#include "planner_ccd/cli/executed.hpp"
#include "planner_ccd/cli/findings_report.hpp"
#include "planner_ccd/cli/motion_errors.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/cli/robots_report.hpp"
#include "planner_ccd/cli/timeline_report.hpp"
#include "planner_ccd/cli/utc.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/describe_contact.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/box_index.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

std::string point_text(const Eigen::Vector3d& v) {
  std::ostringstream out;
  out << "(" << v.x() << ", " << v.y() << ", " << v.z() << ")";
  return out.str();
}

/// "segment 3, t = 0.57", and the time on the clock if there is one.
std::string when(const CheckReport& report, double t) {
  std::ostringstream out;
  out << std::setprecision(6) << "segment " << report.result.segment << ", t = " << t;
  const TrajectorySegment& s = report.trajectory.segments[static_cast<std::size_t>(report.result.segment)];
  if (report.trajectory.timed) out << ", at " << s.t0 + t * s.duration() << " s";
  return out.str();
}

/// At the very beginning nothing is proved yet.
void proved_text(const CheckReport& report, std::ostream& out) {
  const PathReport& r = report.result;
  if (r.segment == 0 && r.edge.t_free == 0.0) return;
  out << "  proved free before   " << when(report, r.edge.t_free) << "\n";
}

/// The triangle of a mesh, point of a cloud, cell of a map, or column of a height field.
void part_text(const Scene& scene, const std::string& name, int number, std::ostream& out) {
  if (number < 0) return;
  const SceneObject* object = scene.objects.find(name);
  for (const AttachedObject& held : scene.attached) {
    if (held.object.name == name) object = &held.object;
  }
  const char* part = "triangle";
  if (object != nullptr) {
    const Shape& shape = object->geometry.front().shape;
    const auto* cells = std::get_if<CellsPtr>(&shape);
    if (std::holds_alternative<CloudPtr>(shape)) part = "point";
    const int cell = cells == nullptr ? -1 : (*cells)->find(number);
    if (cell >= 0 && (*cells)->field() != nullptr) part = (*cells)->unknown(cell) ? "unknown column" : "column";
    if (cell >= 0 && (*cells)->field() == nullptr) part = (*cells)->unknown(cell) ? "unknown cell" : "cell";
  }
  out << "  " << part << " of " << name << "  " << number << "\n";
}

void contact_text(const CheckReport& report, std::ostream& out) {
  const Contact& c = *report.result.edge.contact;
  const auto& findings = report.result.findings;
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.contact && f.segment == report.result.segment && f.contact->a == c.a && f.contact->b == c.b;
  });
  const bool apart = found != findings.end() && found->kind == FindingKind::Margin;
  out << (apart ? "too close: " : "contact: ") << (found != findings.end() ? found->message : c.a + " meets " + c.b)
      << " in " << when(report, c.t) << "\n";
  proved_text(report, out);
  out << "  distance there       " << c.distance << " m\n";
  if (c.error > 0.0) out << "  errors may take      " << c.error << " m of it\n";
  if (!c.inside) {
    out << "  point on " << std::left << std::setw(16) << c.a + "  " << point_text(c.point_a) << "\n";
    out << "  point on " << std::left << std::setw(16) << c.b + "  " << point_text(c.point_b) << "\n";
    out << "  normal " << c.b << " to " << c.a << "  " << point_text(c.normal) << "\n";
    const Scene& scene = scene_during(report, report.result.segment);
    part_text(scene, c.a, c.triangle_a, out);
    part_text(scene, c.b, c.triangle_b, out);
  }
  out << "  joints              ";
  const auto& coordinates = report.checker.robot().coordinates();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    out << " " << coordinates[i].name << "=" << c.q[static_cast<int>(i)];
  }
  out << "\n";
}

void certificate_text(const WrittenCertificate& certificate, std::ostream& out) {
  if (!certificate.result.proved) {
    out << "free, but no certificate: " << certificate.result.obstacle << "\n";
    return;
  }
  out << "  certificate          " << certificate.file << ", " << certificate.result.leaves << " leaves, "
      << certificate.result.size << " bytes, verified\n  its SHA-256          " << certificate.result.sha256 << "\n";
}

ordered_json certificate_json(const std::optional<WrittenCertificate>& certificate) {
  if (!certificate) return nullptr;
  if (!certificate->result.proved) return {{"written", false}, {"obstacle", certificate->result.obstacle}};
  return {{"written", true},
          {"file", certificate->file},
          {"sha256", certificate->result.sha256},
          {"leaves", certificate->result.leaves},
          {"bytes", certificate->result.size}};
}

ordered_json padding_json(const Scene& scene) {
  ordered_json out = ordered_json::object();
  for (const Padding& p : scene.padding) out[p.name] = p.padding;
  return out;
}

void margins_text(const CheckReport& report, std::ostream& out) {
  const CheckerOptions& o = report.checked;
  if (o.margin > 0.0 || o.self_margin > 0.0) {
    out << "  margin               " << millimetres(o.margin) << " to the world and between robots, "
        << millimetres(o.self_margin) << " within a robot\n";
  }
  std::string padded;
  for (const Padding& p : report.scene.padding)
    padded += (padded.empty() ? "" : ", ") + p.name + " " + millimetres(p.padding);
  if (!padded.empty()) out << "  padding              " << padded << "\n";
  out << errors_text(report.options.errors, report.tracking_delay, report.checker.robot(), report.scene,
                     report.segment_errors);
  if (report.tracking_limit) out << tracking_limit_text(*report.tracking_limit);
}

/// Name of a strategy; null: the default.
template <class Strategy>
std::string name_of(const std::shared_ptr<const Strategy>& strategy, const char* own) {
  return strategy ? std::string(strategy->name()) : own;
}

std::string log_text(const LogMotion& log) {
  return "  log                  " + log.topic() + " (" + log.type() + "), " + std::to_string(log.messages()) +
         " messages; 0 s is " + utc_text(log.begin_ns()) + "\n";
}

ordered_json log_json(const std::optional<LogMotion>& log) {
  if (!log) return nullptr;
  return {{"topic", log->topic()},
          {"type", log->type()},
          {"messages", log->messages()},
          {"begin_ns", log->begin_ns()},
          {"parts", log->parts()}};
}

}  // namespace

int exit_code(const CheckReport& report) {
  const PathReport& result = report.result;
  const bool wrong = std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& f) {
    return f.severity == Severity::Error && f.kind != FindingKind::Undecided;
  });
  if (wrong || result.verdict == Verdict::Contact) return kContact;
  const bool open = std::any_of(result.findings.begin(), result.findings.end(),
                                [](const Finding& f) { return f.kind == FindingKind::Undecided; });
  const bool no_certificate = report.certificate && !report.certificate->result.proved;
  const int own = open || result.verdict == Verdict::Undecided || no_certificate ? kUndecided : kFree;
  if (report.executed == nullptr) return own;
  const Executed& executed = *report.executed;
  const int ran = exit_code(report_of(executed, report));
  if (ran == kContact || (executed.judged && !executed.deviation.within())) return kContact;
  return std::max(own, ran);
}

std::string check_text(const CheckReport& report) {
  const PathReport& r = report.result;
  std::ostringstream out;
  out << std::setprecision(6);
  switch (r.verdict) {
    case Verdict::Free:
      if (r.segments == 0) {
        out << "free: the only waypoint is proved clear\n";
      } else {
        out << "free: proved everywhere on all " << r.segments << " segments\n";
      }
      break;
    case Verdict::Contact: contact_text(report, out); break;
    case Verdict::Undecided:
      out << "undecided: in segment " << r.segment << " " << unsettled(r.edge.open)
          << " (--max-evaluations, --tolerance)\n";
      proved_text(report, out);
      break;
  }
  if (report.certificate) certificate_text(*report.certificate, out);
  out << findings_text(report) << executed_text(report) << clearance_text(report);
  for (const std::string& hint : report.hints) out << "hint: " << hint << "\n";
  margins_text(report, out);
  out << events_text(report);
  if (report.log) out << log_text(*report.log);
  out << "  cost                 " << r.counters.evaluations() << " distance evaluations, " << report.time_us / 1000.0
      << " ms\n";
  if (report.clearance_us > 0.0) {
    out << "  cost of clearance    " << r.clearance_counters.evaluations() << " distance evaluations, "
        << report.clearance_us / 1000.0 << " ms\n";
  }
  if (!report.proved_apart.empty()) {
    out << "  passed over          " << report.proved_apart.size() << " of "
        << parts_of(report.checker).world.problem().pairs.size() << " pairs, proved apart within the joint limits\n";
  }
  out << assumptions_text(report.assumptions, report.name_assumptions);
  return out.str();
}

std::string check_json(const CheckReport& report) {
  const PathReport& r = report.result;
  const bool free = r.verdict == Verdict::Free;
  ordered_json proved_apart = ordered_json::array();
  for (const LinkPair& pair : report.proved_apart) proved_apart.push_back(ordered_json::array({pair.a, pair.b}));
  ordered_json out = {
      {"verdict", to_string(r.verdict)},
      {"segments", r.segments},
      {"t_free", free ? ordered_json(nullptr) : ordered_json(r.edge.t_free)},
      {"segment", free ? ordered_json(nullptr) : ordered_json(r.segment)},
      {"contact",
       r.edge.contact ? contact_json(report.checker.robot(), *r.edge.contact, r.edge.t_free) : ordered_json(nullptr)},
      {"evaluations", r.counters.evaluations()},
      {"time_us", report.time_us},
      {"clearance_evaluations", r.clearance_counters.evaluations()},
      {"clearance_time_us", report.clearance_us},
      {"proved_apart", proved_apart},
      {"robots", robots_json(report.robots)},
      {"timed", report.trajectory.timed},
      {"begin", report.trajectory.segments.front().t0},
      {"end", report.trajectory.segments.back().t1},
      {"exit_code", exit_code(report)},
      {"certificate", certificate_json(report.certificate)},
      {"log", log_json(report.log)},
      {"events", events_json(report)},
      {"findings", findings_json(report)},
      {"clearance", clearance_json(report)},
      {"executed", executed_json(report)},
      {"tracking_limit", report.tracking_limit ? tracking_limit_json(*report.tracking_limit) : ordered_json(nullptr)},
      {"assumptions", assumptions_json(report.assumptions)},
      {"hints", report.hints},
      {"options",
       {{"margin", report.checked.margin},
        {"self_margin", report.checked.self_margin},
        {"padding", padding_json(report.scene)},
        {"errors", errors_json(report.options.errors, report.tracking_delay, report.checker.robot(), report.scene,
                               report.segment_errors)},
        {"tolerance", report.options.tolerance},
        {"method", name_of(report.options.method, "taylor")},
        {"leaf", name_of(report.options.leaf, "inclusion")},
        {"broad_phase", name_of(report.checked.broad_phase, "tree")},
        {"max_evaluations", report.options.max_evaluations},
        {"angles", report.options.angles == AnglePolicy::Wrap ? "wrap" : "literal"}}}};
  return out.dump(2) + "\n";
}

}  // namespace planner_ccd::cli
