#pragma once

#include "planner_ccd/validation/timeline.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd::testing {

inline constexpr double kBall = 0.1;

inline SceneObject ball_object(const std::string& name, const Eigen::Vector3d& at) {
  return {name, {ball(kBall)}, shift(at)};
}

inline TimelineEvent attach(double time, const std::string& object, const std::string& link = "l1") {
  TimelineEvent event;
  event.time = time;
  event.object = object;
  event.link = link;
  return event;
}

inline TimelineEvent detach(double time, const std::string& object) {
  TimelineEvent event = attach(time, object, "");
  event.kind = EventKind::Detach;
  return event;
}

inline TimelineEvent rule(EventKind kind, double time, const std::string& a, const std::string& b) {
  TimelineEvent event;
  event.kind = kind;
  event.time = time;
  event.pairs = {{a, b}};
  return event;
}

/// A hand that slides along x at 1 m/s from 0 to 10, way points every 2 m, and a cup at x = 4, beside its way.
struct Slide {
  RobotSpec spec = ChainSpec().slide({1, 0, 0}).with(ball(kBall)).spec;
  std::shared_ptr<const RobotModel> robot = std::make_shared<const RobotModel>(spec);
  Scene scene;
  Trajectory motion;

  Slide() {
    scene.objects.push_back(ball_object("cup", {4.0, 0.3, 0.0}));
    JointPath path;
    for (int i = 0; i <= 5; ++i) {
      path.waypoints.push_back(JointVector::Constant(1, 2.0 * i));
      path.times.push_back(2.0 * i);
    }
    motion = make_trajectory(*robot, path);
  }

  Timeline timeline(const std::vector<TimelineEvent>& events) const {
    return Timeline(PathChecker(robot, scene, CollisionMatrix()), scene, motion, events);
  }
  TrajectoryResult check(const std::vector<TimelineEvent>& events, const TrajectoryOptions& options = {}) const {
    Workspace workspace;
    return check_timeline(timeline(events), workspace, options);
  }
  Verdict verdict(const std::vector<TimelineEvent>& events) const { return check(events).verdict; }
};

}  // namespace planner_ccd::testing
