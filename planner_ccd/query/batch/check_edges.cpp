#include "planner_ccd/query/batch/check_edges.hpp"

#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/batch/detail/check_each.hpp"
#include "planner_ccd/query/batch/detail/edge_input.hpp"

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

/// check_each does the rest.
void require_size(const PathChecker& checker, std::size_t i, const JointVectorRef& q) {
  if (q.size() != checker.robot().dof()) require_usable(checker.robot(), i, q);
}

/// check_each of edges with the right number of entries. Each result is written to its own slot.
template <class Start, class End>
BatchResult gather(const PathChecker& checker, std::size_t count, bool one_start, const Start& start, const End& end,
                   const BatchOptions& options) {
  BatchResult result;
  result.edges.resize(count);
  result.checked = check_each(checker, count, one_start, start, end, options,
                              [&](std::size_t i, EdgeResult&& edge) { result.edges[i] = std::move(edge); });
  return result;
}

}  // namespace

BatchResult check_edges(const PathChecker& checker, std::span<const Edge> edges, const BatchOptions& options) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    require_size(checker, i, edges[i].q0);
    require_size(checker, i, edges[i].q1);
  }
  return gather(
      checker, edges.size(), false, [&](std::size_t i) { return edges[i].q0.data(); },
      [&](std::size_t i) { return edges[i].q1.data(); }, options);
}

BatchResult check_fan(const PathChecker& checker, const JointVectorRef& start, std::span<const JointVector> ends,
                      const BatchOptions& options) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == 0) require_size(checker, i, start);
    require_size(checker, i, ends[i]);
  }
  return gather(
      checker, ends.size(), true, [&](std::size_t) { return start.data(); },
      [&](std::size_t i) { return ends[i].data(); }, options);
}

}  // namespace planner_ccd
