#pragma once

#include <map>
#include <string>
#include <vector>

namespace planner_ccd {

/// Where `package://NAME/...` is looked for, besides the places found without being told.
struct ResourceOptions {
  std::map<std::string, std::string> packages;  ///< NAME -> folder of that package.
  std::vector<std::string> package_paths;       ///< Folders in which packages lie by name.
};

struct ResolvedResource {
  std::string path;
  bool guessed = false;  ///< The package's name was left out to find it: worth a warning.
};

/// The file that `uri` of a document in folder `base` stands for: `package://NAME/rest` (also `model://`), `file://`,
/// or a path relative to `base`. Packages are sought, in this order, in `options.packages`, `options.package_paths`,
/// upwards from `base`, in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH, and last upwards from `base` without the package's
/// name. Throws InputError that lists every place tried.
ResolvedResource resolve_resource(const std::string& uri, const std::string& base, const ResourceOptions& options);

}  // namespace planner_ccd
