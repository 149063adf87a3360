#include <cstdint>
#include <string>

#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace {

// Joints of every kind: a, b (continuous), p (planar), f (floating), m (mimics a).
planner_ccd::RobotModel make_model() {
  std::string urdf = "<robot name='r'><link name='w'/>";
  const char* const joints[][2] = {
      {"a", "revolute"}, {"b", "continuous"}, {"p", "planar"}, {"f", "floating"}, {"m", "prismatic"}};
  for (const auto& [name, type] : joints) {
    urdf += std::string("<link name='l") + name + "'/><joint name='" + name + "' type='" + type +
            "'><parent link='w'/><child link='l" + name + "'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>" +
            (name[0] == 'm' ? "<mimic joint='a'/>" : "") + "</joint>";
  }
  return planner_ccd::RobotModel(planner_ccd::parse_urdf(urdf + "</robot>", "fuzz.urdf", "").value);
}

}  // namespace

// Either an InputError that names the file, or a motion that EdgeMotion accepts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const planner_ccd::RobotModel model = make_model();
  static planner_ccd::EdgeMotion motion(model);
  planner_ccd::TrajectoryFileOptions options;
  for (const planner_ccd::Coordinate& c : model.coordinates()) options.hold[c.name] = c.name == "f/rot_w" ? 1.0 : 0.0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto file = planner_ccd::parse_trajectory(text, "fuzz.file", model, options);
    for (const planner_ccd::TrajectorySegment& segment : file.value.trajectory.segments) motion.set_segment(segment);
  } catch (const planner_ccd::InputError& error) {
    const std::string message = error.what();
    if (message.find("fuzz.file") == std::string::npos && message.find("not finite") == std::string::npos) {
      __builtin_trap();
    }
  }
  return 0;
}
