#include "planner_ccd/validation/detail/joined_reports.hpp"

#include <algorithm>

namespace planner_ccd {
namespace {

bool is_contact(const Finding& f) {
  return f.kind == FindingKind::Contact || f.kind == FindingKind::ContactAtStart ||
         f.kind == FindingKind::ContactAtEnd || f.kind == FindingKind::Margin;
}

/// Whether two findings are of the same kind and concern the same things.
bool alike(const Finding& a, const Finding& b) {
  if (is_contact(a) && is_contact(b)) return a.contact->a == b.contact->a && a.contact->b == b.contact->b;
  return a.kind == b.kind && a.severity == b.severity && a.coordinate >= 0 && a.coordinate == b.coordinate &&
         a.limit == b.limit;
}

/// Joins a finding's second half to it, keeping the worse values.
void join(Finding& f, const Finding& rest) {
  f.end = rest.end;
  f.has_end = rest.has_end;
  if (rest.depth && (!f.depth || rest.depth->depth > f.depth->depth)) f.depth = rest.depth;
  if (is_contact(f)) {
    const bool at_end = rest.kind == FindingKind::ContactAtEnd;
    const bool met = f.kind != FindingKind::Margin || rest.kind != FindingKind::Margin;
    if (rest.kind == FindingKind::Margin ? f.kind == FindingKind::Margin && rest.value < f.value
                                         : f.kind == FindingKind::Margin) {
      f.message = rest.message;
      f.value = rest.value;
      f.at = rest.at;
    }
    if (met && f.kind != FindingKind::ContactAtStart) {
      f.kind = at_end ? FindingKind::ContactAtEnd : FindingKind::Contact;
    }
    return;
  }
  if (f.limit > 0.0 ? rest.value > f.value : rest.value < f.value) {
    f.value = rest.value;
    f.at = rest.at;
    f.message = rest.message;
  }
}

int rank(Verdict verdict) { return verdict == Verdict::Contact ? 2 : verdict == Verdict::Undecided ? 1 : 0; }

}  // namespace

void sort_by_time(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& x, const Finding& y) { return x.begin.to < y.begin.to; });
}

bool JoinedReports::joined(const Finding& f) {
  for (Finding& before : all_.findings) {
    if (!before.has_end || before.end.to != f.begin.to || !alike(before, f)) continue;
    join(before, f);
    return true;
  }
  return false;
}

void JoinedReports::add(TrajectoryResult&& report, std::size_t segments, double begin) {
  const bool first = segments_ == 0;
  if (first || rank(report.verdict) > rank(all_.verdict)) {
    all_.verdict = report.verdict;
    all_.segment = report.segment < 0 ? -1 : report.segment + segments_;
    all_.edge = report.edge;
  }
  all_.nothing_checked = (first || all_.nothing_checked) && report.nothing_checked;
  all_.segments += report.segments;
  all_.counters += report.counters;
  for (Finding& f : report.findings) {
    f.segment += segments_;
    if (in_one_ && !first && f.begin.to == begin && joined(f)) continue;
    if (in_one_ && !first && f.kind == FindingKind::ContactAtStart) f.kind = FindingKind::Contact;
    all_.findings.push_back(std::move(f));
  }
  segments_ += static_cast<int>(segments);
}

/// A contact that a part's end cut off did not last to the motion's end.
TrajectoryResult JoinedReports::finish(double end) {
  for (Finding& f : all_.findings) {
    if (in_one_ && f.kind == FindingKind::ContactAtEnd && f.end.to < end) f.kind = FindingKind::Contact;
  }
  sort_by_time(all_.findings);
  return std::move(all_);
}

}  // namespace planner_ccd
