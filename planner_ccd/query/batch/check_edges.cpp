#include "planner_ccd/query/batch/check_edges.hpp"

#include <atomic>
#include <mutex>
#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/batch/detail/check_each.hpp"
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

using Row = Eigen::Map<const Eigen::VectorXd>;

void require_size(const PathChecker& checker, std::size_t i, const JointVectorRef& q) {
  if (q.size() != checker.robot().dof()) require_usable(checker.robot(), i, q);
}

/// Of a thread. An edge's numbers are copied before they are looked at: Python lets other threads change them meanwhile.
struct Scratch {
  Workspace workspace;
  JointVector q0, q1;
};

/// The results of a source whose rows have the right size.
BatchResult gather(const PathChecker& checker, const EdgeSource& source, const BatchOptions& options) {
  BatchResult result;
  result.edges.resize(source.count);
  result.checked = check_each(checker, source, options,
                              [&](std::size_t i, EdgeResult&& edge) { result.edges[i] = std::move(edge); });
  return result;
}

}  // namespace

/// Why the results are deterministic: an edge's result depends only on the edge (a Workspace's history has no effect).
std::size_t check_each(const PathChecker& checker, const EdgeSource& edges, const BatchOptions& options,
                       const std::function<void(std::size_t, EdgeResult&&)>& take) {
  const int dof = checker.robot().dof();
  for (std::size_t i = 0; i < edges.count; ++i) {
    if (i == 0 || !edges.one_start) require_usable(checker.robot(), i, Row(edges.start(i), dof));
    require_usable(checker.robot(), i, Row(edges.end(i), dof));
  }
  if (edges.one_start && edges.count > 0 && !options.cancel.stop_requested()) {
    Workspace workspace(checker);
    const Row start(edges.start(0), dof);
    EdgeResult at_start = check(checker, start, start, options, workspace);
    if (at_start.verdict == Verdict::Contact) {
      at_start.t_free = 0.0;
      at_start.contact->t = 0.0;
      for (std::size_t i = 0; i < edges.count; ++i) take(i, EdgeResult(at_start));
      if (options.progress) options.progress(edges.count, edges.count);
      return edges.count;
    }
  }
  Progress progress(options, edges.count);
  for_each_index(
      edges.count, options.threads,
      [&] {
        return Scratch{Workspace(checker), {}, {}};
      },
      [&](std::size_t i, Scratch& own) {
        if (options.cancel.stop_requested()) return;
        own.q0 = Row(edges.start(i), dof);
        own.q1 = Row(edges.end(i), dof);
        take(i, check(checker, own.q0, own.q1, options, own.workspace));
        progress.one_done();
      });
  return progress.done();
}

BatchResult check_edges(const PathChecker& checker, std::span<const Edge> edges, const BatchOptions& options) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    require_size(checker, i, edges[i].q0);
    require_size(checker, i, edges[i].q1);
  }
  return gather(checker,
                {edges.size(), [&](std::size_t i) { return edges[i].q0.data(); },
                 [&](std::size_t i) { return edges[i].q1.data(); }},
                options);
}

BatchResult check_fan(const PathChecker& checker, const JointVectorRef& start, std::span<const JointVector> ends,
                      const BatchOptions& options) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == 0) require_size(checker, i, start);
    require_size(checker, i, ends[i]);
  }
  return gather(
      checker,
      {ends.size(), [&](std::size_t) { return start.data(); }, [&](std::size_t i) { return ends[i].data(); }, true},
      options);
}

}  // namespace planner_ccd
