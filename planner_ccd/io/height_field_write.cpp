#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

HeightFieldText format_height_field(const HeightField& field) {
  const auto along = static_cast<std::size_t>(field.row_length);
  const std::size_t columns = field.columns.size() + static_cast<std::size_t>(field.left_out);
  const std::size_t rows = columns / (along - 1) + 1;
  constexpr double kMissing = std::numeric_limits<double>::infinity();
  // A height is missing if none of the four columns about it is known.
  NpyArray heights{rows, along, std::vector<double>(rows * along, kMissing)};
  bool known = false, fits = rows >= 2;
  for (const HeightField::Column& c : field.columns) {
    fits = fits && c.y + 1u < rows;
    known = known || std::isfinite(c.height);
    if (!fits || !std::isfinite(c.height)) continue;
    double* first = &heights.values[c.y * along + c.x];
    for (double* h : {first, first + 1, first + along, first + along + 1}) {
      *h = std::min(*h, static_cast<double>(c.height));
    }
  }
  if (!known) throw InputError("scene: a height field without a known height cannot be written; leave it out");
  HeightFieldText out;
  out.bytes = format_npy(heights);
  out.options = {.pixel = field.pixel, .floor = field.floor, .top = field.top, .unknown_is_free = field.left_out > 0};
  // A map keeps its columns in an order of its own.
  const auto again = [&] { return CellMap(make_height_field(heights.values, along, out.options, "scene"), "scene"); };
  if (!fits || !(again() == CellMap(field, "scene"))) {
    throw InputError(
        "scene: a height field from which columns were taken cannot be written; keep its file, and name that in the "
        "scene");
  }
  return out;
}

}  // namespace planner_ccd
