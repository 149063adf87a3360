#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planner_ccd {

/// Points as a file gives them; coordinates may be NaN or infinite.
struct CloudPoints {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::string> warnings = {};
};

// One reader a format. Each throws InputError that begins with `name`; none allocates more than a small multiple of the bytes it
// was given (what a compressed PCD unpacks to: at most 90 times).
CloudPoints read_xyz(std::string_view bytes, const std::string& name);
CloudPoints read_pcd(std::string_view bytes, const std::string& name);
CloudPoints read_ply_points(std::string_view bytes, const std::string& name);
CloudPoints read_npy_points(std::string_view bytes, const std::string& name);

/// A number as parse_number, or one that is not finite: nan, inf.
std::optional<double> parse_coordinate(std::string_view text);

/// Numbers of a NumPy array (format 1 to 3, float32 or float64, little endian) of two dimensions, by rows.
struct NpyArray {
  std::size_t rows, columns;
  std::vector<double> values;
};
NpyArray read_npy(std::string_view bytes, const std::string& name);

/// What LZF (Lehmann) packed, which must fill `size` bytes. Throws InputError that begins with `name`.
std::string unpack_lzf(std::string_view packed, std::size_t size, const std::string& name);

}  // namespace planner_ccd
