#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner_ccd/cli/executed.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

ordered_json number_json(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }

std::string short_text(double x) {
  std::ostringstream out;
  out << std::setprecision(6) << x;
  return out.str();
}

std::string joint_text(const JointDeviation& joint) {
  std::string text = "    " + joint.joint + ": " + short_text(joint.greatest) + " at " + short_text(joint.at) + " s";
  if (std::isfinite(joint.allowed)) text += ", allowed " + short_text(joint.allowed);
  if (std::isfinite(joint.left)) text += ", beyond it from " + short_text(joint.left) + " s";
  return text + "\n";
}

std::string outcome_text(const Executed& executed) {
  const Deviation& d = executed.deviation;
  const std::string covered = "from " + short_text(d.begin) + " to " + short_text(d.end) + " s of the plan";
  if (!d.complete) return "what ran covers the plan only " + covered;
  if (!executed.judged) return "not judged: the plan was checked without errors (--tracking-error, --tracking-delay)";
  return d.within() ? "stayed within the errors that the plan was checked with"
                    : "left the errors that the plan was checked with";
}

}  // namespace

CheckReport report_of(const Executed& executed, const CheckReport& plan) {
  return {.checker = plan.checker,
          .scene = plan.scene,
          .trajectory = executed.motion.trajectory,
          .result = executed.motion.result,
          .options = plan.options,
          .checked = plan.checked,
          .time_us = 0.0,
          .proved_apart = plan.proved_apart,
          .clearance_accuracy = 0.0,
          .clearance_us = 0.0,
          .robots = plan.robots,
          .assumptions = {},
          .name_assumptions = false,
          .hints = {},
          .certificate = {},
          .log = executed.log};
}

std::string executed_text(const CheckReport& plan) {
  if (plan.executed == nullptr) return "";
  const Executed& executed = *plan.executed;
  const PathReport& ran = executed.motion.result;
  std::string text = "executed " + executed.file + ": " + to_string(ran.verdict);
  if (ran.verdict == Verdict::Free) text += " on all " + std::to_string(ran.segments) + " segments";
  text += "\n" + findings_text(report_of(executed, plan));
  text += "  compared             " + outcome_text(executed) + "\n";
  const double shift = executed.deviation.shift;
  text += "  clocks               the plan's is " + short_text(std::abs(shift)) + " s " +
          (shift < 0.0 ? "behind" : "ahead of") + " the executed motion's (" + executed.clocks + ")\n";
  if (executed.deviation.begin == executed.deviation.end) return text;
  text += "  deviations           what ran minus the plan, rad or m\n";
  for (const JointDeviation& joint : executed.deviation.joints) text += joint_text(joint);
  return text;
}

ordered_json executed_json(const CheckReport& plan) {
  if (plan.executed == nullptr) return nullptr;
  const Executed& executed = *plan.executed;
  const Deviation& d = executed.deviation;
  ordered_json joints = ordered_json::array();
  for (const JointDeviation& joint : d.joints) {
    joints.push_back({{"joint", joint.joint},
                      {"greatest", joint.greatest},
                      {"at", joint.at},
                      {"allowed", number_json(joint.allowed)},
                      {"left", number_json(joint.left)}});
  }
  return {{"file", executed.file},
          {"verdict", to_string(executed.motion.result.verdict)},
          {"segments", executed.motion.result.segments},
          {"findings", findings_json(report_of(executed, plan))},
          {"clocks", executed.clocks},
          {"shift", d.shift},
          {"begin", d.begin},
          {"end", d.end},
          {"complete", d.complete},
          {"within", executed.judged ? ordered_json(d.within()) : ordered_json(nullptr)},
          {"joints", joints}};
}

std::vector<JUnitCase> executed_cases(const CheckReport& plan) {
  if (plan.executed == nullptr) return {};
  const Executed& executed = *plan.executed;
  std::vector<JUnitCase> cases;
  for (const Finding& f : executed.motion.result.findings) {
    if (f.severity == Severity::Error) cases.push_back({"executed: " + std::string(to_string(f.kind)), f.message});
  }
  if (cases.empty()) cases.push_back({"executed: free", ""});
  if (executed.judged) {
    cases.push_back({"executed: within the errors", executed.deviation.within() ? "" : outcome_text(executed)});
  }
  return cases;
}

}  // namespace planner_ccd::cli
