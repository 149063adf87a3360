#include "planner_ccd/io/cloud_file.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <limits>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

constexpr double kLargestScan = 200.0;  // [m] A larger one is assumed to have the wrong unit.

CloudPoints read_points(std::string_view bytes, CloudFormat format, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": the file is empty");
  switch (format) {
    case CloudFormat::Xyz: return read_xyz(bytes, name);
    case CloudFormat::Pcd: return read_pcd(bytes, name);
    case CloudFormat::Ply: return read_ply_points(bytes, name);
    case CloudFormat::Npy: return read_npy_points(bytes, name);
  }
  throw InputError(name + ": unknown kind of cloud file");
}

}  // namespace

std::optional<double> parse_coordinate(std::string_view text) {
  if (const auto number = parse_number(text)) return number;
  std::string word = to_lower(trim(text));
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
  if (word == "nan" || word == "inf" || word == "infinity") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<CloudFormat> cloud_format_of(const std::string& path) {
  const std::string ending = to_lower(std::filesystem::path(path).extension().string());
  if (ending == ".xyz" || ending == ".csv" || ending == ".txt") return CloudFormat::Xyz;
  if (ending == ".pcd") return CloudFormat::Pcd;
  if (ending == ".ply") return CloudFormat::Ply;
  if (ending == ".npy") return CloudFormat::Npy;
  return std::nullopt;
}

Loaded<CloudPtr> parse_cloud(std::string_view bytes, CloudFormat format, double radius, const std::string& name) {
  CloudPoints read = read_points(bytes, format, name);
  const auto cloud = std::make_shared<const PointCloud>(read.points, radius, name);
  if (cloud->left_out() > 0) {
    read.warnings.push_back({WarningKind::UnknownSpace, name + ": " + std::to_string(cloud->left_out()) + " of " +
                                                            std::to_string(read.points.size()) +
                                                            " points are not finite and were left out"});
  }
  Eigen::AlignedBox3d box;
  for (int i = 0; i < cloud->size(); ++i) box.extend(cloud->point(i));
  if (box.sizes().maxCoeff() > kLargestScan) {
    read.warnings.push_back({WarningKind::ImplausibleSize, name + ": its points span " +
                                                               format_number(std::round(box.sizes().maxCoeff())) +
                                                               " m; if they are in millimetres, write them in metres"});
  }
  return {cloud, std::move(read.warnings), {cloud_radius(radius, name)}};
}

Loaded<CloudPtr> load_cloud(const std::string& path, double radius) {
  const auto format = cloud_format_of(path);
  if (!format) throw InputError(path + ": unknown kind of cloud file; convert it to XYZ, CSV, PCD, PLY or NPY");
  return parse_cloud(read_file(path, kMaxDataFileBytes), *format, radius, path);
}

}  // namespace planner_ccd
