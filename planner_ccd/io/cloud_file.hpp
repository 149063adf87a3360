#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/loaded.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Xyz: also CSV. Ply: vertices only. Npy: an N x 3 array.
enum class CloudFormat { Xyz, Pcd, Ply, Npy };

/// By the file extension (.xyz, .csv, .txt, .pcd, .ply, .npy); empty for an unknown one.
std::optional<CloudFormat> cloud_format_of(const std::string& path);

/// The points in a file's bytes, each a ball of `radius` [m] (geometry/point_cloud.hpp). Warns about points that are
/// not finite, which are dropped, and about a PCD VIEWPOINT other than the identity, which is not applied, as in PCL.
/// Messages call the file `name`. Throws InputError for malformed or truncated data, for no or too many points, and for
/// coordinates beyond 1e7 m.
Loaded<CloudPtr> parse_cloud(std::string_view bytes, CloudFormat format, double radius, const std::string& name);
Loaded<CloudPtr> load_cloud(const std::string& path, double radius);

}  // namespace planner_ccd
#pragma GCC visibility pop
