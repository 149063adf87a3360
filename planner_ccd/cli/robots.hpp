#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/motion/moving_frame.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::cli {

/// One of the given robots, or a tool mounted on one.
struct RobotPart {
  std::string prefix;  ///< Prepended to the names of its links, joints and named states; empty for a single robot.
  std::string file;
  std::string name;                                        ///< From its file.
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();  ///< X_WorldRoot, from --base; for a tool X_LinkRoot.
  std::string link = {};                                   ///< For a tool: where --mount fixes it; else empty.
};

/// What every subcommand starts from: one robot, or several as one model.
struct LoadedRobot {
  std::string file;              ///< For messages; all files if there are several robots.
  std::vector<RobotPart> parts;  ///< Robots first, then tools.
  std::shared_ptr<const RobotModel> model;
  std::shared_ptr<const RobotModel> bare;  ///< Without moving frames; `model` if there are none.
  Srdf srdf;
  CollisionMatrix matrix;
  std::vector<std::string> warnings, details;
  std::vector<Assumption> assumptions;  ///< Of everything loaded with it.
  std::vector<std::string> meshes;      ///< Mesh files.

  /// Adds warnings, assumptions and meshes of something else that was loaded.
  template <class T>
  void note(const Loaded<T>& loaded) {
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    details.insert(details.end(), loaded.details.begin(), loaded.details.end());
    merge(assumptions, loaded.assumptions);
    meshes.insert(meshes.end(), loaded.meshes.begin(), loaded.meshes.end());
  }
};

/// The robots given under `name` ("robot", or a positional) as [PREFIX=]FILE, with their --srdf and --base,
/// and the tools of --mount (see `mount`). Several robots need prefixes; their roots are then fixed to a common link
/// "world" (see `combine`). Throws InputError naming the option for missing, duplicate or unknown prefixes and for
/// malformed poses. `frames`: what moves by itself (with_moving_frames).
LoadedRobot load_robots(const std::string& name, const Arguments& arguments,
                        const std::vector<MovingFrame>& frames = {});

/// An entry [PREFIX=]VALUE of an option.
struct Prefixed {
  std::string prefix;  ///< Empty if there is none.
  std::string value;
};

/// The text before the first '=' is the prefix, unless the whole entry is the name of a file. Throws InputError when
/// either side of the '=' is empty.
Prefixed split_prefix(const std::string& option, const std::string& entry);

}  // namespace planner_ccd::cli
