#include "planner_ccd/geometry/height_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::infinity();
constexpr std::size_t kMostAlong = 65536;

/// A function of its own: otherwise GCC 12 at -O3 uses the unrounded double (hierarchy/ssv_tree_builder.cpp).
[[gnu::noinline]] float to_float(double x) { return static_cast<float>(x); }

float float_above(double x) {
  const float rounded = to_float(x);
  return static_cast<double>(rounded) < x ? std::nextafter(rounded, kUnknown) : rounded;
}

/// The lowest and the highest height that is finite.
struct Extremes {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;

  Extremes(std::span<const double> heights, const std::string& name) {
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const double h = heights[i];
      if (!std::isfinite(h)) continue;
      if (std::abs(h) > kMaxCoordinate) {
        throw InputError(name + ": height " + std::to_string(i) + " lies beyond 1e7 m");
      }
      lowest = std::min(lowest, h);
      highest = std::max(highest, h);
    }
    if (!(lowest <= highest)) throw InputError(name + ": none of its heights is a finite number");
  }
};

void check_options(const HeightFieldOptions& options, std::size_t rows, std::size_t columns, const std::string& name) {
  if (!(options.pixel >= 1e-6) || !(options.pixel * static_cast<double>(std::max(rows, columns)) <= kMaxCoordinate)) {
    throw InputError(name + ": the pixel must be a positive number of metres, not " + std::to_string(options.pixel));
  }
  for (const std::optional<double>& z : {options.floor, options.top}) {
    if (z && !(std::abs(*z) <= kMaxCoordinate)) {
      throw InputError(name + ": floor and top must be numbers of metres within 1e7");
    }
  }
}

}  // namespace

HeightField make_height_field(std::span<const double> heights, std::size_t row_length,
                              const HeightFieldOptions& options, const std::string& name) {
  const std::size_t rows = row_length == 0 ? 0 : heights.size() / row_length;
  if (heights.size() > CellMap::kMostHeights) {
    throw InputError(name + ": " + std::to_string(heights.size()) + " heights; at most " +
                     std::to_string(CellMap::kMostHeights) + " are taken, so make it coarser");
  }
  if (rows < 2 || row_length < 2 || rows > kMostAlong || row_length > kMostAlong ||
      rows * row_length != heights.size()) {
    throw InputError(name + ": must be a table of 2 x 2 to 65536 x 65536 heights");
  }
  check_options(options, rows, row_length, name);
  const Extremes extremes(heights, name);
  const double side = options.pixel * static_cast<double>(std::max(rows, row_length) - 1);
  HeightField out;
  out.pixel = options.pixel;
  out.floor = options.floor.value_or(extremes.lowest - side);
  out.top = options.top.value_or(extremes.highest + side);
  out.row_length = static_cast<std::int32_t>(row_length);
  if (!(extremes.lowest - out.floor >= (1.0 - 1e-9) * options.pixel)) {
    throw InputError(name + ": the floor must lie at least a pixel below the lowest height, which is " +
                     std::to_string(extremes.lowest));
  }
  if (!(out.top >= extremes.highest)) {
    throw InputError(name + ": the top must not lie below the highest height, which is " +
                     std::to_string(extremes.highest));
  }
  for (std::size_t y = 0; y + 1 < rows; ++y) {
    for (std::size_t x = 0; x + 1 < row_length; ++x) {
      const double* first = &heights[y * row_length + x];
      double highest = -std::numeric_limits<double>::infinity();
      bool known = true;
      for (const double h : {first[0], first[1], first[row_length], first[row_length + 1]}) {
        known = known && std::isfinite(h);
        highest = std::max(highest, h);
      }
      if (!known && options.unknown_is_free) {
        ++out.left_out;
      } else {
        out.columns.push_back(
            {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), known ? float_above(highest) : kUnknown});
      }
    }
  }
  return out;
}

}  // namespace planner_ccd
