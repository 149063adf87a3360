#include "planner_ccd/cli/plan_report.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/report/parts.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

double checking_share(const PlanOutcome& o) {
  const double all = o.planning_seconds + o.simplifying_seconds;
  return all > 0.0 ? o.checking_seconds / all : 0.0;
}

ordered_json path_json(const JointPath& path, const RobotModel& robot) {
  ordered_json names = ordered_json::array(), rows = ordered_json::array();
  for (const Coordinate& c : robot.coordinates()) names.push_back(c.name);
  for (const JointVector& q : path.waypoints) rows.push_back(std::vector<double>(q.begin(), q.end()));
  return {{"joints", names}, {"waypoints", rows}};
}

void cost_text(const PlanOutcome& o, std::ostream& out) {
  out << "  planning             " << 1e3 * o.planning_seconds << " ms";
  if (o.solved) out << ", and " << 1e3 * o.simplifying_seconds << " ms to simplify";
  out << "\n  checking             " << 100.0 * checking_share(o) << " % of that: " << o.motions << " edges ("
      << o.free_motions << " of them free), " << o.states << " states\n";
}

void clamped_text(const PlanRequest& request, std::ostream& out) {
  for (const ClampedValue& c : request.clamped) {
    out << "  taken to its limit   --" << c.option << ": " << c.coordinate << " = " << format_number(c.given) << " as "
        << format_number(c.used) << "\n";
  }
}

ordered_json clamped_json(const PlanRequest& request) {
  ordered_json all = ordered_json::array();
  for (const ClampedValue& c : request.clamped) {
    all.push_back({{"option", c.option}, {"joint", c.coordinate}, {"given", c.given}, {"used", c.used}});
  }
  return all;
}

}  // namespace

std::string plan_text(const PlanReport& report) {
  const PlanOutcome& o = report.outcome;
  const PlanRequest& request = report.request;
  std::ostringstream out;
  out << std::setprecision(4);
  out << warnings_text(report.check.warnings);
  if (!report.check.refused_by.empty()) {
    out << "not accepted: " << join_names(report.check.refused_by) << " (--strict, --fail-on)\n";
  }
  if (!o.solved) {
    out << "no plan: " << request.planner << " found none in " << request.seconds
        << " s of the wall clock (which is no proof that there is none)\n";
    clamped_text(request, out);
    cost_text(o, out);
    return out.str();
  }
  if (report.proved()) {
    out << "solved: a path of " << o.path.waypoints.size() << " waypoints, proved free everywhere on all "
        << report.check.result.segments << " segments\n";
  } else {
    out << "undecided: a path was found, but segment " << report.check.result.segment
        << " of its numbers as written could not be proved free again\n";
  }
  out << "  found                " << o.found_waypoints << " waypoints, length " << o.found_length
      << "; simplified to length " << o.length << "\n";
  clamped_text(request, out);
  cost_text(o, out);
  out << "  proof of the path    " << 1e-3 * report.check.time_us << " ms, "
      << report.check.result.counters.evaluations() << " distance evaluations, on the numbers as "
      << (report.out.empty() ? "printed below" : "read back from the file") << "\n";
  for (const auto& [name, words] : in_words(report.check.question)) {
    if (name != "motion" && name != "limits") out << label(name) << words << "\n";
  }
  out << assumptions_text(report.check.assumptions, report.name_assumptions) << inputs_text(report.check.inputs);
  if (!report.out.empty()) {
    out << "  written to           " << report.out << "\n";
  } else {
    out << format_path(o.path, request.checker->robot());
  }
  return out.str();
}

std::string plan_json(const PlanReport& report) {
  const PlanOutcome& o = report.outcome;
  const PlanRequest& request = report.request;
  const auto when_solved = [&](ordered_json value) { return o.solved ? std::move(value) : ordered_json(nullptr); };
  const ordered_json out = {{"planner_ccd", report.check.version},
                            {"command", report.check.command},
                            {"inputs", inputs_json(report.check.inputs)},
                            {"warnings", warnings_json(report.check.warnings)},
                            {"refused_by", report.check.refused_by},
                            {"solved", o.solved},
                            {"proved_free", report.proved()},
                            {"waypoints", when_solved(o.path.waypoints.size())},
                            {"length", when_solved(o.length)},
                            {"found_waypoints", when_solved(o.found_waypoints)},
                            {"found_length", when_solved(o.found_length)},
                            {"planning_ms", 1e3 * o.planning_seconds},
                            {"simplifying_ms", 1e3 * o.simplifying_seconds},
                            {"checking_share", checking_share(o)},
                            {"edges_checked", o.motions},
                            {"edges_free", o.free_motions},
                            {"states_checked", o.states},
                            {"proof", when_solved({{"verdict", to_string(report.check.result.verdict)},
                                                   {"segments", report.check.result.segments},
                                                   {"evaluations", report.check.result.counters.evaluations()},
                                                   {"time_us", report.check.time_us}})},
                            {"path", when_solved(path_json(o.path, request.checker->robot()))},
                            {"out", report.out.empty() || !o.solved ? ordered_json(nullptr) : ordered_json(report.out)},
                            {"clamped", clamped_json(request)},
                            {"assumptions", assumptions_json(report.check.assumptions)},
                            {"options",
                             {{"planner", request.planner},
                              {"range", o.range ? ordered_json(*o.range) : ordered_json(nullptr)},
                              {"time", request.seconds},
                              {"seed", request.seed},
                              {"margin", report.check.question.margin},
                              {"self_margin", report.check.question.self_margin},
                              {"errors", errors_json(report.check.question.errors)},
                              {"tolerance", request.edge.tolerance},
                              {"max_evaluations", request.edge.max_evaluations}}}};
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace planner_ccd::cli
