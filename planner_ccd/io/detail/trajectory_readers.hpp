#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/trajectory_file.hpp"

namespace planner_ccd {

/// A trajectory as read: columns in the file's order, yet to be sorted into the model's coordinates.
struct TrajectoryTable {
  struct Row {
    int line = 0;
    double time = 0.0;
    std::vector<double> position, velocity, acceleration;  ///< By column; the latter two may be empty.
    std::vector<double> error;                             ///< By column of errors.
  };
  std::vector<int> coordinates;  ///< Coordinate of each column.
  std::vector<int> with_error;   ///< Coordinate of each column of errors.
  int header_line = 1;           ///< For CSV.
  std::vector<Row> rows;
  bool timed = true;
  std::map<std::string, double> start;  ///< Values of coordinates before the motion, if the file gives them.
  std::vector<std::string>
      start_frames;  ///< Joints of the start state that the robot does not have, and that are not at rest.
  std::vector<std::string> held_objects;  ///< Objects that the robot holds in the start state.
  Trajectory curve;                       ///< In place of rows.
};

/// The coordinate that the file calls `name`, with the prefix prepended. If there is none, throws InputError beginning
/// with `where`, with a remedy.
int find_coordinate(const RobotModel& model, const std::string& prefix, const std::string& name,
                    const std::string& where);

/// Throws InputError for duplicate coordinates.
void require_distinct(const std::vector<int>& coordinates, const RobotModel& model, const std::string& where);

/// The planar or floating joint that the file calls `name`, with the prefix prepended.
const Joint& find_multi_dof_joint(const RobotModel& model, const std::string& prefix, const std::string& name,
                                  const std::string& where);

/// Appends to a row the values of such a joint from a transform (x, y, z, then the quaternion x, y, z, w). Planar
/// joints take x, y and the turn about their normal, which must be z. Throws InputError beginning with `where` for
/// motion the joint cannot make.
void append_multi_dof_values(const Joint& joint, const std::array<double, 7>& transform, TrajectoryTable::Row& row,
                             const std::string& where);

/// Sets `table.start` of a planar or floating joint by its transform (as above) in a start state; a joint that the robot does not
/// have is noted unless it is at its origin.
void place_multi_dof(const RobotModel& model, const std::string& full_name, const std::array<double, 7>& transform,
                     TrajectoryTable& table, const std::string& where);

/// The model's motion from a table, with values for coordinates that it does not move.
TrajectoryFile assemble_trajectory(const TrajectoryTable& table, const RobotModel& model,
                                   const TrajectoryFileOptions& options, const std::string& name);

/// What a message says of its start state, and a check does not use: objects that are held, and joints that the robot does not have.
std::vector<Assumption> start_assumptions(const TrajectoryTable& table);

/// Normalises the quaternions of floating joints. Throws unless they are unit to 1e-3.
void unit_quaternions(const RobotModel& model, const std::string& where, JointVector& q);

/// Throws InputError, beginning with `name`, for a table with errors.
void refuse_errors(const TrajectoryTable& table, const std::string& name);

/// Reads the CSV of a path or a trajectory.
TrajectoryTable read_trajectory_csv(std::string_view text, const std::string& name, const RobotModel& model,
                                    const std::string& prefix);
TrajectoryTable read_trajectory_yaml(const std::string& text, const std::string& name, const RobotModel& model,
                                     const std::string& prefix);

}  // namespace planner_ccd
