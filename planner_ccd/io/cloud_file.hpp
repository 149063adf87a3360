#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/loaded.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Xyz: also CSV. Of a PLY the vertices count, of a NumPy array the N x 3 numbers.
enum class CloudFormat { Xyz, Pcd, Ply, Npy };

/// By the file name's ending (.xyz, .csv, .txt, .pcd, .ply, .npy); empty for an unknown one.
std::optional<CloudFormat> cloud_format_of(const std::string& path);

/// The points of a file's bytes, each a ball of `radius` [m] (geometry/point_cloud.hpp). Points that are not finite are left out, which is a warning, and so is a VIEWPOINT of a PCD that is not the identity: it is not applied, as PCL does
/// not. `name` is what messages call it. Throws InputError for what is malformed, cut short, without points, too much, or beyond 1e7 m.
Loaded<CloudPtr> parse_cloud(std::string_view bytes, CloudFormat format, double radius, const std::string& name);
Loaded<CloudPtr> load_cloud(const std::string& path, double radius);

}  // namespace planner_ccd
#pragma GCC visibility pop
