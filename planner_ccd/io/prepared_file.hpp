#pragma once

#include <memory>
#include <optional>
#include <string>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Files of proofs about robots (PreparedRobot::proofs) in one folder, each named by its key: KEY.cells.
///
/// Trust: a file with the right version, size, checksum and key is believed. The checksum detects damage, not forgery,
/// so a file is used only if it belongs to the calling user or to root and nobody else may write to it. Any other file,
/// and any damaged one, is ignored with a warning; this costs time, never a wrong verdict.

/// $PLANNER_CCD_CACHE, else planner_ccd/ in $XDG_CACHE_HOME, else in ~/.cache; empty without a home directory.
std::string default_proof_folder();

/// The robot with the folder's proofs for it and these margins, however many evaluations they took; empty if the folder
/// has no usable ones.
Loaded<std::optional<PreparedRobot>> find_prepared(std::shared_ptr<const RobotModel> robot,
                                                   const CollisionMatrix& matrix, const PrepareOptions& options,
                                                   const std::string& folder);

/// Writes the proofs for find_prepared and returns the file's name. Concurrent readers get the old file or the new one.
/// Throws InputError when folder or file cannot be created.
std::string keep_prepared(const PreparedRobot& robot, const std::string& folder);

/// The robot with proofs of at least `options.cell_evaluations` per pair: those in the folder, or new ones, which are
/// stored there. Failing to store them is a warning.
Loaded<PreparedRobot> load_prepared(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                                    const PrepareOptions& options, const std::string& folder);

}  // namespace planner_ccd
#pragma GCC visibility pop
