#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd {
namespace {

const std::string& coordinate_name(const RobotModel& robot, Eigen::Index i) {
  return robot.coordinates()[static_cast<std::size_t>(i)].name;
}

StatedErrors stated_errors(const RobotModel& robot, const Scene& scene, const TrajectoryOptions& options) {
  const MotionErrors& errors = options.edge.errors;
  StatedErrors out;
  for (Eigen::Index i = 0; i < errors.tracking.size(); ++i) {
    out.tracking.emplace_back(coordinate_name(robot, i), errors.tracking[i]);
  }
  JointVector most;
  for (const JointVector& e : options.segment_errors) most = most.size() == 0 ? e : most.cwiseMax(e);
  for (Eigen::Index i = 0; i < most.size(); ++i) out.columns.emplace_back(coordinate_name(robot, i), most[i]);
  out.delay = options.tracking_delay;
  for (const LinkError& e : errors.links) out.bases.emplace_back(e.link, e.error);
  for (const SceneObject& object : scene.objects) {
    if (object.pose_error.any()) out.objects.emplace_back(object.name, object.pose_error);
  }
  for (const AttachedObject& held : scene.attached) {
    if (held.object.pose_error.any()) out.objects.emplace_back(held.object.name, held.object.pose_error);
  }
  return out;
}

/// Name of a strategy; null: the default.
template <class Strategy>
std::string name_of(const std::shared_ptr<const Strategy>& strategy, const char* own) {
  return strategy ? std::string(strategy->name()) : own;
}

std::size_t pair_count(const PathChecker& checker, const Timeline* timeline) {
  if (timeline == nullptr) return parts_of(checker).world.problem().pairs.size();
  std::size_t most = 0;
  for (const Timeline::Stage& stage : timeline->stages()) most = std::max(most, pair_count(stage.checker, nullptr));
  return most;
}

/// What a number in a contact counts: of `name`, which may be a link or an object.
std::string part_name(const Scene& scene, const std::string& name, int number) {
  if (number < 0) return {};
  const SceneObject* object = scene.objects.find(name);
  for (const AttachedObject& held : scene.attached) {
    if (held.object.name == name) object = &held.object;
  }
  if (object == nullptr) return "triangle";
  const Shape& shape = object->geometry.front().shape;
  if (std::holds_alternative<CloudPtr>(shape)) return "point";
  const auto* cells = std::get_if<CellsPtr>(&shape);
  const int cell = cells == nullptr ? -1 : (*cells)->find(number);
  if (cell < 0) return "triangle";
  const std::string part = (*cells)->field() != nullptr ? "column" : "cell";
  return ((*cells)->unknown(cell) ? "unknown " : "") + part;
}

Question make_question(const Checked& c) {
  const RobotModel& robot = c.checker.robot();
  const CheckerParts& parts = parts_of(c.checker);
  Question q;
  q.robot = robot.name();
  for (const Coordinate& coordinate : robot.coordinates()) q.coordinates.push_back(coordinate.name);
  q.links = static_cast<int>(robot.links().size());
  q.links_with_geometry = static_cast<int>(std::count_if(robot.links().begin(), robot.links().end(),
                                                         [](const Link& link) { return !link.collision.empty(); }));
  q.objects = static_cast<int>(parts.scene.objects.size());
  q.held = static_cast<int>(parts.scene.attached.size());
  q.pairs = pair_count(c.checker, c.timeline);
  q.margin = parts.options.margin;
  q.self_margin = parts.options.self_margin;
  q.padding = parts.scene.padding;
  q.errors = stated_errors(robot, parts.scene, c.options);
  q.tolerance = c.options.edge.tolerance;
  q.method = name_of(c.options.edge.method, "taylor");
  q.leaf = name_of(c.options.edge.leaf, "inclusion");
  q.broad_phase = name_of(parts.options.broad_phase, "tree");
  q.max_evaluations = c.options.edge.max_evaluations;
  q.angles = c.options.edge.angles;
  q.limits_checked = c.options.check_limits;
  q.acceleration_limits = std::any_of(c.options.limits.acceleration.begin(), c.options.limits.acceleration.end(),
                                      [](double limit) { return std::isfinite(limit); });
  q.all_contacts = c.options.all_contacts;
  q.clearance_accuracy = c.options.clearance_accuracy;
  q.timed = c.trajectory.timed;
  q.begin = c.trajectory.segments.front().t0;
  q.end = c.trajectory.segments.back().t1;
  if (c.timeline) q.events = c.timeline->events();
  return q;
}

}  // namespace

Report make_report(const Checked& checked, TrajectoryResult result, const std::vector<Assumption>& loaded) {
  Report report;
  report.version = PLANNER_CCD_VERSION;
  report.question = make_question(checked);
  report.assumptions = checked.timeline ? assumptions(*checked.timeline, loaded) : assumptions(checked.checker, loaded);
  for (const TrajectorySegment& s : checked.trajectory.segments) report.segments.push_back({s.t0, s.t1});
  if (result.edge.contact && result.segment >= 0) {
    const Contact& contact = *result.edge.contact;
    const Scene& scene =
        checked.timeline ? checked.timeline->stage_of(result.segment).scene : parts_of(checked.checker).scene;
    report.contact_parts = {part_name(scene, contact.a, contact.triangle_a),
                            part_name(scene, contact.b, contact.triangle_b)};
  }
  report.result = std::move(result);
  return report;
}

}  // namespace planner_ccd
