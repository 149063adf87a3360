#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <sstream>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/report/parts.hpp"
#include "planner_ccd/report/views.hpp"
#include "planner_ccd/validation/timeline.hpp"

namespace planner_ccd {
namespace {

constexpr std::size_t kNamesInBrief = 3;
constexpr std::size_t kHashDigits = 16;

std::string number(double x) {
  std::ostringstream out;
  out << std::setprecision(6) << x;
  return out.str();
}

std::string point_text(const Eigen::Vector3d& v) {
  return "(" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + ")";
}

/// Lines under one label: the label stands beside the first.
std::string labelled(const std::string& name, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += label(text.empty() ? name : "") + line + "\n";
  return text;
}

std::string brief(const Assumption& a) {
  const std::size_t count = a.names.size() + a.pairs.size();
  return (count > 1 ? std::to_string(count) + " " : "") + to_line(a, a.pairs.empty() ? kNamesInBrief : 0);
}

/// To four digits, downwards: what is printed is proved as well.
std::string proved_number(double value) {
  if (!(value > 0.0)) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", std::floor(value / unit) * unit);
  return text.data();
}

/// Up to where everything is proved; nothing at the very beginning.
std::string proved_text(const Report& report) {
  const TrajectoryResult& r = report.result;
  if (r.segment < 0 || (r.segment == 0 && r.edge.t_free == 0.0)) return "";
  return label("proved free before") + to_text({r.segment, r.edge.t_free}, report.segments, report.question.timed) +
         "\n";
}

std::string part_text(const std::string& part, const std::string& name, int index) {
  return part.empty() ? "" : "  " + part + " of " + name + "  " + std::to_string(index) + "\n";
}

std::string contact_text(const Report& report) {
  const Contact& c = *report.result.edge.contact;
  std::ostringstream out;
  out << label("distance there") << number(c.distance) << " m";
  if (c.margin > 0.0) out << ", " << number(c.margin) << " m demanded";
  out << "\n";
  if (c.error > 0.0) out << label("errors may take") << number(c.error) << " m of it\n";
  if (c.inside) {
    out << label("inside") << "one lies within the other; their surfaces do not meet\n";
  } else {
    out << "  point on " << std::left << std::setw(16) << c.a + "  " << point_text(c.point_a) << "\n";
    out << "  point on " << std::left << std::setw(16) << c.b + "  " << point_text(c.point_b) << "\n";
    out << "  normal " << c.b << " to " << c.a << "  " << point_text(c.normal) << "\n";
    out << part_text(report.contact_parts.a, c.a, c.triangle_a) << part_text(report.contact_parts.b, c.b, c.triangle_b);
  }
  out << label("joints");
  for (std::size_t i = 0; i < report.question.coordinates.size(); ++i) {
    out << (i == 0 ? "" : " ") << report.question.coordinates[i] << "=" << number(c.q[static_cast<Eigen::Index>(i)]);
  }
  out << "\n";
  return out.str();
}

std::string certificate_text(const WrittenCertificate& certificate) {
  const CertificateResult& r = certificate.result;
  if (!r.proved) return "free, but no certificate: " + r.obstacle + "\n";
  return label("certificate") + certificate.file + ", " + std::to_string(r.leaves) + " leaves, " +
         std::to_string(r.size) + " bytes, verified\n" + label("its SHA-256") + r.sha256 + "\n" + label("statement") +
         r.statement_sha256 + "\n";
}

std::string findings_text(const std::vector<Finding>& findings, const std::vector<TimeBracket>& segments, bool timed) {
  std::string text;
  for (const Finding& f : findings) {
    text += std::string(to_string(f.severity)) + ": " + to_string(f.kind) + ": " + f.message + " (" +
            when_text(f, segments, timed) + ")";
    if (f.depth) text += ", " + format_number(std::round(f.depth->depth * 1e6) / 1e6) + " m deep";
    text += "\n";
  }
  return text;
}

std::string executed_text(const Executed& executed) {
  const TrajectoryResult& ran = executed.result;
  std::string text = "executed " + executed.file + ": " + to_string(ran.verdict);
  if (ran.verdict == Verdict::Free) text += " on all " + std::to_string(ran.segments) + " segments";
  text += "\n" + findings_text(ran.findings, executed.segments, executed.timed);
  text += label("compared") + outcome_text(executed) + "\n";
  const double shift = executed.deviation.shift;
  text += label("clocks") + "the plan's is " + number(std::abs(shift)) + " s " + (shift < 0.0 ? "behind" : "ahead of") +
          " the executed motion's (" + executed.clocks + ")\n";
  if (executed.deviation.begin == executed.deviation.end) return text;
  text += label("deviations") + "what ran minus the plan, rad or m\n";
  for (const JointDeviation& joint : executed.deviation.joints) text += joint_text(joint);
  return text;
}

std::string clearance_text(const Report& report) {
  if (!(report.question.clearance_accuracy > 0.0)) return "";
  std::string text;
  for (const PairClearance& c : report.result.clearance) {
    text += "clearance " +
            (c.known ? number(c.lower) + " to " + number(c.upper) + " m: "
                     : "at most " + number(c.upper) + " m, from below not known: ") +
            c.a + " and " + c.b + " (" +
            to_text(moment_of(report.segments, c.time), report.segments, report.question.timed) + ")\n";
  }
  if (!(report.result.clearance_of_others > 0.0)) text += "clearance of all other pairs: not known\n";
  return text;
}

std::string events_text(const Question& q) {
  std::vector<std::string> lines;
  for (const TimelineEvent& event : q.events.value_or(std::vector<TimelineEvent>{})) {
    lines.push_back("at " + number(*event.time) + (q.timed ? " s" : "") + ": " + describe(event));
  }
  return labelled("events", lines);
}

std::string cost_text(const Report& report) {
  const TrajectoryResult& r = report.result;
  std::string text = label("cost") + std::to_string(r.counters.evaluations()) + " distance evaluations, " +
                     number(report.time_us / 1000.0) + " ms";
  if (r.verdict == Verdict::Free && r.counters.evaluations() == 0 && report.question.pairs > 0) {
    text += "; bounding volumes at instants of the motion proved every pair apart, so nothing was left to search";
  }
  text += "\n";
  if (report.clearance_us > 0.0) {
    text += label("cost of clearance") + std::to_string(r.clearance_counters.evaluations()) +
            " distance evaluations, " + number(report.clearance_us / 1000.0) + " ms\n";
  }
  return text;
}

std::string asked_text(const Report& report) {
  const Question& q = report.question;
  std::vector<std::string> lines;
  for (const auto& [name, words] : in_words(q)) lines.push_back(std::string(name).append(": ").append(words));
  if (!q.fail_on.empty()) lines.push_back("not accepted: " + join_names(q.fail_on, q.fail_on.size()));
  std::string text = labelled("asked", lines);
  if (q.log)
    text += label("log") + "0 s is " + utc_text(q.log->begin_ns) + ", " + std::to_string(q.log->parts) + " parts\n";
  return text + events_text(q);
}

}  // namespace

std::string label(const std::string& text) {
  constexpr std::size_t kWidth = 23;
  return "  " + text + std::string(text.size() + 3 > kWidth ? 1 : kWidth - 2 - text.size(), ' ');
}

const char* to_string(Severity severity) { return severity == Severity::Error ? "error" : "warning"; }

std::string assumptions_text(const std::vector<Assumption>& assumptions, bool named) {
  std::vector<std::string> lines;
  std::string reasons;
  for (const Assumption& a : assumptions) {
    if (named) {
      lines.push_back(to_line(a, std::numeric_limits<std::size_t>::max()));
    } else if (a.kind == AssumptionKind::Excluded) {
      const bool always = !a.text.ends_with(kPartOfTheTime);
      reasons += (reasons.empty() ? "" : ", ") + std::to_string(a.pairs.size()) + " " + a.by +
                 (always ? "" : " part of the time");
    } else {
      lines.push_back(brief(a));
    }
  }
  if (!reasons.empty()) lines.push_back("pairs not checked: " + reasons);
  return labelled("assumed", lines);
}

std::string warnings_text(const std::vector<InputWarning>& warnings) {
  std::string text;
  for (const InputWarning& w : warnings) text += "warning: " + std::string(to_string(w.kind)) + ": " + w.text + "\n";
  return text;
}

std::string inputs_text(const std::vector<InputFile>& inputs) {
  std::vector<std::string> lines;
  std::size_t meshes = 0;
  for (const InputFile& file : inputs) {
    if (file.role == "mesh") {
      ++meshes;
    } else {
      lines.push_back(file.role + " " + file.path + ", SHA-256 " + file.sha256_hex().substr(0, kHashDigits) + "...");
    }
  }
  if (meshes > 0) lines.push_back(std::to_string(meshes) + (meshes == 1 ? " file" : " files") + " of meshes");
  return labelled("read", lines);
}

std::string utc_text(std::int64_t ns) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds(ns)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d.%03d UTC", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::string tracking_limit_text(const TrackingLimit& limit) {
  std::string text = label("tracking error");
  if (limit.proved < 0.0) {
    text += "none: not even the motion itself is proved free";
  } else {
    text += "proved free with " + proved_number(limit.proved) + " of every joint (rad, m)";
  }
  if (limit.segment < 0) return text + ", the greatest tried\n";
  if (limit.proved >= 0.0) text += ", not with " + format_number(limit.failed);
  const std::string where = " in segment " + std::to_string(limit.segment);
  if (limit.edge.contact) {
    const Contact& c = *limit.edge.contact;
    return text + ": " + c.a + " and " + c.b + where + ", t = " + format_number(c.t) + "\n";
  }
  return text + ": " +
         (limit.edge.undecided_pair ? limit.edge.undecided_pair->a + " and " + limit.edge.undecided_pair->b
                                    : "undecided") +
         where + "\n";
}

std::string outcome_text(const Executed& executed) {
  const Deviation& d = executed.deviation;
  if (!d.complete) {
    return "what ran covers the plan only from " + number(d.begin) + " to " + number(d.end) + " s of the plan";
  }
  if (!executed.judged) return "not judged: the plan was checked without errors (--tracking-error, --tracking-delay)";
  return d.within() ? "stayed within the errors that the plan was checked with"
                    : "left the errors that the plan was checked with";
}

std::string joint_text(const JointDeviation& joint) {
  std::string text = "    " + joint.joint + ": " + number(joint.greatest) + " at " + number(joint.at) + " s";
  if (std::isfinite(joint.allowed)) text += ", allowed " + number(joint.allowed);
  if (std::isfinite(joint.left)) text += ", beyond it from " + number(joint.left) + " s";
  return text + "\n";
}

std::string report_text(const Report& report, bool name_assumptions) {
  const TrajectoryResult& r = report.result;
  std::string text = headline(report);
  if (r.verdict == Verdict::Undecided) text += " (--max-evaluations, --tolerance)";
  text += "\n";
  if (!report.refused_by.empty()) {
    text += "not accepted: " + join_names(report.refused_by, report.refused_by.size()) + " (--strict, --fail-on)\n";
  }
  if (r.verdict != Verdict::Free) text += proved_text(report);
  if (r.verdict == Verdict::Contact && r.edge.contact) text += contact_text(report);
  text += warnings_text(report.warnings);
  if (report.certificate) text += certificate_text(*report.certificate);
  text += findings_text(r.findings, report.segments, report.question.timed);
  if (report.executed) text += executed_text(*report.executed);
  text += clearance_text(report);
  for (const std::string& hint : report.hints) text += "hint: " + hint + "\n";
  text += asked_text(report);
  if (report.tracking_limit) text += tracking_limit_text(*report.tracking_limit);
  text += labelled("not looked at", report.not_looked_at);
  text += cost_text(report);
  if (!report.proved_apart.empty()) {
    text += label("passed over") + std::to_string(report.proved_apart.size()) + " of " +
            std::to_string(report.question.pairs) + " pairs, proved apart within the joint limits\n";
  }
  text += assumptions_text(report.assumptions, name_assumptions) + inputs_text(report.inputs);
  return text + label("by") + "planner_ccd " + report.version + (report.command.empty() ? "" : ": " + report.command) +
         "\n";
}

}  // namespace planner_ccd
