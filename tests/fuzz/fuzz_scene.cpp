#include <cstdint>
#include <string>

#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/math/error.hpp"

// Any text: either an InputError or a scene that validate() accepts. Mesh files cannot be found from here.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  planner_ccd::Loaded<planner_ccd::Scene> scene;
  try {
    scene = planner_ccd::parse_scene(text, "fuzz.yaml", "/nonexistent/folder");
  } catch (const planner_ccd::InputError&) {
    return 0;
  }
  planner_ccd::validate(scene.value);
  return 0;
}
