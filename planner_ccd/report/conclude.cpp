#include <algorithm>
#include <set>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/report/report.hpp"

namespace planner_ccd {
namespace {

constexpr const char* kAllWarnings = "warnings";

bool is_error(const Finding& f) { return f.severity == Severity::Error && f.kind != FindingKind::Undecided; }
bool is_open(const Finding& f) { return f.kind == FindingKind::Undecided; }

bool any(const std::vector<Finding>& findings, bool (*is)(const Finding&)) {
  return std::any_of(findings.begin(), findings.end(), is);
}

/// Of the check of one motion, without what was refused.
int code_of(const TrajectoryResult& result) {
  if (result.verdict == Verdict::Contact || any(result.findings, is_error)) return 1;
  return result.verdict == Verdict::Undecided || any(result.findings, is_open) ? 3 : 0;
}

/// What occurred, by the names that parse_fail_on() knows.
std::vector<std::string> occurred(const Report& report) {
  std::vector<std::string> kinds;
  bool warned = !report.warnings.empty();
  for (const InputWarning& w : report.warnings) kinds.emplace_back(to_string(w.kind));
  for (const Assumption& a : report.assumptions) kinds.emplace_back(to_string(a.kind));
  for (const TrajectoryResult* result : {&report.result, report.executed ? &report.executed->result : nullptr}) {
    if (result == nullptr) continue;
    for (const Finding& f : result->findings) {
      kinds.emplace_back(to_string(f.kind));
      warned = warned || f.severity == Severity::Warning;
    }
  }
  if (warned) kinds.emplace_back(kAllWarnings);
  return kinds;
}

std::vector<std::string> unseen(const Report& report) {
  std::vector<std::string> lines;
  const TrajectoryResult& r = report.result;
  const Question& q = report.question;
  const auto open_end =
      std::find_if(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.contact && !f.has_end; });
  if (r.verdict == Verdict::Contact && (!q.all_contacts || open_end != r.findings.end())) {
    lines.emplace_back("the motion after the first contact (--all goes on)");
  }
  if (r.verdict == Verdict::Undecided && r.segment >= 0 && !q.all_contacts) {
    lines.push_back("the motion after segment " + std::to_string(r.segment) + ", which is undecided");
  }
  if (q.limits_checked && !q.timed) lines.emplace_back("velocities and accelerations: the motion has no times");
  if (q.limits_checked && q.timed && !q.acceleration_limits) {
    lines.emplace_back("accelerations: no limits of them are given (--limits)");
  }
  return lines;
}

}  // namespace

void conclude(Report& report) {
  report.not_looked_at = unseen(report);
  const std::vector<std::string> kinds = occurred(report);
  report.refused_by.clear();
  for (const std::string& kind : report.question.fail_on) {
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) report.refused_by.push_back(kind);
  }
}

std::vector<std::string> parse_fail_on(const std::string& names) {
  std::vector<std::string> known{kAllWarnings};
  for (const WarningKindName& kind : warning_kinds()) known.emplace_back(kind.name);
  for (int k = 0; k <= static_cast<int>(kLastAssumptionKind); ++k) {
    known.emplace_back(to_string(static_cast<AssumptionKind>(k)));
  }
  for (int k = 0; k <= static_cast<int>(kLastFindingKind); ++k) {
    known.emplace_back(to_string(static_cast<FindingKind>(k)));
  }
  std::vector<std::string> kinds;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    std::string name = names.substr(begin, end - begin);
    if (name == "open_meshes") name = to_string(AssumptionKind::NoInside);
    if (name == "unknown_free") name = to_string(AssumptionKind::UnknownIsFree);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError("there is no kind " + in_quotes(name) + " of warnings, assumptions or findings" +
                       did_you_mean(name, known) + " (planner_ccd help kinds lists them)");
    }
    if (std::find(kinds.begin(), kinds.end(), name) == kinds.end()) kinds.push_back(std::move(name));
    begin = end + 1;
  }
  return kinds;
}

int exit_code(const Report& report) {
  const int own = code_of(report.result);
  const int ran = report.executed ? code_of(report.executed->result) : 0;
  const bool strayed = report.executed && report.executed->judged && !report.executed->deviation.within();
  if (own == 1 || ran == 1 || strayed) return 1;
  if (!report.refused_by.empty()) return 2;
  const bool no_certificate = report.certificate && !report.certificate->result.proved;
  return own == 3 || ran == 3 || no_certificate ? 3 : 0;
}

}  // namespace planner_ccd
