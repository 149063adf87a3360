#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using nlohmann::json;

// Binary glTF 2.0: a JSON chunk that describes, one binary chunk that holds the numbers.
// Every access is checked for type and range, so that a malformed file produces a message.
class GlbReader {
 public:
  GlbReader(std::string_view bytes, const std::string& name) : name_(name) { split_chunks(bytes); }

  TriangleMesh read() {
    check_extensions();
    const auto scenes = size_of(root_, "scenes");
    if (scenes == 0) {
      for (const std::size_t node : root_nodes()) add_node(node, Eigen::Affine3d::Identity(), 0);
      return std::move(mesh_);
    }
    const json& scene = item("scenes", index(root_, "scene").value_or(0));
    for (std::size_t i = 0; i < size_of(scene, "nodes"); ++i) {
      add_node(element_index(scene, "nodes", i), Eigen::Affine3d::Identity(), 0);
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_ + ": " + message); }

  void split_chunks(std::string_view bytes);
  void check_extensions() const;
  std::vector<std::size_t> root_nodes() const;
  void add_node(std::size_t node, const Eigen::Affine3d& X_parent, int depth);
  Eigen::Affine3d node_transform(const json& node) const;
  const TriangleMesh& mesh_of(std::size_t index);
  void require_shape_at_rest(const json& object) const;
  void add_primitive(const json& primitive, TriangleMesh& mesh) const;
  void append_corners(std::size_t mode, std::vector<int> corners, TriangleMesh& mesh) const;

  // An accessor: `count` items of `width` numbers, checked to lie inside the binary chunk.
  struct Numbers {
    const char* data;
    std::size_t count, stride, width;
    int component;
    bool normalized;
  };
  Numbers accessor(std::size_t index, std::size_t width) const;
  double number(const Numbers& numbers, std::size_t item, std::size_t k) const;

  std::size_t size_of(const json& object, const char* key) const {
    const auto found = object.find(key);
    return found == object.end() || !found->is_array() ? 0 : found->size();
  }
  static std::optional<std::size_t> whole(const json& value) {
    if (!value.is_number_unsigned()) return std::nullopt;
    const auto number = value.get<std::uint64_t>();
    if (number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::size_t>(number);
  }
  std::optional<std::size_t> index(const json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    const auto value = whole(*found);
    if (!value) fail(std::string("'") + key + "' is not a whole number of reasonable size");
    return value;
  }
  std::size_t required(const json& object, const char* key) const {
    const auto value = index(object, key);
    if (!value) fail(std::string("'") + key + "' is missing in the glTF description");
    return *value;
  }
  std::size_t element_index(const json& object, const char* key, std::size_t i) const {
    const auto value = whole(object[key][i]);
    if (!value) fail(std::string("an entry of '") + key + "' is not a whole number");
    return *value;
  }
  const json& item(const char* list, std::size_t i) const {
    if (i >= size_of(root_, list)) fail("entry " + std::to_string(i) + " of '" + list + "' does not exist");
    const json& entry = root_[list][i];
    if (!entry.is_object()) fail("entry " + std::to_string(i) + " of '" + list + "' is not an object");
    return entry;
  }

  const std::string& name_;
  json root_;
  std::string_view binary_;
  std::map<std::size_t, TriangleMesh> meshes_;
  TriangleMesh mesh_;
  int visits_ = 0;
};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word;
  std::memcpy(&word, bytes.data() + at, sizeof(word));
  return word;
}

void GlbReader::split_chunks(std::string_view bytes) {
  constexpr std::uint32_t kMagic = 0x46546C67, kJson = 0x4E4F534A, kBinary = 0x004E4942;
  if (bytes.size() < 20 || word_at(bytes, 0) != kMagic) fail("this is not a GLB file (it must begin with 'glTF')");
  if (word_at(bytes, 4) != 2) fail("only version 2 of GLB is read");
  if (word_at(bytes, 8) < bytes.size()) {
    fail("its header says " + std::to_string(word_at(bytes, 8)) + " bytes, and there are " +
         std::to_string(bytes.size()) + ": are there several files in one? Export it again");
  }
  std::string_view description;
  for (std::size_t at = 12; bytes.size() - at >= 8;) {
    const std::uint64_t length = word_at(bytes, at);
    const std::uint32_t kind = word_at(bytes, at + 4);
    if (length > bytes.size() - at - 8) fail("a chunk is longer than the file: it is cut short");
    const std::string_view chunk = bytes.substr(at + 8, length);
    if (kind == kJson && description.empty()) description = chunk;
    if (kind == kBinary && binary_.empty()) binary_ = chunk;
    at += 8 + length;
  }
  root_ = json::parse(description, nullptr, false);
  if (!root_.is_object()) fail("its JSON chunk is missing or malformed");
}

void GlbReader::check_extensions() const {
  for (std::size_t i = 0; i < size_of(root_, "extensionsRequired"); ++i) {
    const json& entry = root_["extensionsRequired"][i];
    const std::string extension = entry.is_string() ? entry.get<std::string>() : "";
    const bool changes_looks_only = extension.starts_with("KHR_materials_") || extension.starts_with("KHR_texture_") ||
                                    extension == "KHR_lights_punctual" || extension == "KHR_mesh_quantization";
    if (!changes_looks_only) fail("needs the glTF extension " + in_quotes(extension) + "; export without compression");
  }
}

std::vector<std::size_t> GlbReader::root_nodes() const {
  std::vector<bool> is_child(size_of(root_, "nodes"), false);
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    const json& node = item("nodes", i);
    for (std::size_t k = 0; k < size_of(node, "children"); ++k) {
      const std::size_t child = element_index(node, "children", k);
      if (child < is_child.size()) is_child[child] = true;
    }
  }
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(i);
  }
  return roots;
}

void GlbReader::add_node(std::size_t node_index, const Eigen::Affine3d& X_parent, int depth) {
  if (depth > kMaxNodeDepth || ++visits_ > kMaxNodeVisits) fail("its nodes form a circle, or are too many");
  const json& node = item("nodes", node_index);
  if (const auto extensions = node.find("extensions");
      extensions != node.end() && extensions->contains("EXT_mesh_gpu_instancing")) {
    fail("a node stands for many (EXT_mesh_gpu_instancing); export them one by one");
  }
  if (node.contains("skin")) fail("a node's mesh is moved by bones; apply them before exporting");
  require_shape_at_rest(node);
  const Eigen::Affine3d X = X_parent * node_transform(node);
  if (const auto mesh = index(node, "mesh")) append_instance(mesh_, mesh_of(*mesh), X, name_);
  for (std::size_t i = 0; i < size_of(node, "children"); ++i)
    add_node(element_index(node, "children", i), X, depth + 1);
}

// Weights of morph targets, of a mesh or, in their place, of a node.
void GlbReader::require_shape_at_rest(const json& object) const {
  for (std::size_t i = 0; i < size_of(object, "weights"); ++i) {
    if (object["weights"][i] != 0) fail("a mesh is moved by its morph targets; apply them before exporting");
  }
}

Eigen::Affine3d GlbReader::node_transform(const json& node) const {
  const auto values = [&](const char* key, std::size_t count, std::vector<double> preset) {
    const auto found = node.find(key);
    if (found == node.end()) return preset;
    if (!found->is_array() || found->size() != count) fail(std::string("a node's '") + key + "' has the wrong length");
    std::vector<double> numbers;
    for (const json& value : *found) {
      if (!value.is_number()) fail(std::string("a node's '") + key + "' holds something that is no number");
      numbers.push_back(value.get<double>());
    }
    return numbers;
  };
  if (node.contains("matrix")) {
    const auto m = values("matrix", 16, {});
    return Eigen::Affine3d(Eigen::Map<const Eigen::Matrix4d>(m.data()));
  }
  const auto t = values("translation", 3, {0, 0, 0}), r = values("rotation", 4, {0, 0, 0, 1}),
             s = values("scale", 3, {1, 1, 1});
  const Eigen::Quaterniond rotation(r[3], r[0], r[1], r[2]);
  if (!(std::abs(rotation.norm() - 1.0) < 1e-3)) fail("a node's 'rotation' is not a unit quaternion");
  return Eigen::Translation3d(t[0], t[1], t[2]) * rotation.normalized() * Eigen::Scaling(s[0], s[1], s[2]);
}

const TriangleMesh& GlbReader::mesh_of(std::size_t mesh_index) {
  const auto [entry, is_new] = meshes_.try_emplace(mesh_index);
  if (!is_new) return entry->second;
  const json& mesh = item("meshes", mesh_index);
  require_shape_at_rest(mesh);
  for (std::size_t i = 0; i < size_of(mesh, "primitives"); ++i) add_primitive(mesh["primitives"][i], entry->second);
  return entry->second;
}

GlbReader::Numbers GlbReader::accessor(std::size_t accessor_index, std::size_t width) const {
  const json& a = item("accessors", accessor_index);
  if (a.contains("sparse")) fail("sparse accessors are not read; export without them");
  Numbers n{nullptr, required(a, "count"), 0, width, static_cast<int>(required(a, "componentType")), false};
  const auto type = a.find("type");
  if (type == a.end() || *type != (width == 3 ? "VEC3" : "SCALAR")) fail("an accessor has the wrong type");
  const auto normalized = a.find("normalized");
  n.normalized = normalized != a.end() && normalized->is_boolean() && normalized->get<bool>();
  static const std::map<int, std::size_t> kBytes = {{5120, 1}, {5121, 1}, {5122, 2}, {5123, 2}, {5125, 4}, {5126, 4}};
  const auto bytes = kBytes.find(n.component);
  if (bytes == kBytes.end()) fail("an accessor has an unknown componentType");

  const json& view = item("bufferViews", required(a, "bufferView"));
  const json& buffer = item("buffers", required(view, "buffer"));
  if (buffer.contains("uri") || required(view, "buffer") != 0) {
    fail("its numbers lie in another file; export one self-contained GLB");
  }
  const std::size_t start = index(view, "byteOffset").value_or(0), length = required(view, "byteLength");
  const std::size_t offset = index(a, "byteOffset").value_or(0), item_bytes = bytes->second * width;
  n.stride = index(view, "byteStride").value_or(item_bytes);
  if (n.stride < item_bytes || n.stride > 255 + item_bytes) fail("a buffer view has an impossible byteStride");
  // All of these are below 2^32, the stride is small, and the arithmetic has 64 bits.
  const std::size_t end = n.count == 0 ? offset : offset + (n.count - 1) * n.stride + item_bytes;
  if (start + length > binary_.size() || end > length) fail("an accessor reaches beyond the file's binary chunk");
  n.data = binary_.data() + start + offset;
  return n;
}

double GlbReader::number(const Numbers& n, std::size_t i, std::size_t k) const {
  const char* at = n.data + i * n.stride;
  const auto value = [&]<class T>(T) {
    T raw;
    std::memcpy(&raw, at + k * sizeof(T), sizeof(T));
    const double number = static_cast<double>(raw);
    if (!n.normalized || n.component == 5126) return number;
    return std::max(number / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
  };
  switch (n.component) {
    case 5120: return value(std::int8_t{});
    case 5121: return value(std::uint8_t{});
    case 5122: return value(std::int16_t{});
    case 5123: return value(std::uint16_t{});
    case 5125: return value(std::uint32_t{});
    default: return value(float{});
  }
}

void GlbReader::add_primitive(const json& primitive, TriangleMesh& mesh) const {
  if (!primitive.is_object()) fail("a primitive is not an object");
  const std::size_t mode = index(primitive, "mode").value_or(4);
  if (mode > 6) fail("a primitive has an unknown mode");
  if (mode == 0) return;  // points are markers, not surface
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end() || !attributes->is_object() || !attributes->contains("POSITION")) {
    fail("a primitive has no POSITION");
  }
  const int first = static_cast<int>(mesh.vertices.size());
  const Numbers positions = accessor(required(*attributes, "POSITION"), 3);
  if (mesh.vertices.size() + positions.count > kMaxInstancedElements) fail("too many vertices");
  for (std::size_t i = 0; i < positions.count; ++i) {
    mesh.vertices.emplace_back(number(positions, i, 0), number(positions, i, 1), number(positions, i, 2));
  }
  std::vector<int> corners;
  if (const auto indices = index(primitive, "indices")) {
    const Numbers numbers = accessor(*indices, 1);
    if (numbers.component == 5126 || numbers.normalized) fail("indices must be whole numbers");
    if (numbers.count > kMaxInstancedElements) fail("too many indices");
    for (std::size_t i = 0; i < numbers.count; ++i) {
      const double corner = number(numbers, i, 0);
      if (!(corner >= 0.0 && corner < static_cast<double>(positions.count))) fail("an index refers to no vertex");
      corners.push_back(first + static_cast<int>(corner));
    }
  } else {
    for (std::size_t i = 0; i < positions.count; ++i) corners.push_back(first + static_cast<int>(i));
  }
  append_corners(mode, std::move(corners), mesh);
}

void GlbReader::append_corners(std::size_t mode, std::vector<int> corners, TriangleMesh& mesh) const {
  if (mode == 1) {
    for (std::size_t i = 0; i + 1 < corners.size(); i += 2) append_polyline(mesh, {corners[i], corners[i + 1]});
    return;
  }
  if (mode == 2 && !corners.empty()) corners.push_back(corners.front());  // a closed line
  if (mode <= 3) return append_polyline(mesh, corners);
  if (mode == 4 && corners.size() % 3 != 0) fail("a primitive's corners do not make whole triangles");
  for (std::size_t i = 0; i + 2 < corners.size(); i += mode == 4 ? 3 : 1) {
    const bool turned = mode == 5 && i % 2 == 1;
    const int a = mode == 6 ? corners[0] : corners[i];
    mesh.triangles.emplace_back(a, corners[i + (turned ? 2 : 1)], corners[i + (turned ? 1 : 2)]);
  }
}

}  // namespace

TriangleMesh read_glb(std::string_view bytes, const std::string& name) { return GlbReader(bytes, name).read(); }

}  // namespace planner_ccd
