#include "planner_ccd/io/log/log_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner_ccd/io/log/field_reader.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {
namespace {

/// The contents of a type.
enum class Layout : std::uint8_t {
  Unknown,
  JointState,
  JointTrajectory,
  RobotTrajectory,
  DisplayTrajectory,
  Goal,          ///< Begins with the JointTrajectory.
  ActionGoal,    ///< ROS 1: header, id, goal.
  SendGoal,      ///< ROS 2: id, goal.
  SendGoalEvent  ///< ROS 2: recorded by service introspection.
};

Layout layout_of(const LogChannel& channel) {
  if (channel.encoding == LogEncoding::Other) return Layout::Unknown;
  static const std::map<std::string, Layout, std::less<>> kLayouts = {
      {"sensor_msgs/JointState", Layout::JointState},
      {"trajectory_msgs/JointTrajectory", Layout::JointTrajectory},
      {"moveit_msgs/RobotTrajectory", Layout::RobotTrajectory},
      {"moveit_msgs/DisplayTrajectory", Layout::DisplayTrajectory},
      {"control_msgs/FollowJointTrajectoryGoal", Layout::Goal},
      {"control_msgs/FollowJointTrajectory_Goal", Layout::Goal},
      {"control_msgs/FollowJointTrajectoryActionGoal", Layout::ActionGoal},
      {"control_msgs/FollowJointTrajectory_SendGoal_Request", Layout::SendGoal},
      {"control_msgs/FollowJointTrajectory_SendGoal_Event", Layout::SendGoalEvent}};
  const auto found = kLayouts.find(channel.type);
  return found == kLayouts.end() ? Layout::Unknown : found->second;
}

// [byte] Least sizes of entries.
constexpr std::size_t kPointBytes = 24, kTransformBytes = 56, kTwistBytes = 48, kTrajectoryBytes = 40;

class TrajectoryReader {
 public:
  TrajectoryReader(const LogChannel& channel, std::string_view message, const RobotModel& model,
                   const std::string& prefix, const std::string& where)
      : fields_(message, channel.encoding, where), model_(model), prefix_(prefix), where_(where) {}

  std::vector<LoggedTrajectory> read(Layout layout) {
    switch (layout) {
      case Layout::JointTrajectory: read_one([&](LoggedTrajectory& one) { read_joints(one); }); break;
      case Layout::RobotTrajectory: read_one([&](LoggedTrajectory& one) { read_robot_trajectory(one); }); break;
      case Layout::DisplayTrajectory: read_display(); return std::move(found_);
      case Layout::ActionGoal:
        fields_.header();
        fields_.time();
        fields_.text();
        return read_goal();
      case Layout::SendGoalEvent:
        fields_.number<std::uint8_t>();
        fields_.time();
        fields_.skip_bytes(16);
        fields_.number<std::uint64_t>();
        if (fields_.count(16) == 0) return {};  // the answer
        [[fallthrough]];
      case Layout::SendGoal: fields_.skip_bytes(16); return read_goal();
      case Layout::Goal: return read_goal();
      case Layout::JointState:
      case Layout::Unknown: return {};
    }
    fields_.require_end();
    return std::move(found_);
  }

 private:
  FieldReader fields_;
  const RobotModel& model_;
  const std::string& prefix_;
  const std::string& where_;
  std::vector<LoggedTrajectory> found_;

  template <class Read>
  void read_one(const Read& read) {
    LoggedTrajectory one;
    read(one);
    require_distinct(one.table.coordinates, model_, where_);
    if (!one.table.rows.empty()) found_.push_back(std::move(one));
  }

  /// Followed by tolerances, more of them in newer versions.
  std::vector<LoggedTrajectory> read_goal() {
    read_one([&](LoggedTrajectory& one) { read_joints(one); });
    return std::move(found_);
  }

  void read_robot_trajectory(LoggedTrajectory& one) {
    read_joints(one);
    read_multi_dof(one);
  }

  void read_joints(LoggedTrajectory& one) {
    one.stamp = fields_.header();
    for (const std::string_view name : fields_.texts()) {
      one.table.coordinates.push_back(find_coordinate(model_, prefix_, std::string(name), where_));
    }
    const std::size_t points = fields_.count(kPointBytes);
    for (std::size_t i = 0; i < points; ++i) {
      TrajectoryTable::Row row;
      row.line = static_cast<int>(i);
      row.position = reals("positions", one.table, i, false);
      row.velocity = reals("velocities", one.table, i, true);
      row.acceleration = reals("accelerations", one.table, i, true);
      fields_.reals();  // effort
      row.time = fields_.duration();
      if (!row.acceleration.empty() && row.velocity.empty()) {
        throw InputError(where_ + ": point " + std::to_string(i) +
                         " has accelerations without velocities, which define no motion");
      }
      one.table.rows.push_back(std::move(row));
    }
  }

  std::vector<double> reals(const char* what, const TrajectoryTable& table, std::size_t point, bool may_be_empty) {
    std::vector<double> values = fields_.reals();
    if (values.size() != table.coordinates.size() && !(may_be_empty && values.empty())) {
      throw InputError(where_ + ": point " + std::to_string(point) + " has " + std::to_string(values.size()) + " " +
                       what + " for " + std::to_string(table.coordinates.size()) + " joints");
    }
    return values;
  }

  /// The MultiDOFJointTrajectory of the same points.
  void read_multi_dof(LoggedTrajectory& one) {
    const std::int64_t stamp = fields_.header();
    const std::vector<std::string_view> names = fields_.texts();
    const std::size_t points = fields_.count(kPointBytes);
    std::vector<const Joint*> joints;
    for (const std::string_view name : names) {
      if (points == 0) break;
      joints.push_back(&find_multi_dof_joint(model_, prefix_, std::string(name), where_));
      for (int k = 0; k < joints.back()->q_size; ++k) one.table.coordinates.push_back(joints.back()->q_index + k);
    }
    const bool alone = one.table.rows.empty();
    if (alone) one.stamp = stamp;
    if (!alone && points != 0 && points != one.table.rows.size()) {
      throw InputError(where_ + ": has " + std::to_string(points) +
                       " points of planar and floating joints where there are " +
                       std::to_string(one.table.rows.size()) + " of the others");
    }
    for (std::size_t i = 0; i < points; ++i) {
      if (alone) one.table.rows.emplace_back().line = static_cast<int>(i);
      read_multi_dof_point(joints, one.table.rows[i], alone, where_ + ": point " + std::to_string(i));
    }
  }

  void read_multi_dof_point(const std::vector<const Joint*>& joints, TrajectoryTable::Row& row, bool alone,
                            const std::string& where) {
    if (fields_.count(kTransformBytes) != joints.size())
      throw InputError(where + ": has not one transform for each joint");
    for (const Joint* joint : joints) append_multi_dof_values(*joint, read_transform(), row, where);
    for (const char* what : {"velocities", "accelerations"}) {
      if (fields_.count(kTwistBytes) > 0) {
        throw InputError(where + ": planar and floating joints go straight from frame to frame; leave out their " +
                         what);
      }
    }
    const double time = fields_.duration();
    if (!alone && time != row.time) throw InputError(where + ": its joints are not all of one time");
    row.time = time;
  }

  std::array<double, 7> read_transform() {
    std::array<double, 7> values;
    for (double& value : values) value = fields_.real();
    return values;
  }

  void read_display() {
    fields_.text();  // the robot's name
    const std::size_t count = fields_.count(kTrajectoryBytes);
    for (std::size_t i = 0; i < count; ++i) read_one([&](LoggedTrajectory& one) { read_robot_trajectory(one); });
    read_start();
  }

  /// A RobotState. Where the robot stands before the first trajectory; before each other one it stands where the one before ends.
  void read_start() {
    TrajectoryTable state;
    fields_.header();
    const std::vector<std::string_view> names = fields_.texts();
    const std::vector<double> values = fields_.reals();
    fields_.reals();
    fields_.reals();
    if (!values.empty() && values.size() != names.size())
      throw InputError(where_ + ": the start has not one value for each joint");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) throw InputError(where_ + ": the start has a value that is not a finite number");
      const std::string name = prefix_ + std::string(names[i]);
      if (model_.find_coordinate(name) >= 0) state.start[name] = values[i];
    }
    read_start_frames(state);
    if (const std::size_t held = fields_.count(1); held > 0) {
      state.held_objects.push_back(std::to_string(held) + " of the start state");
    }
    for (LoggedTrajectory& one : found_) {
      one.table.start = state.start;
      one.table.held_objects = state.held_objects;
      one.table.start_frames = state.start_frames;
      const std::vector<double>& end = one.table.rows.back().position;
      for (std::size_t k = 0; k < end.size(); ++k) {
        state.start[model_.coordinates()[static_cast<std::size_t>(one.table.coordinates[k])].name] = end[k];
      }
    }
  }

  /// The MultiDOFJointState of a RobotState.
  void read_start_frames(TrajectoryTable& state) {
    fields_.header();
    const std::vector<std::string_view> names = fields_.texts();
    const std::size_t transforms = fields_.count(kTransformBytes);
    if (transforms != 0 && transforms != names.size())
      throw InputError(where_ + ": the start has not one transform for each joint");
    for (std::size_t k = 0; k < transforms; ++k) {
      const std::array<double, 7> transform = read_transform();
      if (!std::all_of(transform.begin(), transform.end(), [](double x) { return std::isfinite(x); })) {
        throw InputError(where_ + ": the start has a value that is not a finite number");
      }
      place_multi_dof(model_, prefix_ + std::string(names[k]), transform, state, where_ + ": the start");
    }
    for (int i = 0; i < 2; ++i) {  // twists and wrenches
      for (std::size_t left = fields_.count(kTwistBytes) * kTwistBytes / sizeof(double); left > 0; --left)
        fields_.real();
    }
  }
};

}  // namespace

LogContent content_of(const LogChannel& channel) {
  const Layout layout = layout_of(channel);
  return layout == Layout::Unknown      ? LogContent::Nothing
         : layout == Layout::JointState ? LogContent::Samples
                                        : LogContent::Trajectories;
}

JointSample read_sample(const LogChannel& channel, std::string_view message, const std::string& where) {
  FieldReader fields(message, channel.encoding, where);
  JointSample sample;
  sample.stamp = fields.header();
  sample.names = fields.texts();
  sample.positions = fields.reals();
  fields.reals();  // velocities
  fields.reals();  // efforts
  fields.require_end();
  if (!sample.positions.empty() && sample.positions.size() != sample.names.size()) {
    throw InputError(where + ": has " + std::to_string(sample.positions.size()) + " positions of " +
                     std::to_string(sample.names.size()) + " joints");
  }
  return sample;
}

std::vector<LoggedTrajectory> read_trajectories(const LogChannel& channel, std::string_view message,
                                                const RobotModel& model, const std::string& prefix,
                                                const std::string& where) {
  return TrajectoryReader(channel, message, model, prefix, where).read(layout_of(channel));
}

}  // namespace planner_ccd
