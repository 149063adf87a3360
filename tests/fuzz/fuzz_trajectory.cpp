#include <cstdint>
#include <string>

#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "tests/fuzz/fuzz_robot_model.hpp"

// Either an InputError that names the file, or a motion that EdgeMotion accepts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const planner_ccd::RobotModel model = make_model();
  static planner_ccd::EdgeMotion motion(model);
  planner_ccd::TrajectoryFileOptions options;
  options.errors = true;
  for (const planner_ccd::Coordinate& c : model.coordinates()) options.hold[c.name] = c.name == "f/rot_w" ? 1.0 : 0.0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto file = planner_ccd::parse_trajectory(text, "fuzz.file", model, options);
    for (const planner_ccd::TrajectorySegment& segment : file.value.trajectory.segments) motion.set_segment(segment);
    if (!file.value.errors.empty() && file.value.errors.size() != file.value.trajectory.segments.size())
      __builtin_trap();
    for (const planner_ccd::JointVector& errors : file.value.errors) {
      if (errors.size() != model.dof() || !(errors.minCoeff() >= 0.0)) __builtin_trap();
    }
  } catch (const planner_ccd::InputError& error) {
    const std::string message = error.what();
    if (message.find("fuzz.file") == std::string::npos && message.find("not finite") == std::string::npos) {
      __builtin_trap();
    }
  }
  return 0;
}
