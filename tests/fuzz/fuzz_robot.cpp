#include <cstdint>
#include <string>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/robot_model.hpp"

// A URDF and, after the line "-----", an SRDF: either an InputError or a model whose rules can be built. Mesh files
// cannot be found from here.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string separator = "\n-----\n";
  const std::size_t cut = std::min(text.find(separator), size);
  planner_ccd::UrdfOptions options;
  options.use_visual = size % 2 == 1;
  options.load_visuals = size % 3 == 1;
  try {
    const auto spec = planner_ccd::parse_urdf(text.substr(0, cut), "fuzz.urdf", "/nonexistent/folder", options);
    const planner_ccd::RobotModel model(spec.value);
    if (model.neutral().size() != model.dof()) __builtin_trap();
    planner_ccd::build_collision_matrix(model);
    if (cut == size) return 0;
    const auto srdf = planner_ccd::parse_srdf(text.substr(cut + separator.size()), "fuzz.srdf", model);
    planner_ccd::build_collision_matrix(model, srdf.value);
    for (const auto& state : srdf.value.states) {
      planner_ccd::apply_group_state(srdf.value, state.group, state.name, model, model.neutral());
    }
  } catch (const planner_ccd::InputError&) {
  }
  return 0;
}
