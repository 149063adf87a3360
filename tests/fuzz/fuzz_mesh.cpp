#include <cstdint>
#include <string_view>

#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/math/error.hpp"

// The first byte chooses the format, the rest is the file: either an InputError or a mesh that validate() accepts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using planner_ccd::MeshFormat;
  constexpr MeshFormat kFormats[] = {MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Ply,
                                     MeshFormat::Off, MeshFormat::Dae, MeshFormat::Glb};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto mesh = planner_ccd::parse_mesh(bytes, kFormats[(data[0] - '0') % 6u], "fuzz");
    planner_ccd::validate(mesh, "fuzz");
    planner_ccd::implausible_size(mesh, 1.0);
  } catch (const planner_ccd::InputError&) {
  }
  return 0;
}
