#include "planner_ccd/io/read_mesh/scene_mesh.hpp"

#include <assimp/config.h>
#include <assimp/scene.h>

#include <assimp/DefaultIOSystem.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cctype>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/detail/vertex_joiner.hpp"
#include "planner_ccd/io/read_mesh/stated.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::read_mesh {
namespace {

using Eigen::Affine3d;

Affine3d affine(const aiMatrix4x4& m) {
  if (m.d1 != 0 || m.d2 != 0 || m.d3 != 0 || m.d4 != 1)
    throw InputError("a node's transform is a projection; apply it before exporting");
  Affine3d X;
  X.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0, 0, 1;
  return X;
}

class Flattener {
 public:
  explicit Flattener(const aiScene& scene) : scene_(scene) {}

  void add_node(const aiNode& node, const Affine3d& X, int depth) {
    if (depth > kMaxNodeDepth || ++visits_ > kMaxNodeVisits)
      throw InputError("its nodes are too many, or nested too deep");
    for (unsigned i = 0; i < node.mNumMeshes; ++i) add_mesh(part(node.mMeshes[i]), X);
    for (unsigned i = 0; i < node.mNumChildren; ++i) {
      const aiNode& child = *node.mChildren[i];
      add_node(child, X * affine(child.mTransformation), depth + 1);
    }
  }

  TriangleMesh finish() { return std::move(mesh_); }

 private:
  void add_mesh(const TriangleMesh& part, const Affine3d& X) {
    if (mesh_.triangles.size() + part.triangles.size() > kMaxInstancedElements ||
        mesh_.vertices.size() + part.vertices.size() > kMaxInstancedElements) {
      throw InputError("the nodes of this file put together more than " + std::to_string(kMaxInstancedElements) +
                       " triangles or vertices");
    }
    std::vector<int> joined;
    joined.reserve(part.vertices.size());
    for (const Eigen::Vector3d& p : part.vertices) joined.push_back(joiner_.index_of(X * p));
    const bool mirrors = X.linear().determinant() < 0.0;
    for (const Eigen::Vector3i& t : part.triangles) {
      const auto corner = [&](int k) { return joined[static_cast<std::size_t>(t[k])]; };
      mesh_.triangles.emplace_back(corner(0), corner(mirrors ? 2 : 1), corner(mirrors ? 1 : 2));
    }
  }

  const TriangleMesh& part(unsigned index) {
    if (index >= scene_.mNumMeshes || !scene_.mMeshes[index])
      throw InputError("a node refers to a mesh that does not exist");
    const auto [entry, is_new] = parts_.try_emplace(index);
    if (is_new) entry->second = read_part(*scene_.mMeshes[index]);
    return entry->second;
  }

  static TriangleMesh read_part(const aiMesh& mesh) {
    if (mesh.mNumBones > 0 || mesh.mNumAnimMeshes > 0) {
      throw InputError("has a mesh that bones or morphs move; apply them before exporting, so that its shape is fixed");
    }
    if (mesh.mNumVertices > kMaxInstancedElements || mesh.mNumFaces > kMaxInstancedElements) {
      throw InputError("more than " + std::to_string(kMaxInstancedElements) + " triangles or vertices in a part");
    }
    TriangleMesh part;
    part.vertices.reserve(mesh.mNumVertices);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      part.vertices.emplace_back(mesh.mVertices[i].x, mesh.mVertices[i].y, mesh.mVertices[i].z);
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      std::vector<int> corners;
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) throw InputError("a face refers to a corner that does not exist");
        corners.push_back(static_cast<int>(face.mIndices[k]));
      }
      if (corners.size() == 2) append_polyline(part, corners);
      append_polygon(part, std::move(corners));  // points are markers, no surface
      if (part.triangles.size() > kMaxInstancedElements) throw InputError("too many triangles");
    }
    return part;
  }

  const aiScene& scene_;
  TriangleMesh mesh_;
  VertexJoiner joiner_{mesh_};
  std::map<unsigned, TriangleMesh> parts_;
  int visits_ = 0;
};

/// Opens files for Assimp, and notes which it has read.
class NotedFiles final : public Assimp::DefaultIOSystem {
 public:
  NotedFiles(std::string path, std::vector<std::string>& others) : path_(std::move(path)), others_(others) {}

  Assimp::IOStream* Open(const char* file, const char* mode) override {
    Assimp::IOStream* stream = DefaultIOSystem::Open(file, mode);
    const bool is_new = file != path_ && std::find(others_.begin(), others_.end(), file) == others_.end();
    if (stream != nullptr && is_new) others_.emplace_back(file);
    return stream;
  }

 private:
  const std::string path_;
  std::vector<std::string>& others_;
};

bool one_of(const std::string& ending, std::initializer_list<std::string_view> endings) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// The root's transform in the file's own axes, if these are known. Assimp's axes have Y up. It turns files whose axes have Z up at
/// the root; newer versions of it turn FBX files there by what they say.
Affine3d root_transform(const aiNode& root, const std::string& ending, bool& own_axes) {
  own_axes = true;
  if (ending == ".fbx") return Affine3d::Identity();
  const Affine3d X = affine(root.mTransformation);
  if (one_of(ending, {".gltf", ".3mf", ".amf", ".x3d"})) return X;
  if (one_of(ending, {".3ds", ".ase", ".dxf", ".ifc"})) {
    Affine3d turned_back = Affine3d::Identity();
    turned_back.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    return turned_back * X;
  }
  own_axes = false;
  return X;
}

}  // namespace

ForeignMesh scene_mesh(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  Assimp::Importer importer;
  if (ending.size() < 2 || !importer.IsExtensionSupported(ending)) {
    throw InputError("unknown kind of mesh file; convert it to STL, OBJ, PLY, OFF, DAE or GLB");
  }
  Stated stated = read_stated(path, ending);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);  // shapes that are not in the file
  std::vector<std::string> others;
  importer.SetIOHandler(new NotedFiles(path, others));  // owned by the importer
  const aiScene* scene = importer.ReadFile(path, 0);
  if (!scene || !scene->mRootNode) {
    const std::string why = importer.GetErrorString();
    if (why.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
    throw InputError("Assimp cannot read it; convert it to STL, OBJ, PLY, OFF, DAE or GLB (" + why + ")");
  }
  if (ending == ".fbx") {
    float centimetres = 0.0f;
    if (!scene->mMetaData || !scene->mMetaData->Get("UnitScaleFactor", centimetres) || !(centimetres > 0.0f)) {
      throw InputError("has no UnitScaleFactor; export it again");
    }
    stated = {0.01 * centimetres, true};
  }
  if (ending == ".ifc") stated.has_unit = true;  // which Assimp applies
  ForeignMesh out{{}, stated.unit, stated.has_unit, false};
  const Affine3d X_root = root_transform(*scene->mRootNode, ending, out.own_axes);
  Flattener flattener(*scene);
  flattener.add_node(*scene->mRootNode, Eigen::Scaling(stated.unit) * X_root, 0);
  out.mesh = flattener.finish();
  out.others = std::move(others);
  return out;
}

}  // namespace planner_ccd::read_mesh
