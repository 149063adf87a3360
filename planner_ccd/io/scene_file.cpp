#include "planner_ccd/io/scene_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <unordered_map>

#include "planner_ccd/io/cloud_file.hpp"
#include "planner_ccd/io/detail/moveit_scene.hpp"
#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/detail/robot_in_cloud.hpp"
#include "planner_ccd/io/detail/scene_hints.hpp"
#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/detail/yaml_pose.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

// [m] A larger obstacle was most likely modelled in millimetres; halls and streets deserve a look too.
constexpr double kLargestObstacle = 50.0;
constexpr std::size_t kNamedFiles = 12;  // in one warning

const std::vector<std::string> kShapes = {"mesh",   "box",   "cylinder", "sphere",      "capsule",
                                          "convex", "cloud", "octomap",  "height_field"};
const std::vector<std::string> kShapeKeys = {"mesh",   "box",   "cylinder", "sphere",       "capsule",
                                             "convex", "cloud", "octomap",  "height_field", "scale"};

class SceneReader {
 public:
  SceneReader(const std::string& text, const std::string& name, const std::string& base,
              const SceneFileOptions& options)
      : file_(name), base_(base), options_(options), meshes_(options.meshes ? *options.meshes : own_meshes_) {
    // Streamed: as nodes a hundred thousand objects take ten times the memory.
    file_.load(text, "objects", [this](const YamlNode& node) { scene_.objects.push_back(read_object(node, {})); });
  }

  Loaded<Scene> read() {
    const YamlNode root = file_.root();
    if (!root.is_defined() || root.is_null())
      throw InputError(file_.name() + ": the scene is empty; it needs 'objects'");
    if (root["world"] || root["robot_state"]) return read_planning_scene(file_, base_, options_, meshes_);
    refuse_parts_of_moveit_scene(file_, root);
    file_.check_keys(root, "a scene", {"objects", "attached", "allow", "margins", "padding"});
    entries(root, "objects");
    for (const YamlNode& node : entries(root, "attached")) read_attached(node);
    if (!robots_in_clouds_.empty()) {
      merge(assumptions_, drop_robot(file_, robots_in_clouds_, *options_.robot, scene_));
    }
    for (const YamlNode& node : entries(root, "allow")) {
      const auto pair = read_pair(node, "an entry of 'allow'", 2);
      scene_.allow.push_back({pair.first, pair.second});
    }
    for (const YamlNode& node : entries(root, "margins")) read_margin(node);
    if (const YamlNode node = root["padding"]) read_padding(node);
    validate(scene_);
    for (const Assumption& a : assumptions_) {
      // A choice made in the file itself needs no warning.
      if (a.kind == AssumptionKind::CloudRadius || a.kind == AssumptionKind::HeightField ||
          a.kind == AssumptionKind::PointsDropped || (a.kind == AssumptionKind::UnknownIsFree && a.by == "region")) {
        continue;
      }
      const bool is_scan = a.kind == AssumptionKind::UnknownIsFree;
      warnings_.push_back(
          {is_scan ? WarningKind::UnknownSpace : WarningKind::MeshFile, file_.name() + ": " + to_line(a, kNamedFiles)});
    }
    return {std::move(scene_), std::move(warnings_), std::move(assumptions_)};
  }

 private:
  void warn(WarningKind kind, const YamlNode& node, const std::string& what, const std::string& doubt) {
    if (!doubt.empty()) warnings_.push_back({kind, file_.where(node) + ": " + what + " " + doubt});
  }
  void doubt_file(const YamlNode& node, const std::string& what) {
    warnings_.push_back({WarningKind::WhichFile, file_.where(node) + ": " + what});
  }
  Pose read_object_pose(const YamlNode& node) {
    return warn(WarningKind::Degrees, node, "the pose's", doubtful_angles(file_, node)), read_pose(file_, node);
  }
  std::vector<YamlNode> entries(const YamlNode& root, const char* key) const {
    const YamlNode node = root[key];
    if (!node || node.is_null()) return {};
    return file_.list(node, key);
  }

  SceneObject read_object(const YamlNode& node, std::initializer_list<std::string_view> more_keys);
  Geometry read_geometry(const YamlNode& node, const std::string& what);
  void read_attached(const YamlNode& node);
  Shape read_shape(const std::string& kind, const YamlNode& node, const YamlNode& object);
  MeshPtr read_mesh(const YamlNode& node, const Eigen::Vector3d& scale);
  Eigen::Vector3d read_scale(const YamlNode& object) const;
  ConvexHull read_convex(const YamlNode& node, const Eigen::Vector3d& scale);
  Shape read_scan(const std::string& kind, const YamlNode& node);
  bool unknown_is_free(const YamlNode& node) const;
  OctomapOptions read_octomap_options(const YamlNode& node) const;
  HeightFieldOptions read_height_field_options(const YamlNode& node) const;
  std::pair<std::string, std::string> read_pair(const YamlNode& node, const char* what, std::size_t size) const;
  void read_margin(const YamlNode& node);
  void read_padding(const YamlNode& node);
  void check_link(const YamlNode& node, const std::string& name) const;
  std::vector<std::string> link_names() const {
    std::vector<std::string> names;
    for (const Link& link : options_.robot->links()) names.push_back(link.name);
    return names;
  }
  std::vector<std::string> known_names() const {
    std::vector<std::string> names = link_names();
    for (const auto& [name, line] : lines_) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
  }

  YamlFile file_;
  std::string base_;
  const SceneFileOptions& options_;
  MeshCache own_meshes_;
  MeshCache& meshes_;
  Scene scene_;
  std::vector<InputWarning> warnings_;
  std::vector<Assumption> assumptions_;
  std::unordered_map<std::string, int> lines_;  // of the names of objects
  std::set<std::pair<std::string, std::string>> with_margin_;
  std::vector<RobotInCloud> robots_in_clouds_;
};

SceneObject SceneReader::read_object(const YamlNode& node, std::initializer_list<std::string_view> more_keys) {
  file_.check_keys(node, "an object",
                   {"name", "pose", "pose_error", "scale", "shapes", "mesh", "box", "cylinder", "sphere", "capsule",
                    "convex", "cloud", "octomap", "height_field"},
                   more_keys);
  SceneObject object;
  const YamlNode name = file_.required(node, "name");
  object.name = file_.text(name, "'name'");
  if (object.name == "*") file_.fail(name, "'*' stands for all and cannot be a name");
  const auto [first, is_new] = lines_.emplace(object.name, name.line());
  if (!is_new) {
    file_.fail(name, "there is already an object " + in_quotes(object.name) + " at " + file_.where(first->second));
  }
  if (options_.robot && options_.robot->find_link(object.name) >= 0) {
    file_.fail(name, "the robot has a link of the name " + in_quotes(object.name) + "; rename the object");
  }
  if (const YamlNode pose = node["pose"]) object.pose = read_object_pose(pose);
  if (const YamlNode error = node["pose_error"]) object.pose_error = read_pose_error(file_, error);
  const YamlNode shapes = node["shapes"];
  if (!shapes) {
    object.geometry.push_back(read_geometry(node, "object " + in_quotes(object.name)));
    if (const YamlNode drop = node["cloud"] ? node["cloud"]["drop_robot"] : YamlNode()) {
      if (more_keys.size() > 0) file_.fail(drop, "'drop_robot' is not for a cloud that is held");
      robots_in_clouds_.push_back(read_robot_in_cloud(file_, drop, options_.robot, object.name));
    }
    return object;
  }
  for (const std::string& key : kShapeKeys) {
    if (node[key]) file_.fail(node[key], in_quotes(key) + " belongs into the entries of 'shapes'");
  }
  for (const YamlNode& shape : file_.list(shapes, "'shapes'")) {
    file_.check_keys(shape, "a shape",
                     {"pose", "scale", "mesh", "box", "cylinder", "sphere", "capsule", "convex", "cloud", "octomap",
                      "height_field"});
    object.geometry.push_back(read_geometry(shape, "a shape of object " + in_quotes(object.name)));
    if (const YamlNode drop = shape["cloud"] ? shape["cloud"]["drop_robot"] : YamlNode()) {
      file_.fail(drop, "'drop_robot' is for an object that is one cloud");
    }
    if (const YamlNode pose = shape["pose"]) object.geometry.back().pose = read_object_pose(pose);
  }
  if (object.geometry.empty()) file_.fail(shapes, "object " + in_quotes(object.name) + " has no shapes");
  return object;
}

/// The one shape among the keys of a node.
Geometry SceneReader::read_geometry(const YamlNode& node, const std::string& what) {
  std::vector<std::string> shapes;
  for (const std::string& kind : kShapes) {
    if (node[kind]) shapes.push_back(kind);
  }
  if (shapes.size() != 1) {
    file_.fail(node, what + " needs exactly one of: " + join_names(kShapes) +
                         (shapes.empty() ? "" : "; it has " + join_names(shapes)));
  }
  if (node["scale"] && shapes[0] != "mesh" && shapes[0] != "convex") {
    file_.fail(node["scale"], "'scale' is for meshes; give the " + shapes[0] + " its size");
  }
  const YamlNode shape = node[shapes[0]];
  const std::string source = shapes[0] == "mesh" && shape.is_scalar() ? shape.scalar() : shapes[0];
  Geometry geometry{read_shape(shapes[0], shape, node), Eigen::Isometry3d::Identity(), source};
  warn(WarningKind::ImplausibleSize, node, what, doubtful_size(geometry.shape, kLargestObstacle));
  return geometry;
}

Shape SceneReader::read_shape(const std::string& kind, const YamlNode& node, const YamlNode& object) {
  if (kind == "mesh") return read_mesh(node, read_scale(object));
  if (kind == "convex") return read_convex(node, read_scale(object));
  if (kind == "cloud" || kind == "octomap" || kind == "height_field") return read_scan(kind, node);
  if (kind == "box") {
    file_.check_keys(node, "a box", {"size"});
    const YamlNode size = file_.required(node, "size");
    const Eigen::Vector3d edges = file_.vector3(size, "'size'");
    if (!(edges.minCoeff() > 0.0) || edges.maxCoeff() > kMaxCoordinate) {
      file_.fail(size, "'size' must be three positive lengths in metres");
    }
    return Box{edges};
  }
  if (kind == "sphere") {
    file_.check_keys(node, "a sphere", {"radius"});
    return Sphere{file_.positive(file_.required(node, "radius"), "'radius'")};
  }
  file_.check_keys(node, kind == "cylinder" ? "a cylinder" : "a capsule", {"radius", "length"});
  const double radius = file_.positive(file_.required(node, "radius"), "'radius'");
  const YamlNode length_node = file_.required(node, "length");
  if (kind == "cylinder") return Cylinder{radius, file_.positive(length_node, "'length'")};
  const double length = file_.number(length_node, "'length'");
  return Capsule{radius, length == 0.0 ? 0.0 : file_.positive(length_node, "'length'")};
}

Eigen::Vector3d SceneReader::read_scale(const YamlNode& object) const {
  const YamlNode scale = object["scale"];
  if (!scale) return Eigen::Vector3d::Ones();
  const Eigen::Vector3d factors =
      scale.is_sequence() ? file_.vector3(scale, "'scale'") : Eigen::Vector3d::Constant(file_.number(scale, "'scale'"));
  if ((factors.array() == 0.0).any()) file_.fail(scale, "'scale' must not be 0");
  return factors;
}

MeshPtr SceneReader::read_mesh(const YamlNode& node, const Eigen::Vector3d& scale) {
  const std::string source = file_.text(node, "'mesh'");
  try {
    const ResolvedResource file = resolve_resource(source, base_, options_.resources);
    if (!file.doubt.empty()) doubt_file(node, source + file.doubt);
    MeshPtr mesh = meshes_.load(file.path, scale, options_.resources.dae_up_axis);
    merge(assumptions_, meshes_.assumptions(file.path, options_.resources.dae_up_axis));
    warn(WarningKind::ImplausibleSize, node, source, implausible_size(*mesh, kLargestObstacle));
    return mesh;
  } catch (const InputError& error) {
    file_.fail(node, error.what());
  }
}

bool SceneReader::unknown_is_free(const YamlNode& node) const {
  const YamlNode unknown = node["unknown"];
  if (!unknown) return false;
  const std::string word = file_.text(unknown, "'unknown'");
  if (word != "occupied" && word != "free") file_.fail(unknown, "'unknown' is either 'occupied' or 'free'");
  return word == "free";
}

HeightFieldOptions SceneReader::read_height_field_options(const YamlNode& node) const {
  HeightFieldOptions options;
  options.pixel = file_.positive(file_.required(node, "pixel"), "'pixel'");
  if (const YamlNode floor = node["floor"]) options.floor = file_.number(floor, "'floor'");
  if (const YamlNode top = node["top"]) options.top = file_.number(top, "'top'");
  options.unknown_is_free = unknown_is_free(node);
  return options;
}

OctomapOptions SceneReader::read_octomap_options(const YamlNode& node) const {
  OctomapOptions options;
  options.unknown_is_free = unknown_is_free(node);
  if (const YamlNode region = node["region"]) {
    file_.check_keys(region, "a region", {"min", "max"});
    options.region = OctomapRegion{file_.vector3(file_.required(region, "min"), "'min'"),
                                   file_.vector3(file_.required(region, "max"), "'max'")};
  }
  return options;
}

/// A cloud, an octomap or a height field. Its file is searched like that of a mesh.
Shape SceneReader::read_scan(const std::string& kind, const YamlNode& node) {
  const auto value_of = [&](const auto& loaded) -> Shape {
    warnings_.insert(warnings_.end(), loaded.warnings.begin(), loaded.warnings.end());
    merge(assumptions_, loaded.assumptions);
    return loaded.value;
  };
  const auto load = [&](const auto& read) -> Shape {
    const YamlNode file = file_.required(node, "file");
    try {
      const ResolvedResource found = resolve_resource(file_.text(file, "'file'"), base_, options_.resources);
      if (!found.doubt.empty()) doubt_file(file, file.scalar() + found.doubt);
      const ReadsAs role("scan");
      return value_of(read(found.path));
    } catch (const InputError& error) {
      file_.fail(node, error.what());
    }
  };
  if (kind == "cloud") {
    file_.check_keys(node, "a cloud", {"file", "radius", "drop_robot"});
    const double radius = file_.positive(file_.required(node, "radius"), "'radius'");
    return load([&](const std::string& path) { return load_cloud(path, radius); });
  }
  if (kind == "octomap") {
    file_.check_keys(node, "an octomap", {"file", "unknown", "region"});
    const OctomapOptions options = read_octomap_options(node);
    return load([&](const std::string& path) { return load_octomap(path, options); });
  }
  file_.check_keys(node, "a height field", {"file", "pixel", "floor", "top", "unknown"});
  const HeightFieldOptions options = read_height_field_options(node);
  return load([&](const std::string& path) { return load_height_field(path, options); });
}

ConvexHull SceneReader::read_convex(const YamlNode& node, const Eigen::Vector3d& scale) {
  file_.check_keys(node, "a convex hull", {"points", "mesh"});
  const YamlNode points = node["points"], mesh_node = node["mesh"];
  if (points.is_defined() == mesh_node.is_defined()) file_.fail(node, "a convex hull needs either 'points' or 'mesh'");
  if (mesh_node) return ConvexHull{read_mesh(mesh_node, scale)->vertices};
  ConvexHull hull;
  for (const YamlNode& point : file_.list(points, "'points'")) {
    hull.points.push_back(file_.vector3(point, "a point").cwiseProduct(scale));
    if (hull.points.back().cwiseAbs().maxCoeff() > kMaxCoordinate) file_.fail(point, "the point lies beyond 1e7 m");
  }
  if (hull.points.empty()) file_.fail(points, "the convex hull has no points");
  return hull;
}

void SceneReader::read_attached(const YamlNode& node) {
  AttachedObject attached;
  attached.object = read_object(node, {"link", "touch_links"});
  const YamlNode link = file_.required(node, "link");
  attached.link = file_.text(link, "'link'");
  check_link(link, attached.link);
  if (const YamlNode touch = node["touch_links"]) {
    for (const YamlNode& entry : file_.list(touch, "'touch_links'")) {
      attached.touch_links.push_back(file_.text(entry, "a touch link"));
      check_link(entry, attached.touch_links.back());
    }
  }
  scene_.attached.push_back(std::move(attached));
}

void SceneReader::check_link(const YamlNode& node, const std::string& name) const {
  if (options_.robot && options_.robot->find_link(name) < 0) {
    file_.fail(node, in_quotes(name) + " is not a link of robot " + in_quotes(options_.robot->name()) +
                         did_you_mean(name, link_names()));
  }
}

std::pair<std::string, std::string> SceneReader::read_pair(const YamlNode& node, const char* what,
                                                           std::size_t size) const {
  if (!node.is_sequence() || node.size() != size) {
    file_.fail(node, std::string(what) + (size == 2 ? " must be [a, b]" : " must be [a, b, metres]"));
  }
  std::array<std::string, 2> names;
  for (std::size_t i = 0; i < 2; ++i) {
    names[i] = file_.text(node[i], "a name");
    const bool is_object = names[i] == "*" || lines_.count(names[i]);
    if (!is_object && options_.robot && options_.robot->find_link(names[i]) < 0) {
      file_.fail(node[i], in_quotes(names[i]) + " is neither an object of this scene nor a link of robot " +
                              in_quotes(options_.robot->name()) + did_you_mean(names[i], known_names()));
    }
  }
  if (names[0] == names[1] && names[0] != "*") file_.fail(node, "pairs " + in_quotes(names[0]) + " with itself");
  return {names[0], names[1]};
}

void SceneReader::read_margin(const YamlNode& node) {
  const auto pair = read_pair(node, "an entry of 'margins'", 3);
  const double margin = file_.number(node[2], "a margin");
  if (!(margin >= 0.0) || margin > kMaxCoordinate) file_.fail(node[2], "a margin must be 0 or more metres");
  if (!with_margin_.insert(std::minmax(pair.first, pair.second)).second) {
    file_.fail(node,
               in_quotes(pair.first) + " and " + in_quotes(pair.second) + " have a margin already; leave one out");
  }
  scene_.margins.push_back({pair.first, pair.second, margin});
}

void SceneReader::read_padding(const YamlNode& node) {
  if (!node.is_map() && !node.is_null()) file_.fail(node, "'padding' must be a map: {wrist_3_link: 0.005}");
  for (const auto& [name_node, value] : node.entries()) {
    const std::string name = file_.text(name_node, "a name");
    const auto held = std::any_of(scene_.attached.begin(), scene_.attached.end(),
                                  [&](const AttachedObject& a) { return a.object.name == name; });
    if (!held && lines_.count(name)) {
      file_.fail(name_node,
                 in_quotes(name) + " stands in the scene; give it margins, padding is for links and what they hold");
    }
    if (!held) check_link(name_node, name);
    const double padding = file_.number(value, "a padding");
    if (!(padding >= 0.0) || padding > kMaxCoordinate) file_.fail(value, "a padding must be 0 or more metres");
    scene_.padding.push_back({name, padding});
  }
}

}  // namespace

Loaded<Scene> parse_scene(const std::string& text, const std::string& name, const std::string& base,
                          const SceneFileOptions& options) {
  refuse_xml_scene(text, name);
  return SceneReader(text, name, base, options).read();
}

Loaded<Scene> load_scene(const std::string& path, const SceneFileOptions& options) {
  SceneFileOptions own = options;
  own.resources = beside_target(options.resources, path);
  if (path.ends_with(".scene")) return parse_scene_text(read_file(path, kMaxDescriptionBytes), path, own);
  return parse_scene(read_file(path, kMaxDescriptionBytes), path, std::filesystem::path(path).parent_path().string(),
                     own);
}

}  // namespace planner_ccd
