#include "planner_ccd/cli/findings_report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner_ccd/io/text.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

ordered_json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
ordered_json triangle_json(int triangle) { return triangle < 0 ? ordered_json(nullptr) : ordered_json(triangle); }
ordered_json number_json(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json bracket_json(const TimeBracket& b) { return {b.from, b.to}; }

const char* to_string(Severity severity) { return severity == Severity::Error ? "error" : "warning"; }

ordered_json finding_json(const CheckReport& report, const Finding& f) {
  ordered_json out = {{"kind", planner_ccd::to_string(f.kind)},
                      {"severity", to_string(f.severity)},
                      {"segment", f.segment},
                      {"begin", bracket_json(f.begin)},
                      {"end", f.has_end ? bracket_json(f.end) : ordered_json(nullptr)},
                      {"message", f.message},
                      {"contact", nullptr},
                      {"depth", nullptr},
                      {"joint", nullptr},
                      {"value", nullptr},
                      {"limit", nullptr},
                      {"at", nullptr}};
  if (f.contact) {
    const TrajectorySegment& s = report.trajectory.segments[static_cast<std::size_t>(f.segment)];
    const double T = s.duration();
    const double from = T > 0.0 ? std::clamp((f.begin.from - s.t0) / T, 0.0, f.contact->t) : 0.0;
    out["contact"] = contact_json(report.checker.robot(), *f.contact, from);
  }
  if (f.depth) {
    out["depth"] = {{"time", f.depth->time}, {"depth", f.depth->depth}, {"point", vector_json(f.depth->point)}};
  }
  if (f.coordinate >= 0) out["joint"] = f.joint;
  if (f.coordinate >= 0 || f.kind == FindingKind::TimeNotIncreasing || f.kind == FindingKind::Margin) {
    out["value"] = f.value;
    out["limit"] = f.limit;
    out["at"] = f.at;
  }
  return out;
}

ordered_json pair_json(const PairClearance& c) {
  return {{"a", c.a},
          {"b", c.b},
          {"lower", number_json(c.lower)},
          {"upper", number_json(c.upper)},
          {"segment", c.segment},
          {"time", c.time},
          {"point_a", vector_json(c.point_a)},
          {"point_b", vector_json(c.point_b)}};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string junit_suite(int tests, int failures, int errors, double seconds, const std::string& cases) {
  const std::string counts = "tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
                             "\" errors=\"" + std::to_string(errors) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
         ">\n  <testsuite name=\"planner_ccd check\" " + counts + " time=\"" + format_number(seconds) + "\">\n" +
         cases + "  </testsuite>\n</testsuites>\n";
}

std::string when_text(const CheckReport& report, const Finding& f) {
  std::ostringstream out;
  out << std::setprecision(6);
  const char* unit = report.trajectory.timed ? " s" : "";
  out << "segment " << f.segment << ", " << (report.trajectory.timed ? "" : "t = ") << f.begin.to << unit;
  if (f.has_end && f.end.from > f.begin.to) out << " to " << f.end.from << unit;
  return out.str();
}

}  // namespace

ordered_json contact_json(const RobotModel& robot, const Contact& c, double t_free) {
  ordered_json joints = ordered_json::object();
  const auto& coordinates = robot.coordinates();
  for (std::size_t i = 0; i < coordinates.size(); ++i) joints[coordinates[i].name] = c.q[static_cast<int>(i)];
  return {{"a", c.a},
          {"b", c.b},
          {"geometry_a", c.geometry_a},
          {"geometry_b", c.geometry_b},
          {"triangle_a", triangle_json(c.triangle_a)},
          {"triangle_b", triangle_json(c.triangle_b)},
          {"t", {t_free, c.t}},
          {"distance", c.distance},
          {"margin", c.margin},
          {"error", c.error},
          {"inside", c.inside},
          {"point_a", vector_json(c.point_a)},
          {"point_b", vector_json(c.point_b)},
          {"normal", vector_json(c.normal)},
          {"joints", joints}};
}

ordered_json findings_json(const CheckReport& report) {
  ordered_json all = ordered_json::array();
  for (const Finding& f : report.result.findings) all.push_back(finding_json(report, f));
  return all;
}

std::string findings_text(const CheckReport& report) {
  std::string text;
  for (const Finding& f : report.result.findings) {
    text += std::string(to_string(f.severity)) + ": " + planner_ccd::to_string(f.kind) + ": " + f.message + " (" +
            when_text(report, f) + ")";
    if (f.depth) text += ", " + format_number(std::round(f.depth->depth * 1e6) / 1e6) + " m deep";
    text += "\n";
  }
  return text;
}

ordered_json clearance_json(const CheckReport& report) {
  if (!(report.clearance_accuracy > 0.0)) return nullptr;
  ordered_json pairs = ordered_json::array(), profile = ordered_json::array();
  for (const PairClearance& c : report.result.clearance) pairs.push_back(pair_json(c));
  for (const ClearancePiece& piece : report.result.profile) {
    ordered_json row = {{"from", piece.from}, {"to", piece.to}};
    row.update(pair_json(piece.nearest));
    profile.push_back(std::move(row));
  }
  return {{"accuracy", report.clearance_accuracy}, {"pairs", pairs}, {"profile", profile}};
}

std::string clearance_text(const CheckReport& report) {
  if (!(report.clearance_accuracy > 0.0)) return "";
  std::ostringstream out;
  out << std::setprecision(6);
  for (const PairClearance& c : report.result.clearance) {
    out << "clearance " << c.lower << " to " << c.upper << " m: " << c.a << " and " << c.b << " (segment " << c.segment
        << ", " << c.time << (report.trajectory.timed ? " s)" : ")") << "\n";
  }
  return out.str();
}

std::string findings_junit(const CheckReport& report, const std::vector<JUnitCase>& more) {
  constexpr FindingKind kKinds[] = {
      FindingKind::Contact,       FindingKind::ContactAtStart,    FindingKind::ContactAtEnd,
      FindingKind::Margin,        FindingKind::Undecided,         FindingKind::JointLimit,
      FindingKind::VelocityLimit, FindingKind::AccelerationLimit, FindingKind::JerkLimit,
      FindingKind::StartJump,     FindingKind::TimeNotIncreasing, FindingKind::FullTurn};
  int tests = 0, failures = 0, errors = 0;
  std::string cases;
  const std::string name = escaped(report.checker.robot().name());
  for (const FindingKind kind : kKinds) {
    int found = 0;
    for (const Finding& f : report.result.findings) {
      if (f.kind != kind || f.severity != Severity::Error) continue;
      const bool undecided = kind == FindingKind::Undecided;
      (undecided ? errors : failures) += 1;
      const std::string message = escaped(f.message + " (" + when_text(report, f) + ")");
      const std::string element = undecided ? "error" : "failure";
      cases += "    <testcase classname=\"" + name + "\" name=\"" + planner_ccd::to_string(kind) + " " +
               std::to_string(++found) + "\">\n      <" + element + " type=\"" + planner_ccd::to_string(kind) +
               "\" message=\"" + message + "\"/>\n    </testcase>\n";
    }
    tests += std::max(1, found);
    if (found == 0)
      cases += "    <testcase classname=\"" + name + "\" name=\"no " + planner_ccd::to_string(kind) + "\"/>\n";
  }
  for (const JUnitCase& c : more) {
    ++tests;
    failures += !c.failure.empty();
    cases += "    <testcase classname=\"" + name + "\" name=\"" + escaped(c.name) + "\"";
    cases +=
        c.failure.empty() ? "/>\n" : ">\n      <failure message=\"" + escaped(c.failure) + "\"/>\n    </testcase>\n";
  }
  return junit_suite(tests, failures, errors, report.time_us * 1e-6, cases);
}

std::string bad_input_junit(const std::string& message) {
  return junit_suite(
      1, 0, 1, 0.0,
      "    <testcase classname=\"planner_ccd\" name=\"input\">\n      <error type=\"bad_input\" message=\"" +
          escaped(message) + "\"/>\n    </testcase>\n");
}

std::string clearance_csv(const CheckReport& report) {
  std::string text = "from,to,lower,upper,time,a,b\n";
  for (const ClearancePiece& piece : report.result.profile) {
    const PairClearance& c = piece.nearest;
    for (const double x : {piece.from, piece.to, c.lower, c.upper, c.time}) {
      text += (std::isfinite(x) ? format_number(x) : "inf") + ",";
    }
    text += c.a + "," + c.b + "\n";
  }
  return text;
}

}  // namespace planner_ccd::cli
