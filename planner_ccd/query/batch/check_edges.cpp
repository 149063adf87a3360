#include "planner_ccd/query/batch/check_edges.hpp"

#include <atomic>
#include <mutex>
#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/batch/detail/edge_input.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"

namespace planner_ccd {

void require_usable(const RobotModel& robot, std::size_t i, const JointVectorRef& q) {
  if (q.size() != robot.dof()) {
    throw InputError("edge " + std::to_string(i) + ": a configuration has " + std::to_string(q.size()) +
                     " entries; the robot has " + std::to_string(robot.dof()) + " coordinates");
  }
  if (!q.allFinite())
    throw InputError("edge " + std::to_string(i) + ": a configuration holds a number that is not finite");
}

namespace {

/// Counts finished edges and reports progress now and then.
class Progress {
 public:
  Progress(const BatchOptions& options, std::size_t edges)
      : report_(options.progress), edges_(edges), step_(edges < 100 ? 1 : edges / 100) {}

  void one_done() {
    const std::size_t done = done_.fetch_add(1) + 1;
    if (!report_ || (done % step_ != 0 && done != edges_)) return;
    const std::lock_guard lock(mutex_);
    if (done <= told_) return;  // a thread that finished later reported first
    told_ = done;
    report_(done, edges_);
  }
  std::size_t done() const { return done_; }

 private:
  const std::function<void(std::size_t, std::size_t)>& report_;
  std::size_t edges_, step_;
  std::atomic<std::size_t> done_ = 0;
  std::size_t told_ = 0;
  std::mutex mutex_;
};

EdgeResult check(const PathChecker& checker, const JointVectorRef& q0, const JointVectorRef& q1,
                 const BatchOptions& options, Workspace& workspace) {
  return options.first_contact ? checker.first_contact(q0, q1, workspace, options.edge)
                               : checker.any_contact(q0, q1, workspace, options.edge);
}

/// Why the results are deterministic: an edge's result depends only on the edge (a Workspace's history has no effect),
/// and each is written to its own slot.
template <class Start, class End>
BatchResult run(const PathChecker& checker, std::size_t count, const BatchOptions& options, const Start& start,
                const End& end) {
  BatchResult result;
  result.edges.resize(count);
  Progress progress(options, count);
  for_each_index(
      count, options.threads, [&] { return Workspace(checker); },
      [&](std::size_t i, Workspace& workspace) {
        if (options.cancel.stop_requested()) return;
        result.edges[i] = check(checker, start(i), end(i), options, workspace);
        progress.one_done();
      });
  result.checked = progress.done();
  return result;
}

}  // namespace

BatchResult check_edges(const PathChecker& checker, std::span<const Edge> edges, const BatchOptions& options) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    require_usable(checker.robot(), i, edges[i]);
  }
  return run(
      checker, edges.size(), options, [&](std::size_t i) -> JointVectorRef { return edges[i].q0; },
      [&](std::size_t i) -> JointVectorRef { return edges[i].q1; });
}

BatchResult check_fan(const PathChecker& checker, const JointVectorRef& start, std::span<const JointVector> ends,
                      const BatchOptions& options) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    require_usable(checker.robot(), i, start);
    require_usable(checker.robot(), i, ends[i]);
  }
  if (!ends.empty() && !options.cancel.stop_requested()) {
    Workspace workspace(checker);
    const EdgeResult at_start = check(checker, start, start, options, workspace);
    if (at_start.verdict == Verdict::Contact) {
      BatchResult result{std::vector<EdgeResult>(ends.size(), at_start), ends.size()};
      for (EdgeResult& edge : result.edges) {
        edge.t_free = 0.0;
        edge.contact->t = 0.0;
      }
      if (options.progress) options.progress(ends.size(), ends.size());
      return result;
    }
  }
  return run(
      checker, ends.size(), options, [&](std::size_t) -> JointVectorRef { return start; },
      [&](std::size_t i) -> JointVectorRef { return ends[i]; });
}

}  // namespace planner_ccd
