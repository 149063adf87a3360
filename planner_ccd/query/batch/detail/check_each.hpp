#pragma once

#include <atomic>
#include <mutex>

#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/query/batch/detail/edge_input.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"

namespace planner_ccd {

/// Counts finished edges and reports progress now and then.
class BatchProgress {
 public:
  BatchProgress(const BatchOptions& options, std::size_t edges)
      : options_(options), edges_(edges), step_(edges < 100 ? 1 : edges / 100) {}

  void one_done() {
    if (!options_.progress && !options_.cancel.stop_possible()) return;  // nobody asks
    const std::size_t done = done_.fetch_add(1) + 1;
    if (!options_.progress || (done % step_ != 0 && done != edges_)) return;
    const std::lock_guard lock(mutex_);
    if (done <= told_) return;  // a thread that finished later reported first
    told_ = done;
    options_.progress(done, edges_);
  }
  std::size_t done() const { return options_.progress || options_.cancel.stop_possible() ? done_.load() : edges_; }

 private:
  const BatchOptions& options_;
  std::size_t edges_, step_;
  std::atomic<std::size_t> done_ = 0;
  std::size_t told_ = 0;
  std::mutex mutex_;
};

/// What check_edges and check_fan are made of, for edges wherever they lie in memory. `start(i)` and `end(i)` point to dof
/// numbers each; with `one_start` all begin at the same configuration, which is then checked once (check_fan). `take(i, result)`
/// gets the result of each edge, once, on any thread. Returns how many were checked. Throws as they do.
///
/// Why the results are deterministic: an edge's result depends only on the edge (a Workspace's history has no effect).
template <class Start, class End, class Take>
std::size_t check_each(const PathChecker& checker, std::size_t count, bool one_start, const Start& start,
                       const End& end, const BatchOptions& options, const Take& take) {
  using Row = Eigen::Map<const Eigen::VectorXd>;
  /// Of a thread. An edge's numbers are copied before they are looked at: Python lets other threads change them meanwhile.
  struct Scratch {
    Workspace workspace;
    JointVector q0, q1;
  };
  const int dof = checker.robot().dof();
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || !one_start) require_usable(checker.robot(), i, Row(start(i), dof));
    require_usable(checker.robot(), i, Row(end(i), dof));
  }
  const auto check = [&](const JointVector& q0, const JointVector& q1, Workspace& workspace) {
    return options.first_contact ? checker.first_contact(q0, q1, workspace, options.edge)
                                 : checker.any_contact(q0, q1, workspace, options.edge);
  };
  if (one_start && count > 0 && !options.cancel.stop_requested()) {
    Workspace workspace(checker);
    const JointVector q = Row(start(0), dof);
    EdgeResult at_start = check(q, q, workspace);
    if (at_start.verdict == Verdict::Contact) {
      at_start.t_free = 0.0;
      at_start.contact->t = 0.0;
      for (std::size_t i = 0; i < count; ++i) take(i, EdgeResult(at_start));
      if (options.progress) options.progress(count, count);
      return count;
    }
  }
  BatchProgress progress(options, count);
  for_each_index(
      count, options.threads,
      [&] {
        return Scratch{Workspace(checker), {}, {}};
      },
      [&](std::size_t i, Scratch& own) {
        if (options.cancel.stop_requested()) return;
        own.q0 = Row(start(i), dof);
        own.q1 = Row(end(i), dof);
        take(i, check(own.q0, own.q1, own.workspace));
        progress.one_done();
      });
  return progress.done();
}

}  // namespace planner_ccd
