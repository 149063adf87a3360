#pragma once

#include <assimp/scene.h>

#include <Eigen/Geometry>
#include <assimp/Exporter.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/io_support.hpp"
#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd::test {

struct Format {
  const char* id;  ///< Assimp's name of the exporter.
  const char* file;
  double unit;  ///< [m] What the exporter says its numbers are in.
};

/// What Assimp writes and our own readers do not read. Its binary FBX, which it cannot read itself, is written by BinaryFbx.
inline constexpr Format kText = {"fbxa", "a.fbx", 0.01}, k3ds = {"3ds", "b.3ds", 1.0}, kGltf = {"gltf2", "c.gltf", 1.0},
                        k3mf = {"3mf", "d.3mf", 0.001}, kX3d = {"x3d", "e.x3d", 1.0},
                        kAssbin = {"assbin", "f.assbin", 1.0};
inline constexpr Format kForeign[] = {kText, k3ds, kGltf, k3mf, kX3d, kAssbin};

inline aiMatrix4x4 to_assimp(const Eigen::Affine3d& X) {
  aiMatrix4x4 m;
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned k = 0; k < 4; ++k) m[i][k] = static_cast<float>(X.matrix()(i, k));
  }
  return m;
}

inline std::unique_ptr<aiNode> node_of(const char* name, const Eigen::Affine3d& X,
                                       std::vector<std::unique_ptr<aiNode>> children, bool has_mesh) {
  auto node = std::make_unique<aiNode>(name);
  node->mTransformation = to_assimp(X);
  if (has_mesh) {
    node->mNumMeshes = 1;
    node->mMeshes = new unsigned[1]{0};
  }
  node->mNumChildren = static_cast<unsigned>(children.size());
  if (!children.empty()) node->mChildren = new aiNode*[children.size()];
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i]->mParent = node.get();
    node->mChildren[i] = children[i].release();
  }
  return node;
}

inline std::unique_ptr<aiMesh> mesh_of(const TriangleMesh& from) {
  auto mesh = std::make_unique<aiMesh>();
  mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
  mesh->mNumVertices = static_cast<unsigned>(from.vertices.size());
  mesh->mVertices = new aiVector3D[from.vertices.size()];
  mesh->mNormals = new aiVector3D[from.vertices.size()];
  for (std::size_t i = 0; i < from.vertices.size(); ++i) {
    const Eigen::Vector3f p = from.vertices[i].cast<float>();
    mesh->mVertices[i] = {p.x(), p.y(), p.z()};
    mesh->mNormals[i] = {0, 0, 1};
  }
  mesh->mNumFaces = static_cast<unsigned>(from.triangles.size());
  mesh->mFaces = new aiFace[from.triangles.size()];
  for (std::size_t i = 0; i < from.triangles.size(); ++i) {
    aiFace& face = mesh->mFaces[i];
    face.mNumIndices = 3;
    face.mIndices = new unsigned[3];
    for (int k = 0; k < 3; ++k) face.mIndices[k] = static_cast<unsigned>(from.triangles[i][k]);
  }
  return mesh;
}

/// A scene with one mesh, which nodes below `root` refer to.
inline std::unique_ptr<aiScene> scene_of(std::unique_ptr<aiMesh> mesh, std::unique_ptr<aiNode> root) {
  auto scene = std::make_unique<aiScene>();
  scene->mRootNode = root.release();
  scene->mNumMeshes = scene->mNumMaterials = 1;
  scene->mMeshes = new aiMesh* [1] { mesh.release() };
  scene->mMaterials = new aiMaterial* [1] { new aiMaterial };
  return scene;
}

/// One mesh in a node below the root, where every exporter looks for it.
inline std::unique_ptr<aiScene> scene_with_a_child(const TriangleMesh& mesh) {
  std::vector<std::unique_ptr<aiNode>> child;
  child.push_back(node_of("child", Eigen::Affine3d::Identity(), {}, true));
  return scene_of(mesh_of(mesh), node_of("root", Eigen::Affine3d::Identity(), std::move(child), false));
}

inline std::string export_as(const aiScene& scene, const Format& format, const TempFolder& folder) {
  const std::string path = folder.path(format.file);
  Assimp::Exporter exporter;
  if (exporter.Export(&scene, format.id, path) != aiReturn_SUCCESS) throw std::runtime_error(exporter.GetErrorString());
  return path;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// A binary FBX file, as most programs write it: a mesh, moved by (1, 2, 3) and scaled by 2, in units of so many centimetres.
class BinaryFbx {
 public:
  static std::string write(const TriangleMesh& mesh, double centimetres) {
    std::string vertices, corners;
    for (const Eigen::Vector3d& p : mesh.vertices) vertices += raw(p.x()) + raw(p.y()) + raw(p.z());
    for (const Eigen::Vector3i& t : mesh.triangles)
      corners += raw(t[0]) + raw(t[1]) + raw(~t[2]);  // the last one of a face
    const auto property = [](const std::string& name, const std::vector<double>& values) {
      std::vector<std::string> words = {text(name), text(name), text(""), text("A")};
      for (const double value : values) words.push_back("D" + raw(value));
      return Node{"P", words, {}};
    };
    const std::vector<Node> nodes = {
        {"FBXHeaderExtension", {}, {{"FBXVersion", {"I" + raw(7400)}, {}}}},
        {"GlobalSettings",
         {},
         {{"Properties70",
           {},
           {{"P", {text("UnitScaleFactor"), text("double"), text("Number"), text(""), "D" + raw(centimetres)}, {}}}}}},
        {"Objects",
         {},
         {{"Geometry",
           {id(1), text(std::string("cube\0\1Geometry", 14)), text("Mesh")},
           {{"Vertices", {array('d', vertices, 8)}, {}}, {"PolygonVertexIndex", {array('i', corners, 4)}, {}}}},
          {"Model",
           {id(2), text(std::string("cube\0\1Model", 11)), text("Mesh")},
           {{"Properties70", {}, {property("Lcl Translation", {1, 2, 3}), property("Lcl Scaling", {2, 2, 2})}}}}}},
        {"Connections", {}, {{"C", {text("OO"), id(1), id(2)}, {}}, {"C", {text("OO"), id(2), id(0)}, {}}}}};
    std::string bytes = std::string("Kaydara FBX Binary  \0\x1a\0", 23) + raw(7400);
    for (const Node& node : nodes) bytes += packed(node, bytes.size());
    return bytes + std::string(13, '\0');
  }

 private:
  struct Node {
    std::string name;
    std::vector<std::string> properties;
    std::vector<Node> children;
  };
  template <class T>
  static std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
  }
  static std::string text(const std::string& value) {
    return "S" + raw(static_cast<std::uint32_t>(value.size())) + value;
  }
  static std::string id(std::int64_t value) { return "L" + raw(value); }
  static std::string array(char type, const std::string& items, std::size_t width) {
    return type + raw(static_cast<std::uint32_t>(items.size() / width)) + raw(std::uint32_t{0}) +
           raw(static_cast<std::uint32_t>(items.size())) + items;
  }
  static std::string packed(const Node& node, std::size_t at) {
    std::string properties, children;
    for (const std::string& p : node.properties) properties += p;
    const std::size_t begin = at + 13 + node.name.size() + properties.size();
    for (const Node& child : node.children) children += packed(child, begin + children.size());
    if (!node.children.empty()) children += std::string(13, '\0');
    return raw(static_cast<std::uint32_t>(begin + children.size())) +
           raw(static_cast<std::uint32_t>(node.properties.size())) +
           raw(static_cast<std::uint32_t>(properties.size())) + static_cast<char>(node.name.size()) + node.name +
           properties + children;
  }
};

/// A ZIP archive of plain, uncompressed parts.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& parts) {
  const auto number = [](std::uint32_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  std::string zip, directory;
  for (const auto& [name, bytes] : parts) {
    std::uint32_t crc = ~0u;
    for (const char c : bytes) {
      crc ^= static_cast<unsigned char>(c);
      for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    const auto size = static_cast<std::uint32_t>(bytes.size()), length = static_cast<std::uint32_t>(name.size());
    const std::string common = number(20, 2) + number(0, 8 - 2 - 2) + number(0, 4) + number(~crc, 4) + number(size, 4) +
                               number(size, 4) + number(length, 2);
    directory += "PK\1\2" + number(20, 2) + common + number(0, 4) + number(0, 4) + number(0, 4) +
                 number(static_cast<std::uint32_t>(zip.size()), 4) + name;
    zip += "PK\3\4" + common + number(0, 2) + name + bytes;
  }
  const auto count = static_cast<std::uint32_t>(parts.size());
  return zip + directory + "PK\5\6" + number(0, 4) + number(count, 2) + number(count, 2) +
         number(static_cast<std::uint32_t>(directory.size()), 4) + number(static_cast<std::uint32_t>(zip.size()), 4) +
         number(0, 2);
}

inline TriangleMesh cube() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
  for (const Eigen::Vector3i& t : {Eigen::Vector3i{0, 2, 1},
                                   {1, 2, 3},
                                   {4, 5, 6},
                                   {5, 7, 6},
                                   {0, 1, 4},
                                   {1, 5, 4},
                                   {2, 6, 3},
                                   {3, 6, 7},
                                   {0, 4, 2},
                                   {2, 4, 6},
                                   {1, 3, 5},
                                   {3, 7, 5}}) {
    mesh.triangles.push_back(t);
  }
  return mesh;
}

}  // namespace planner_ccd::test
