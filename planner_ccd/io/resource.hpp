#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// How a DAE file's `up_axis` is treated.
enum class DaeUpAxis : std::uint8_t {
  Ignore,  ///< Coordinates are used as they are, as RViz does for the meshes of a URDF.
  Honour,  ///< The file's vertical axis is turned to Z. A file that names none means Y, by the standard.
};

/// Where to look for `package://NAME/...` besides the default places, and how to read files.
struct ResourceOptions {
  std::map<std::string, std::string> packages;  ///< NAME -> folder of that package, which is searched nowhere else.
  std::vector<std::string> package_paths;       ///< Folders that contain packages by name.
  DaeUpAxis dae_up_axis = DaeUpAxis::Ignore;
  std::vector<std::string> also_beside = {};  ///< Searched like the document's own folder; see beside_target().
};

struct ResolvedResource {
  std::string path;
  std::string doubt = {};  ///< Why another file may be meant; worth a warning. Empty: no doubt.
};

/// The file that `uri`, in a document in folder `base`, refers to: `package://NAME/rest` (also `model://`), `file://`,
/// or a path relative to `base`. Packages in `options.packages` are looked up there alone. Others are searched, in this
/// order, in `options.package_paths`, upwards from `base`, in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH, and last upwards
/// from `base` without the package's name. That last resort is a doubt, and so is a later place that has a file with
/// other content. Throws InputError listing every place tried.
ResolvedResource resolve_resource(const std::string& uri, const std::string& base, const ResourceOptions& options);

/// `options` for a document at `path`; if that is a symbolic link, the folder of its target is searched too.
ResourceOptions beside_target(ResourceOptions options, const std::string& path);

}  // namespace planner_ccd
#pragma GCC visibility pop
