#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::cli {

/// One robot of those given.
struct RobotPart {
  std::string prefix;  ///< Before the names of its links, joints and named states; empty: it stands alone.
  std::string file;
  std::string name;                                        ///< As its file says.
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();  ///< X_WorldRoot, from --base.
};

/// What every subcommand starts from: one robot, or several as one model.
struct LoadedRobot {
  std::string file;  ///< For messages; of several robots all files.
  std::vector<RobotPart> parts;
  std::shared_ptr<const RobotModel> model;
  Srdf srdf;
  CollisionMatrix matrix;
  std::vector<std::string> warnings, details;
  std::vector<Assumption> assumptions;  ///< Of whatever was loaded with it,
  std::vector<std::string> meshes;      ///< and the files of its meshes.

  /// Warnings, assumptions and meshes of something else that was loaded.
  template <class T>
  void note(const Loaded<T>& loaded) {
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    details.insert(details.end(), loaded.details.begin(), loaded.details.end());
    merge(assumptions, loaded.assumptions);
    meshes.insert(meshes.end(), loaded.meshes.begin(), loaded.meshes.end());
  }
};

/// The robots given under `name` ("robot", or a positional) as [PREFIX=]FILE, with their --srdf and --base. Several robots
/// need prefixes; their roots are then fixed to a common link "world" (see `combine`). Throws InputError that names the
/// option for prefixes that are missing, twice or unknown, and for poses that are none.
LoadedRobot load_robots(const std::string& name, const Arguments& arguments);

/// An entry [PREFIX=]VALUE of an option.
struct Prefixed {
  std::string prefix;  ///< Empty when there is none.
  std::string value;
};

/// What stands before the first '=' is the prefix, unless the whole entry is the name of a file. Throws InputError when
/// nothing stands before or after it.
Prefixed split_prefix(const std::string& option, const std::string& entry);

}  // namespace planner_ccd::cli
