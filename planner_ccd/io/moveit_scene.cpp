#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "planner_ccd/io/detail/moveit_scene.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

class PlanningSceneReader {
 public:
  PlanningSceneReader(const YamlFile& file, const std::string& base, const SceneFileOptions& options, MeshCache& meshes)
      : file_(file), base_(base), options_(options), meshes_(meshes) {}

  Loaded<Scene> read() {
    const YamlNode root = file_.root();
    file_.check_keys(root, "a PlanningScene",
                     {"name", "robot_state", "robot_model_name", "fixed_frame_transforms", "allowed_collision_matrix",
                      "link_padding", "link_scale", "object_colors", "world", "is_diff"});
    refuse_diff(root, "a scene");
    if (const YamlNode name = root["robot_model_name"]; options_.robot != nullptr && name && !name.is_null()) {
      const std::string robot_name = name.is_scalar() ? name.scalar() : "";
      if (!robot_name.empty() && robot_name != options_.robot->name()) {
        loaded_.warnings.push_back({WarningKind::OtherRobot, file_.where(name) + ": the scene is for robot " +
                                                                 in_quotes(robot_name) + ", not for " +
                                                                 in_quotes(options_.robot->name())});
      }
    }
    for (const YamlNode& node : items(root, "fixed_frame_transforms")) read_frame(node);
    if (const YamlNode world = root["world"]; world && !world.is_null()) {
      file_.check_keys(world, "'world'", {"collision_objects", "octomap"});
      refuse_octomap(world);
      for (const YamlNode& node : items(world, "collision_objects")) {
        SceneObject object = read_object(node);
        object.pose = frame(node["header"]) * object.pose;
        scene_.objects.push_back(std::move(object));
      }
    }
    if (const YamlNode state = root["robot_state"]; state && !state.is_null()) read_state(state);
    if (const YamlNode matrix = root["allowed_collision_matrix"]; matrix && !matrix.is_null()) read_matrix(matrix);
    for (const YamlNode& node : items(root, "link_padding")) {
      file_.check_keys(node, "a padding", {"link_name", "padding"});
      const double padding = file_.number(file_.required(node, "padding"), "'padding'");
      if (!(padding >= 0.0) || padding > kMaxCoordinate) file_.fail(node, "a padding must be 0 or more metres");
      if (padding > 0.0) scene_.padding.push_back({link(node, "link_name"), padding});
    }
    for (const YamlNode& node : items(root, "link_scale")) {
      file_.check_keys(node, "a scale", {"link_name", "scale"});
      if (file_.number(file_.required(node, "scale"), "'scale'") != 1.0) {
        file_.fail(node, "links cannot be scaled; pad them (link_padding)");
      }
    }
    validate(scene_);
    loaded_.value = std::move(scene_);
    return std::move(loaded_);
  }

 private:
  std::vector<YamlNode> items(const YamlNode& node, const char* key) const {
    const YamlNode list = node[key];
    return !list || list.is_null() ? std::vector<YamlNode>() : file_.list(list, key);
  }

  bool is_true(const YamlNode& node) const {
    if (!node || node.is_null()) return false;
    const std::string word = to_lower(file_.text(node, "a truth value"));
    if (word != "true" && word != "false" && word != "1" && word != "0") file_.fail(node, "expected true or false");
    return word == "true" || word == "1";
  }

  void refuse_diff(const YamlNode& node, const std::string& what) const {
    if (is_true(node["is_diff"])) {
      file_.fail(node["is_diff"], "this says what changes in " + what +
                                      " (is_diff), not what there is; ask MoveIt's service "
                                      "get_planning_scene for all of it");
    }
  }

  void refuse_octomap(const YamlNode& world) const {
    const YamlNode data = world["octomap"]["octomap"]["data"];
    if (data.size() > 0) {
      file_.fail(data,
                 "the octomap of a PlanningScene is not read; save it as a .bt file and name that as an octomap in a "
                 "scene file");
    }
  }

  /// Adds the location to errors of moveit_pose and moveit_primitive.
  template <typename Make>
  auto at(const YamlNode& node, const Make& make) const {
    try {
      return make();
    } catch (const InputError& error) {
      file_.fail(node, error.what());
    }
  }

  /// A list, or a map with these keys.
  template <int N>
  Eigen::Matrix<double, N, 1> vector(const YamlNode& node, const std::array<const char*, N>& keys,
                                     const char* what) const {
    Eigen::Matrix<double, N, 1> v;
    if (node.is_map()) {
      if (node.entries().size() != N)
        file_.fail(node, std::string(what) + " must have " + std::to_string(N) + " numbers");
      for (int k = 0; k < N; ++k) v[k] = file_.number(file_.required(node, keys[k]), what);
    } else {
      if (node.size() != N)
        file_.fail(node, std::string(what) + " must be a list of " + std::to_string(N) + " numbers");
      for (int k = 0; k < N; ++k) v[k] = file_.number(node[static_cast<std::size_t>(k)], what);
    }
    return v;
  }

  /// geometry_msgs/Pose or Transform; the identity if absent.
  Pose pose(const YamlNode& node, const char* position = "position", const char* orientation = "orientation") const {
    if (!node || node.is_null()) return Pose::Identity();
    file_.check_keys(node, "a pose", {position, orientation});
    const Vector3d p = vector<3>(file_.required(node, position), {"x", "y", "z"}, position);
    const Vector4d q = vector<4>(file_.required(node, orientation), {"x", "y", "z", "w"}, orientation);
    return at(node, [&] { return moveit_pose(p, q); });
  }

  static std::string frame_id(const YamlNode& header) {
    const YamlNode id = header["frame_id"];
    if (!id || !id.is_scalar()) return "";
    return id.scalar().starts_with("/") ? id.scalar().substr(1) : id.scalar();
  }

  const Link* find_link(const std::string& name) const {
    const int i = options_.robot == nullptr ? -1 : options_.robot->find_link(name);
    return i < 0 ? nullptr : &options_.robot->links()[static_cast<std::size_t>(i)];
  }

  /// The pose of a frame in the world: as in MoveIt that of a link, else one of the scene's own frames.
  Pose frame(const YamlNode& header) const {
    const std::string id = frame_id(header);
    if (const Link* l = find_link(id)) {
      if (l->body == 0) return l->X_BodyLink;
      file_.fail(header,
                 "frame " + in_quotes(id) + " moves with the robot; give the object in a frame that stands still");
    }
    if (const auto found = frames_.find(id); found != frames_.end()) return found->second;
    if (id.empty() || id == "world") return Pose::Identity();
    file_.fail(header, "frame " + in_quotes(id) +
                           " is neither the world, nor a link, nor one of fixed_frame_transforms; name a link of this "
                           "robot, or say in "
                           "fixed_frame_transforms where it is");
  }

  void read_frame(const YamlNode& node) {
    file_.check_keys(node, "a transform", {"header", "child_frame_id", "transform"});
    const YamlNode child = file_.required(node, "child_frame_id");
    const Pose X = frame(node["header"]) * pose(file_.required(node, "transform"), "translation", "rotation");
    if (!frames_.emplace(file_.text(child, "'child_frame_id'"), X).second)
      file_.fail(child, "this frame is there already");
  }

  /// The object in its own frame.
  SceneObject read_object(const YamlNode& node) {
    file_.check_keys(node, "an object",
                     {"header", "pose", "id", "type", "primitives", "primitive_poses", "meshes", "mesh_poses", "planes",
                      "plane_poses", "subframe_names", "subframe_poses", "operation"});
    const YamlNode id = file_.required(node, "id");
    SceneObject object;
    object.name = file_.text(id, "'id'");
    if (object.name == "*") file_.fail(id, "'*' stands for all and cannot be a name");
    if (find_link(object.name) != nullptr) {
      file_.fail(id, "the robot has a link of the name " + in_quotes(object.name) + "; rename the object");
    }
    if (!names_.emplace(object.name, id.line()).second) {
      file_.fail(id,
                 "there is already an object " + in_quotes(object.name) + " at " + file_.where(names_[object.name]));
    }
    if (const YamlNode operation = node["operation"]; operation && !operation.is_null()) {
      const std::string word = operation.is_scalar() ? operation.scalar() : "?";
      if (word != "0" && word != std::string(1, '\0') && word != "\\0" && to_lower(word) != "add") {
        file_.fail(operation, "only objects that are there are read (operation ADD, 0)");
      }
    }
    if (!items(node, "planes").empty())
      file_.fail(node["planes"], "planes are not read; a large box can stand for one");
    const std::vector<YamlNode> primitives = items(node, "primitives"), meshes = items(node, "meshes");
    if (primitives.size() + meshes.size() == 0) file_.fail(node, "object " + in_quotes(object.name) + " has no shape");
    object.pose = pose(node["pose"]);
    const bool alone = primitives.size() + meshes.size() == 1;
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      object.geometry.push_back(read_primitive(primitives[i]));
      object.geometry.back().pose = place(node, "primitive_poses", i, primitives.size(), alone);
    }
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      object.geometry.push_back(read_mesh(meshes[i]));
      object.geometry.back().pose = place(node, "mesh_poses", i, meshes.size(), alone);
    }
    return object;
  }

  /// A single shape may lack a pose.
  Pose place(const YamlNode& object, const char* key, std::size_t i, std::size_t count, bool alone) const {
    const std::vector<YamlNode> poses = items(object, key);
    if (poses.empty() && alone) return Pose::Identity();
    if (poses.size() != count) {
      file_.fail(object, std::string(key) + " must have one pose for each of " + std::to_string(count) +
                             " shapes, not " + std::to_string(poses.size()));
    }
    return pose(poses[i]);
  }

  Geometry read_primitive(const YamlNode& node) const {
    file_.check_keys(node, "a primitive", {"type", "dimensions", "polygon"});
    std::string kind = to_lower(file_.text(file_.required(node, "type"), "'type'"));
    constexpr std::array<const char*, 6> kNumbered = {"0", "box", "sphere", "cylinder", "cone", "prism"};
    if (kind.size() == 1 && kind[0] >= '1' && kind[0] <= '5') kind = kNumbered[static_cast<std::size_t>(kind[0] - '0')];
    std::vector<double> numbers;
    for (const YamlNode& number : items(node, "dimensions")) numbers.push_back(file_.number(number, "a dimension"));
    return {at(node, [&] { return moveit_primitive(kind, numbers); }), Pose::Identity(), kind};
  }

  /// shape_msgs/Mesh, or robowflex's `resource` and `dimensions` (factors).
  Geometry read_mesh(const YamlNode& node) {
    file_.check_keys(node, "a mesh", {"triangles", "vertices", "resource", "dimensions"});
    if (const YamlNode resource = node["resource"]) {
      const YamlNode factors = node["dimensions"];
      const Vector3d scale = factors ? file_.vector3(factors, "'dimensions'") : Vector3d(Vector3d::Ones());
      if ((scale.array() == 0.0).any()) file_.fail(factors, "a scale must not be 0");
      const std::string source = file_.text(resource, "'resource'");
      return at(resource, [&]() -> Geometry {
        const ResolvedResource found = resolve_resource(source, base_, options_.resources);
        if (!found.doubt.empty()) {
          loaded_.warnings.push_back({WarningKind::WhichFile, file_.where(resource) + ": " + source + found.doubt});
        }
        MeshPtr mesh = meshes_.load(found.path, scale, options_.resources.dae_up_axis);
        merge(loaded_.assumptions, meshes_.assumptions(found.path, options_.resources.dae_up_axis));
        return {std::move(mesh), Pose::Identity(), source};
      });
    }
    const auto mesh = std::make_shared<TriangleMesh>();
    for (const YamlNode& v : items(node, "vertices"))
      mesh->vertices.push_back(vector<3>(v, {"x", "y", "z"}, "a vertex"));
    for (const YamlNode& t : items(node, "triangles")) {
      const YamlNode corners = t.is_map() ? file_.required(t, "vertex_indices") : t;
      if (corners.size() != 3) file_.fail(t, "a triangle must have three vertex_indices");
      Eigen::Vector3i triangle;
      for (int k = 0; k < 3; ++k) {
        const double corner = file_.number(corners[static_cast<std::size_t>(k)], "a vertex index");
        if (!(corner >= 0.0) || corner >= static_cast<double>(mesh->vertices.size()) || corner != std::floor(corner)) {
          file_.fail(corners, "there is no vertex of this index");
        }
        triangle[k] = static_cast<int>(corner);
      }
      mesh->triangles.push_back(triangle);
    }
    return {MeshPtr(mesh), Pose::Identity(), "mesh"};
  }

  std::string link(const YamlNode& node, const char* key) const {
    const YamlNode name = file_.required(node, key);
    return known_link(name);
  }

  std::string known_link(const YamlNode& node) const {
    const std::string name = file_.text(node, "the name of a link");
    if (options_.robot != nullptr && find_link(name) == nullptr) {
      std::vector<std::string> names;
      for (const Link& l : options_.robot->links()) names.push_back(l.name);
      file_.fail(node, in_quotes(name) + " is not a link of robot " + in_quotes(options_.robot->name()) +
                           did_you_mean(name, names));
    }
    return name;
  }

  void read_state(const YamlNode& state) {
    file_.check_keys(state, "'robot_state'",
                     {"joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff"});
    if (state["joint_state"]["position"].size() > 0) {
      loaded_.warnings.push_back(
          {WarningKind::NotRead,
           file_.where(state["joint_state"]) +
               ": the joint values of the scene are not used; the motion says where the joints are"});
    }
    for (const YamlNode& node : items(state, "attached_collision_objects")) {
      file_.check_keys(node, "an attached object", {"link_name", "object", "touch_links", "detach_posture", "weight"});
      AttachedObject attached;
      attached.link = link(node, "link_name");
      const YamlNode object = file_.required(node, "object");
      attached.object = read_object(object);
      attached.object.pose = in_link(attached.link, object["header"]) * attached.object.pose;
      for (const YamlNode& touched : items(node, "touch_links")) attached.touch_links.push_back(known_link(touched));
      scene_.attached.push_back(std::move(attached));
    }
  }

  /// The pose of an attached object's frame in the link that holds it.
  Pose in_link(const std::string& name, const YamlNode& header) const {
    const std::string id = frame_id(header);
    if (id.empty() || id == name) return Pose::Identity();
    const Link *holds = find_link(name), *given = find_link(id);
    if (holds == nullptr || given == nullptr || holds->body != given->body) {
      file_.fail(header, "an object that link " + in_quotes(name) +
                             " holds must be given in a frame that moves with it, not in " + in_quotes(id));
    }
    return holds->X_BodyLink.inverse() * given->X_BodyLink;
  }

  /// Pairs of existing names; MoveIt keeps entries of objects that are gone.
  void read_matrix(const YamlNode& matrix) {
    file_.check_keys(matrix, "'allowed_collision_matrix'",
                     {"entry_names", "entry_values", "default_entry_names", "default_entry_values"});
    std::vector<std::string> names;
    for (const YamlNode& name : items(matrix, "entry_names")) names.push_back(file_.text(name, "a name"));
    std::vector<std::vector<bool>> rows;
    for (const YamlNode& node : items(matrix, "entry_values")) {
      const std::vector<YamlNode> values = node.is_map() ? items(node, "enabled") : file_.list(node, "a row");
      if (values.size() != names.size()) file_.fail(node, "a row must have a value for each of entry_names");
      rows.emplace_back();
      for (const YamlNode& value : values) rows.back().push_back(is_true(value));
    }
    if (rows.size() != names.size()) file_.fail(matrix, "entry_values must have a row for each of entry_names");
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[i][j] != rows[j][i]) {
          file_.fail(matrix, "the matrix says two things of " + in_quotes(names[i]) + " and " + in_quotes(names[j]));
        }
        if (rows[i][j] && is_there(names[i]) && is_there(names[j])) scene_.allow.push_back({names[i], names[j]});
      }
    }
    read_defaults(matrix, names);
  }

  /// A default that allows a name holds for its pairs, except those in the matrix or with a name whose default forbids.
  void read_defaults(const YamlNode& matrix, const std::vector<std::string>& in_matrix) {
    const std::vector<YamlNode> names = items(matrix, "default_entry_names"),
                                values = items(matrix, "default_entry_values");
    if (names.size() != values.size())
      file_.fail(matrix, "default_entry_values must have a value for each of default_entry_names");
    std::map<std::string, bool> defaults;
    for (std::size_t i = 0; i < names.size(); ++i) defaults[file_.text(names[i], "a name")] = is_true(values[i]);
    const auto listed = [&](const std::string& name) {
      return std::find(in_matrix.begin(), in_matrix.end(), name) != in_matrix.end();
    };
    for (const auto& [name, allowed] : defaults) {
      if (!allowed || !is_there(name)) continue;
      if (options_.robot == nullptr) file_.fail(matrix, "default entries can be read for a robot alone");
      for (const std::string& other : all_names()) {
        const auto default_entry = defaults.find(other);
        const bool forbidden = default_entry != defaults.end() && !default_entry->second;
        if (other == name || forbidden || (listed(name) && listed(other))) continue;
        if (default_entry == defaults.end() || name < other) scene_.allow.push_back({name, other});
      }
    }
  }

  bool is_there(const std::string& name) const {
    return names_.count(name) > 0 || options_.robot == nullptr || find_link(name) != nullptr;
  }

  std::vector<std::string> all_names() const {
    std::vector<std::string> names;
    for (const Link& l : options_.robot->links()) names.push_back(l.name);
    for (const auto& [name, line] : names_) names.push_back(name);
    return names;
  }

  const YamlFile& file_;
  const std::string& base_;
  const SceneFileOptions& options_;
  MeshCache& meshes_;
  Scene scene_;
  Loaded<Scene> loaded_;
  std::map<std::string, Pose> frames_;
  std::map<std::string, int> names_;  // of objects, and their lines
};

}  // namespace

Loaded<Scene> read_planning_scene(const YamlFile& file, const std::string& base, const SceneFileOptions& options,
                                  MeshCache& meshes) {
  return PlanningSceneReader(file, base, options, meshes).read();
}

}  // namespace planner_ccd
