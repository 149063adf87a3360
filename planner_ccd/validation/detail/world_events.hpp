#pragma once

#include "planner_ccd/validation/timeline.hpp"

namespace planner_ccd {

/// Throws InputError naming the event.
[[noreturn]] void fail(const TimelineEvent& event, const std::string& message);

/// What events do to a scene while the robot is in one configuration.
class WorldEvents {
 public:
  WorldEvents(const RobotModel& robot, const JointVector& q);

  /// Changes `scene`. Completes the event: the pose; of Detach, the link that held the object, as `from`. Appends to `steps` what
  /// a given pose moves. Throws InputError naming the event.
  void apply(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const;

 private:
  const RobotModel& robot_;
  JointVector q_;

  Pose link_pose(const std::string& link) const;
  void require_link(const TimelineEvent& event, const std::string& link) const;
  Pose settled(const TimelineEvent& event, const Pose& X_WLink, const Pose& X_WObject,
               std::vector<Assumption>& steps) const;
  void attach(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const;
  void detach(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const;
  void require_names(const TimelineEvent& event, const AllowedPair& pair, const Scene& scene) const;
};

}  // namespace planner_ccd
