#include <cstdint>
#include <string>

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "tests/fuzz/fuzz_robot_model.hpp"

namespace {

bool same(const planner_ccd::JointPath& a, const planner_ccd::JointPath& b) {
  if (a.times != b.times || a.waypoints.size() != b.waypoints.size()) return false;
  for (std::size_t i = 0; i < a.waypoints.size(); ++i) {
    // Quaternions are normalised once more, which may change their last bits.
    if ((a.waypoints[i] - b.waypoints[i]).cwiseAbs().maxCoeff() > 1e-15) return false;
  }
  return true;
}

}  // namespace

// Either an InputError, or a path that survives writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const planner_ccd::RobotModel model = make_model();
  const std::string text(reinterpret_cast<const char*>(data), size);
  planner_ccd::Loaded<planner_ccd::JointPath> path;
  try {
    path = planner_ccd::parse_path(text, "fuzz.csv", model);
  } catch (const planner_ccd::InputError&) {
    return 0;
  }
  const auto again = planner_ccd::parse_path(planner_ccd::format_path(path.value, model), "again.csv", model);
  if (!same(path.value, again.value)) __builtin_trap();
  return 0;
}
