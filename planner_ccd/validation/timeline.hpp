#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/moving_frame.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class EventKind : std::uint8_t {
  Attach,  ///< From now on a link holds the object.
  Detach,  ///< From now on the object stands in the world where it was released.
  Allow,   ///< From now on pairs may touch, as by Scene::allow.
  Forbid,  ///< From now on pairs that were allowed are checked again.
};
/// "attach", "detach", "allow", "forbid".
const char* to_string(EventKind kind);

/// Largest step of an object whose event gives a pose: of its origin [m], and its turn [rad].
inline constexpr double kPoseStep = 1e-3;
inline constexpr double kPoseTurn = 1e-2;

/// A change of the world at one instant of a motion. Every event has either a time or a waypoint.
struct TimelineEvent {
  EventKind kind = EventKind::Attach;
  std::optional<double> time;   ///< [s] On the motion's clock.
  std::optional<int> waypoint;  ///< A knot of the motion; the first is 0. With moving frames: see at_times.
  std::string object;           ///< Attach, Detach.
  std::string link;             ///< Attach: that holds the object from now on, a moving frame perhaps.
  std::string from;  ///< Attach: the link that held it until now, for a hand-over; empty: it stood in the world.
  std::vector<std::string> touch_links;  ///< Attach: that the object may touch, besides `link`.
  /// Attach: X_LinkObject. Detach: X_WorldObject. Empty: from where the object is at that instant. A given one must agree with it
  /// to kPoseStep and kPoseTurn; it then counts, and the step to it is not checked but listed (AssumptionKind::PoseStep).
  std::optional<Pose> pose;
  std::vector<AllowedPair> pairs;  ///< Allow, Forbid.
  std::string where;               ///< For messages: file and line; empty: "event N", counted from 1.
};
/// "attach cup to gripper", "detach cup", "allow cup - finger".
std::string describe(const TimelineEvent& event);

/// A motion during which the world changes at instants, and the worlds between.
///
/// The motion is cut at its events. Between two events the world is a scene like any other (PathChecker::with_scene), and that part of the
/// motion is checked in it, both ends included: at the instant of an event the world before it and the world after it must both be free.
/// Events at one instant take place together, in the order given; worlds between them are not checked.
///
/// Where an event gives no pose, the object does not move at that instant: its pose is computed, by double precision kinematics, from the
/// configuration there. From then on this pose is part of the model: what is proved is proved for it, rounding included.
class Timeline {
 public:
  /// A part of the motion and the world during it.
  struct Stage {
    double begin, end;  ///< [s]
    bool
        is_instant;  ///< Before an event at the motion's start or after one at its end: one segment, in which nothing moves.
    Trajectory motion;
    int first_segment;  ///< Number of its first segment in motion() of the timeline.
    Scene scene;
    PathChecker checker;
  };

  /// `checker`: of the robot that moves, in any scene. `scene`: the world at the motion's start, with what moving frames carry held by
  /// them (with_carried), else queries of its stages throw InputError. `events`: in the order of time. Throws InputError for a robot with
  /// moving frames and a motion without times; and, naming the event, for: no time or waypoint, or both; a time or waypoint that the motion does not have; events out of order; two
  /// events of one object at one instant; objects and links that are not there; attaching what is held (but by `from`), detaching
  /// what is not; a given pose too far from where the object is; allowing what is allowed, forbidding what is not.
  Timeline(const PathChecker& checker, Scene scene, const Trajectory& motion, const std::vector<TimelineEvent>& events);

  const std::vector<Stage>& stages() const { return stages_; }
  /// As they took place: with the time, and for Attach and Detach with the links and the pose.
  const std::vector<TimelineEvent>& events() const { return events_; }
  /// The motion cut at the events. An event at its start or end adds a segment without duration.
  const Trajectory& motion() const { return motion_; }
  /// The stage that contains a segment of motion().
  const Stage& stage_of(int segment) const;
  /// Steps to poses that events gave.
  const std::vector<Assumption>& steps() const { return steps_; }

 private:
  std::vector<Stage> stages_;
  std::vector<TimelineEvent> events_;
  Trajectory motion_;
  std::vector<Assumption> steps_;
};

/// As check_trajectory, over the whole timeline: one verdict; segments and findings are those of Timeline::motion().
TrajectoryResult check_timeline(const Timeline& timeline, Workspace& workspace, const TrajectoryOptions& options = {},
                                const TrajectoryProgress& progress = {});

/// Adds the clearances requested in `options` to a report, as check_timeline does. False when `progress` ended it.
bool add_clearance(const Timeline& timeline, const TrajectoryOptions& options, TrajectoryResult& report,
                   const TrajectoryProgress& progress = {});

/// How the text of an assumption ends that does not hold in all stages.
inline constexpr const char* kPartOfTheTime = ", part of the time";
/// What the answer relies on in any stage.
std::vector<Assumption> assumptions(const Timeline& timeline, const std::vector<Assumption>& loaded = {});

/// The events with times in place of waypoints, those of `motion`: for a motion that moving frames give more knots. Throws InputError
/// naming the event for waypoints that are not there.
std::vector<TimelineEvent> at_times(std::vector<TimelineEvent> events, const Trajectory& motion);

/// The scene with the objects that frames carry attached to them, where they stand at the start of `motion` (of the
/// robot with its frames). Throws InputError for objects that do not stand in the scene.
Scene with_carried(const RobotModel& robot, Scene scene, const Trajectory& motion,
                   const std::vector<MovingFrame>& frames);

}  // namespace planner_ccd
#pragma GCC visibility pop
