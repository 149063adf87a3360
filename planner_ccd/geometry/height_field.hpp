#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

struct HeightFieldOptions {
  double pixel = 0.0;  ///< [m] > 0. Distance of neighbouring heights, along x and along y.
  /// [m] Where the solid ends below: at least a pixel below the lowest height. Unless given, it ends below the lowest
  /// height by the longer side of the field.
  std::optional<double> floor = std::nullopt;
  /// [m] Where columns with a missing height end above: not below the highest height. Unless given, they end above the
  /// highest height by the longer side of the field.
  std::optional<double> top = std::nullopt;
  bool unknown_is_free = false;  ///< Columns with a missing height are no obstacles.
};

/// Heights over a grid, as solid columns. Height (row, column) was measured at x = column * pixel, y = row * pixel. The
/// square between four neighbouring heights carries a column from the floor to the greatest of the four, which contains
/// the bilinear surface through them and both of its triangulations. Where one of the four is missing (NaN or infinite)
/// nobody knows where the column ends.
struct HeightField {
  struct Column {
    std::uint16_t x = 0, y = 0;  ///< The square [x, x + 1] x [y, y + 1], in pixels.
    float height = 0.0f;         ///< [m] Rounded up from the input; infinite where a height is missing.

    bool operator==(const Column&) const = default;
  };

  double pixel = 0.0, floor = 0.0, top = 0.0;  ///< [m] As used.
  std::int32_t row_length = 0;                 ///< Heights in a row of the input.
  std::int32_t left_out = 0;                   ///< Columns with a missing height that are taken to be free.
  std::vector<Column> columns;

  bool operator==(const HeightField&) const = default;
};

/// `heights` row by row. Throws InputError, naming `name`, for fewer than 2 x 2 heights or more than 65536 along a side,
/// for no column at all, for a height beyond 1e7 m, and for options that break the rules above.
HeightField make_height_field(std::span<const double> heights, std::size_t row_length,
                              const HeightFieldOptions& options, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
