#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// What a DAE file's `up_axis` means.
enum class DaeUpAxis : std::uint8_t {
  Ignore,  ///< Nothing: coordinates are taken as they stand, as RViz takes those of a URDF's meshes.
  Honour,  ///< The file's vertical is turned to Z. A file that names none means Y, by the standard.
};

/// Where `package://NAME/...` is looked for, besides the places found without being told, and how files are read.
struct ResourceOptions {
  std::map<std::string, std::string> packages;  ///< NAME -> folder of that package; it is sought nowhere else.
  std::vector<std::string> package_paths;       ///< Folders in which packages lie by name.
  DaeUpAxis dae_up_axis = DaeUpAxis::Ignore;
  std::vector<std::string> also_beside = {};  ///< Folders that files which name meshes lie in as well; beside_target().
};

struct ResolvedResource {
  std::string path;
  std::string doubt = {};  ///< Why another file may be meant; empty: none. Worth a warning.
};

/// The file that `uri` of a document in folder `base` stands for: `package://NAME/rest` (also `model://`), `file://`,
/// or a path relative to `base`. A package of `options.packages` is where that says. Others are sought, in this order, in
/// `options.package_paths`, upwards from `base`, in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH, and last upwards from `base`
/// without the package's name, which is a doubt, as is a later place with a file of other content. Throws InputError that lists every
/// place tried.
ResolvedResource resolve_resource(const std::string& uri, const std::string& base, const ResourceOptions& options);

/// `options` for a document at `path`: where that is a link, the folder that it leads to counts as well.
ResourceOptions beside_target(ResourceOptions options, const std::string& path);

}  // namespace planner_ccd
#pragma GCC visibility pop
