#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {

/// The points in a file; coordinates may be NaN or infinite.
struct CloudPoints {
  std::vector<Eigen::Vector3d> points;
  std::vector<InputWarning> warnings = {};
};

// One reader per format. Each throws InputError beginning with `name`; none allocates more than a small multiple of its
// input's size (a compressed PCD unpacks to at most 90 times its size).
CloudPoints read_xyz(std::string_view bytes, const std::string& name);
CloudPoints read_pcd(std::string_view bytes, const std::string& name);
CloudPoints read_ply_points(std::string_view bytes, const std::string& name);
CloudPoints read_npy_points(std::string_view bytes, const std::string& name);

/// As parse_number, but also accepts nan and inf.
std::optional<double> parse_coordinate(std::string_view text);

/// The numbers of a two-dimensional NumPy array (format 1 to 3, float32 or float64, little endian), row by row.
struct NpyArray {
  std::size_t rows, columns;
  std::vector<double> values;
};
NpyArray read_npy(std::string_view bytes, const std::string& name);
/// The same as bytes of a file, of float64.
std::string format_npy(const NpyArray& array);

/// Unpacks LZF (Lehmann); the result must fill `size` bytes. Throws InputError beginning with `name`.
std::string unpack_lzf(std::string_view packed, std::size_t size, const std::string& name);

}  // namespace planner_ccd
