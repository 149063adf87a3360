#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/validation/moving_frame.hpp"

namespace planner_ccd::cli {

/// What loading files brought up, for the report.
struct Notes {
  std::vector<InputFile> inputs;
  std::vector<InputWarning> warnings;
  std::vector<std::string> details;  ///< Of warnings that speak of several things.
  std::vector<Assumption> assumptions;

  template <class T>
  void note(const Loaded<T>& loaded) {
    warnings.insert(warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    details.insert(details.end(), loaded.details.begin(), loaded.details.end());
    merge(assumptions, loaded.assumptions);
  }
};

/// What every subcommand starts from: one robot, or several as one model.
struct LoadedRobot : Notes {
  std::string file;              ///< For messages; all files if there are several robots.
  std::vector<RobotPart> parts;  ///< Robots first, then tools.
  std::shared_ptr<const RobotModel> model;
  std::shared_ptr<const RobotModel> bare;  ///< Without moving frames; `model` if there are none.
  Srdf srdf;
  CollisionMatrix matrix;
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
