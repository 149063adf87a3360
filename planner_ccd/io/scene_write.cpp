#include "planner_ccd/io/scene_write.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw InputError(file.string() + ": cannot be written; check the folder and its permissions");
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ply_of(const TriangleMesh& mesh) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.vertices.size()) +
                      "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                      std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Eigen::Vector3d& v : mesh.vertices) {
    for (int k = 0; k < 3; ++k) append(bytes, v[k]);
  }
  for (const Eigen::Vector3i& t : mesh.triangles) {
    append(bytes, std::uint8_t{3});
    for (int k = 0; k < 3; ++k) append(bytes, std::int32_t{t[k]});
  }
  return bytes;
}

/// Every point in the row that has its number; rows of points that were left out hold no numbers.
std::string npy_of(const PointCloud& cloud) {
  const std::size_t rows = static_cast<std::size_t>(cloud.size()) + cloud.left_out();
  NpyArray array{rows, 3, std::vector<double>(3 * rows, std::numeric_limits<double>::quiet_NaN())};
  for (int i = 0; i < cloud.size(); ++i) {
    const Eigen::Vector3d p = cloud.point(i);
    std::copy_n(p.data(), 3, array.values.begin() + 3 * static_cast<std::ptrdiff_t>(cloud.number(i)));
  }
  return format_npy(array);
}

/// In double quotes, as JSON and YAML both read it.
std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw InputError("scene: the name " +
                     nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                     " is not text in UTF-8; rename it");
  }
}

std::string list_of(const Eigen::Vector3d& v) {
  return "[" + format_number(v[0]) + ", " + format_number(v[1]) + ", " + format_number(v[2]) + "]";
}

/// ", pose: {...}" with the matrix itself: quaternions and angles would be rounded. Empty for the identity.
std::string pose_of(const Pose& pose) {
  const Eigen::Vector3d xyz = pose.translation();
  const Eigen::Matrix3d rotation = pose.linear();
  std::string text;
  if (xyz != Eigen::Vector3d::Zero()) text = "xyz: " + list_of(xyz);
  if (rotation != Eigen::Matrix3d::Identity()) {
    text += text.empty() ? "" : ", ";
    text += "rotation: [" + list_of(rotation.row(0)) + ", " + list_of(rotation.row(1)) + ", " +
            list_of(rotation.row(2)) + "]";
  }
  return text.empty() ? "" : ", pose: {" + text + "}";
}

class SceneWriter {
 public:
  explicit SceneWriter(const fs::path& file) : folder_(file.parent_path()), beside_(file.stem().string() + "_files") {}

  std::string text(const Scene& scene) {
    std::string out = "objects:";
    for (const SceneObject& object : scene.objects) out += "\n  - {" + object_text(object) + "}";
    if (scene.objects.empty()) out += " []";
    if (!scene.attached.empty()) out += "\nattached:";
    for (const AttachedObject& held : scene.attached) {
      out += "\n  - {" + object_text(held.object) + ", link: " + quoted(held.link) + touch_links(held) + "}";
    }
    return out + allowed(scene) + margins(scene) + padding(scene) + "\n";
  }

 private:
  fs::path folder_;
  std::string beside_;
  std::map<const void*, std::string> written_;  // mesh, cloud or map -> its file, in quotes

  std::string object_text(const SceneObject& object) {
    std::string head = "name: " + quoted(object.name) + pose_of(object.pose) + ", ";
    if (const PoseError& e = object.pose_error; e.any()) {
      head += "pose_error: {xyz: " + format_number(e.position) + ", angle: " + format_number(e.angle) + "}, ";
    }
    if (object.geometry.size() == 1 && object.geometry[0].pose.matrix() == Pose::Identity().matrix()) {
      return head + shape_text(object.geometry[0].shape);
    }
    std::string shapes;
    for (const Geometry& g : object.geometry) {
      shapes += (shapes.empty() ? "{" : ", {") + shape_text(g.shape) + pose_of(g.pose) + "}";
    }
    return head + "shapes: [" + shapes + "]";
  }

  std::string shape_text(const Shape& shape) {
    return std::visit([this](const auto& s) { return this->text_of(s); }, shape);
  }
  static std::string text_of(const Sphere& s) { return "sphere: {radius: " + format_number(s.radius) + "}"; }
  static std::string text_of(const Box& b) { return "box: {size: " + list_of(b.size) + "}"; }
  static std::string text_of(const Cylinder& c) {
    return "cylinder: {radius: " + format_number(c.radius) + ", length: " + format_number(c.length) + "}";
  }
  static std::string text_of(const Capsule& c) {
    return "capsule: {radius: " + format_number(c.radius) + ", length: " + format_number(c.length) + "}";
  }
  static std::string text_of(const ConvexHull& hull) {
    std::string points;
    for (const Eigen::Vector3d& p : hull.points) points += (points.empty() ? "" : ", ") + list_of(p);
    return "convex: {points: [" + points + "]}";
  }
  std::string text_of(const MeshPtr& mesh) {
    return "mesh: " + file_of(mesh.get(), "mesh_", ".ply", [&] { return ply_of(*mesh); });
  }
  /// With the radius of the balls that are checked about the points that are written.
  std::string text_of(const CloudPtr& cloud) {
    return "cloud: {file: " + file_of(cloud.get(), "cloud_", ".npy", [&] { return npy_of(*cloud); }) +
           ", radius: " + format_number(cloud->ball_radius()) + "}";
  }
  std::string text_of(const CellsPtr& map) {
    if (map->field() != nullptr) return text_of(map, *map->field());
    const OctomapText out = format_octomap(*map);
    const std::string file = file_of(map.get(), "map_", ".bt", [&] { return out.bytes; });
    if (!out.options.region) return "octomap: {file: " + file + ", unknown: free}";
    return "octomap: {file: " + file + ", unknown: occupied, region: {min: " + list_of(out.options.region->min) +
           ", max: " + list_of(out.options.region->max) + "}}";
  }

  std::string text_of(const CellsPtr& map, const HeightField& field) {
    const HeightFieldText out = format_height_field(field);
    return "height_field: {file: " + file_of(map.get(), "heights_", ".npy", [&] { return out.bytes; }) +
           ", pixel: " + format_number(field.pixel) + ", floor: " + format_number(field.floor) +
           ", top: " + format_number(field.top) + ", unknown: " + (out.options.unknown_is_free ? "free" : "occupied") +
           "}";
  }

  /// Writes the bytes to the first file of this kind that is new or holds them already: none is changed that another scene
  /// may name. Its name in quotes, relative to the scene.
  template <class Bytes>
  std::string file_of(const void* content, const std::string& kind, const char* ending, const Bytes& bytes_of) {
    std::string& name = written_[content];
    if (!name.empty()) return name;
    const std::string bytes = bytes_of();
    std::error_code error;
    fs::create_directory(folder_ / beside_, error);
    fs::path file;
    bool is_new = false, same = false;
    for (int i = 1; !is_new && !same; ++i) {
      file = fs::path(beside_) / (kind + std::to_string(i) + ending);
      is_new = !fs::exists(folder_ / file, error);
      same = !is_new && fs::file_size(folder_ / file, error) == bytes.size() &&
             peek_file((folder_ / file).string(), bytes.size()) == bytes;
    }
    if (is_new) write(folder_ / file, bytes);
    return name = quoted(file.generic_string());
  }

  static std::string touch_links(const AttachedObject& held) {
    std::string names;
    for (const std::string& link : held.touch_links) names += (names.empty() ? "" : ", ") + quoted(link);
    return names.empty() ? "" : ", touch_links: [" + names + "]";
  }
  /// Without pairs of one body with itself, which mean nothing and are refused in files.
  static std::string allowed(const Scene& scene) {
    std::string out;
    for (const AllowedPair& p : scene.allow) {
      if (p.a == p.b && p.a != "*") continue;
      out += (out.empty() ? "\nallow:" : "") + ("\n  - [" + quoted(p.a) + ", " + quoted(p.b) + "]");
    }
    return out;
  }
  /// Of several margins of one pair the last, which is the one that counts.
  static std::string margins(const Scene& scene) {
    std::set<std::pair<std::string, std::string>> later;
    std::string out;
    for (auto p = scene.margins.rbegin(); p != scene.margins.rend(); ++p) {
      if ((p->a == p->b && p->a != "*") || !later.insert(std::minmax(p->a, p->b)).second) continue;
      out = "\n  - [" + quoted(p->a) + ", " + quoted(p->b) + ", " + format_number(p->margin) + "]" + out;
    }
    return out.empty() ? out : "\nmargins:" + out;
  }
  static std::string padding(const Scene& scene) {
    std::string out;
    for (const Padding& p : scene.padding) {
      out += (out.empty() ? "" : ", ") + quoted(p.name) + ": " + format_number(p.padding);
    }
    return out.empty() ? out : "\npadding: {" + out + "}";
  }
};

}  // namespace

void save_scene(const std::string& file, const Scene& scene) {
  validate(scene);
  write(file, SceneWriter(file).text(scene));
}

}  // namespace planner_ccd
