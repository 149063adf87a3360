#pragma once

#include <memory>
#include <optional>
#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Files of proofs about robots (PreparedRobot::proofs), in one folder, each named by what it is about: KEY.cells.
///
/// Trust: a file is believed, once version, size, checksum and key are right. The checksum finds damage; it does not stop somebody
/// who means to deceive. So a file counts only if it belongs to the user who asks, or to root, and nobody else may write to it; any
/// other, and any that is damaged, is left alone with a warning, and costs time, never a wrong verdict.

/// $PLANNER_CCD_CACHE, else planner_ccd/ in $XDG_CACHE_HOME, else in ~/.cache; empty where there is no home.
std::string default_proof_folder();

/// The robot with the proofs that the folder holds for it, with these margins and however many evaluations; none where it holds
/// none that can be used.
Loaded<std::optional<PreparedRobot>> find_prepared(std::shared_ptr<const RobotModel> robot,
                                                   const CollisionMatrix& matrix, const PrepareOptions& options,
                                                   const std::string& folder);

/// Writes the proofs, for find_prepared, and returns the file's name. Whoever reads meanwhile gets the old file or the new one.
/// Throws InputError when folder or file cannot be made.
std::string keep_prepared(const PreparedRobot& robot, const std::string& folder);

/// The robot with proofs for at least `options.cell_evaluations` a pair: those of the folder, else new ones, which are kept
/// there; that they could not be kept is a warning.
Loaded<PreparedRobot> load_prepared(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                                    const PrepareOptions& options, const std::string& folder);

}  // namespace planner_ccd
#pragma GCC visibility pop
