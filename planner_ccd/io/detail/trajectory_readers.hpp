#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/trajectory_file.hpp"

namespace planner_ccd {

/// A trajectory as a reader found it: columns in the file's order, to be sorted into the model's coordinates.
struct TrajectoryTable {
  struct Row {
    int line = 0;
    double time = 0.0;
    std::vector<double> position, velocity, acceleration;  ///< By column; the latter two may be empty.
  };
  std::vector<int> coordinates;  ///< Of each column.
  int header_line = 1;           ///< Of CSV.
  std::vector<Row> rows;
  bool timed = true;
  std::map<std::string, double> start;    ///< Values of coordinates that stand still, where the file knows them.
  std::vector<std::string> held_objects;  ///< Which the start state says the robot holds.
  Trajectory curve;                       ///< Instead of rows.
};

/// The coordinate that the file calls `name`, which begins with the prefix once it is put before. Throws InputError that
/// starts with `where` and says what to do when there is none.
int find_coordinate(const RobotModel& model, const std::string& prefix, const std::string& name,
                    const std::string& where);

/// Throws unless every coordinate is there at most once.
void require_distinct(const std::vector<int>& coordinates, const RobotModel& model, const std::string& where);

/// The planar or floating joint that the file calls `name`, likewise.
const Joint& find_multi_dof_joint(const RobotModel& model, const std::string& prefix, const std::string& name,
                                  const std::string& where);

/// Appends to a row what a transform (x, y, z, then the quaternion x, y, z, w) says of such a joint. Planar joints take x, y and the
/// turn about their normal, which must be z. Throws InputError that starts with `where` when it does more than the joint can.
void append_multi_dof_values(const Joint& joint, const std::array<double, 7>& transform, TrajectoryTable::Row& row,
                             const std::string& where);

/// The motion of the model that a table stands for, with values for what it does not move.
TrajectoryFile assemble_trajectory(const TrajectoryTable& table, const RobotModel& model,
                                   const TrajectoryFileOptions& options, const std::string& name);

/// Objects that a message says are held.
Assumption held_objects(const TrajectoryTable& table);

/// Makes the quaternions of floating joints unit. Throws unless they are so to 1e-3.
void unit_quaternions(const RobotModel& model, const std::string& where, JointVector& q);

/// Of a path or a trajectory.
TrajectoryTable read_trajectory_csv(std::string_view text, const std::string& name, const RobotModel& model,
                                    const std::string& prefix);
TrajectoryTable read_trajectory_yaml(const std::string& text, const std::string& name, const RobotModel& model,
                                     const std::string& prefix);

}  // namespace planner_ccd
