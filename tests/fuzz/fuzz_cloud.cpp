#include <cstdint>
#include <string_view>

#include "planner_ccd/io/cloud_file.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/math/error.hpp"

// The first byte chooses the format, the rest is the file: either an InputError or balls and cells at valid positions.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace planner_ccd;
  constexpr CloudFormat kFormats[] = {CloudFormat::Xyz, CloudFormat::Pcd, CloudFormat::Ply, CloudFormat::Npy};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const unsigned format = (data[0] - '0') % 7u;
  try {
    if (format < 4) {
      const CloudPtr cloud = parse_cloud(bytes, kFormats[format], 0.01, "fuzz").value;
      for (int i = 0; i < cloud->size(); ++i) {
        if (!cloud->point(i).allFinite()) __builtin_trap();
      }
    } else if (format == 6) {
      const CellsPtr field = parse_height_field(bytes, {.pixel = 0.01}, "fuzz").value;
      for (int i = 0; i < field->size(); ++i) {
        if (!field->center(i).allFinite() || !(field->half_edges(i).minCoeff() > 0.0)) __builtin_trap();
      }
    } else {
      OctomapOptions options;
      options.unknown_is_free = format == 4;
      if (format == 5) options.region = OctomapRegion{{-1.0, -1.0, 0.0}, {1.0, 1.0, 2.0}};
      Octomap map = parse_octomap(bytes, options, "fuzz");
      const CellMap cells(std::move(map.cells), map.resolution, "fuzz");
      for (int i = 0; i < cells.size(); ++i) {
        if (!cells.center(i).allFinite() || !(cells.half_edges(i).minCoeff() > 0.0)) __builtin_trap();
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
