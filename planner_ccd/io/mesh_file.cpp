#include "planner_ccd/io/mesh_file.hpp"

#include <charconv>
#include <filesystem>

#include "planner_ccd/geometry/known_mesh.hpp"
#include "planner_ccd/io/detail/foreign_mesh.hpp"
#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

struct MeshWithAssumptions {
  TriangleMesh mesh;
  std::vector<Assumption> assumptions = {};
  bool distinct = false;  ///< Equal vertices were merged while it was read.
};

// Four digits are enough for a person.
std::string about(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, 4);
  return std::string(buffer, result.ptr) + " m";
}

/// Assumptions about a DAE file's coordinates. Files that state Z_UP and a unit need none.
std::vector<Assumption> dae_assumptions(const DaeMesh& dae, DaeUpAxis up_axis, const std::string& name) {
  std::vector<Assumption> out;
  if (dae.up_axis != "Z_UP") {
    const std::string says = dae.up_axis.empty() ? "without up_axis (Y_UP, by the standard)" : "of " + dae.up_axis;
    out.push_back(
        {.kind = AssumptionKind::MeshAxes,
         .by = up_axis == DaeUpAxis::Ignore ? "ignored" : "honoured",
         .text = up_axis == DaeUpAxis::Ignore
                     ? "DAE files " + says + " are taken as they stand, as RViz does; dae-up-axis honour turns them"
                     : "DAE files " + says + " are turned to Z_UP, which RViz does not do",
         .names = {name}});
  }
  if (!dae.has_unit) {
    out.push_back({.kind = AssumptionKind::MeshUnit,
                   .text = "DAE files without a unit are taken to be in metres",
                   .names = {name}});
  }
  return out;
}

MeshWithAssumptions read_format(std::string_view bytes, MeshFormat format, const std::string& name, DaeUpAxis up_axis) {
  if (bytes.empty()) throw InputError(name + ": the file is empty");
  switch (format) {
    case MeshFormat::Stl: return {read_stl(bytes, name), {}, true};
    case MeshFormat::Obj: return {read_obj(bytes, name), {}};
    case MeshFormat::Ply: return {read_ply(bytes, name), {}};
    case MeshFormat::Off: return {read_off(bytes, name), {}};
    case MeshFormat::Glb: return {read_glb(bytes, name), {}};
    case MeshFormat::Dae: {
      DaeMesh dae = read_dae(bytes, name, up_axis);
      return {std::move(dae.mesh), dae_assumptions(dae, up_axis, name)};
    }
  }
  throw InputError(name + ": unknown mesh format");
}

/// Assumptions about a file that Assimp has read.
std::vector<Assumption> foreign_assumptions(const ForeignMesh& foreign, const std::string& name) {
  std::vector<Assumption> out;
  out.push_back(
      {.kind = AssumptionKind::MeshReader,
       .by = "Assimp",
       .text = "mesh files read through Assimp: in single precision, curves as it flattens them, without what it does "
               "not know; not for files from strangers",
       .names = {name}});
  if (!foreign.own_axes) {
    out.push_back({.kind = AssumptionKind::MeshAxes,
                   .by = "Assimp",
                   .text = "mesh files are taken with the axes that Assimp gives them, often with Y up",
                   .names = {name}});
  }
  if (!foreign.has_unit) {
    out.push_back({.kind = AssumptionKind::MeshUnit,
                   .text = "mesh files without a unit are taken to be in metres",
                   .names = {name}});
  } else if (foreign.unit != 1.0) {
    out.push_back({.kind = AssumptionKind::MeshUnit,
                   .by = "honoured",
                   .text = "the unit of mesh files is applied (" + about(foreign.unit) + "), which RViz does not do",
                   .names = {name}});
  }
  return out;
}

MeshWithAssumptions load_unscaled(const std::string& path, DaeUpAxis up_axis) {
  const ReadsAs role("mesh");
  MeshWithAssumptions loaded;
  if (const auto format = mesh_format_of(path)) {
    loaded = read_format(read_file(path, kMaxDataFileBytes), *format, path, up_axis);
  } else {
    ForeignMesh foreign = read_foreign_mesh(path);
    loaded.assumptions = foreign_assumptions(foreign, path);
    loaded.mesh = std::move(foreign.mesh);
  }
  return loaded;
}

void require_scale(const Eigen::Vector3d& scale, const std::string& name) {
  if (scale.allFinite() && (scale.array() != 0.0).all()) return;
  throw InputError(name + ": the scale must be three finite numbers other than 0");
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

MeshPtr scaled_copy(const MeshPtr& mesh, const Eigen::Vector3d& scale, const std::string& name) {
  if (scale == Eigen::Vector3d::Ones()) return mesh;
  TriangleMesh scaled = *mesh;
  for (Eigen::Vector3d& p : scaled.vertices) p = p.cwiseProduct(scale);
  if (scale.cwiseSign().prod() < 0.0) {
    for (Eigen::Vector3i& t : scaled.triangles) std::swap(t[1], t[2]);
  }
  return share_valid(std::move(scaled), name);
}

}  // namespace

std::optional<MeshFormat> mesh_format_of(const std::string& path) {
  const std::string ending = to_lower(std::filesystem::path(path).extension().string());
  if (ending == ".stl" || ending == ".stlb") return MeshFormat::Stl;
  if (ending == ".obj") return MeshFormat::Obj;
  if (ending == ".ply") return MeshFormat::Ply;
  if (ending == ".off") return MeshFormat::Off;
  if (ending == ".dae") return MeshFormat::Dae;
  if (ending == ".glb") return MeshFormat::Glb;
  return std::nullopt;
}

TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name, DaeUpAxis up_axis) {
  TriangleMesh mesh = read_format(bytes, format, name, up_axis).mesh;
  validate(mesh, name);
  return mesh;
}

void append_instance(TriangleMesh& mesh, const TriangleMesh& part, const Eigen::Affine3d& X, const std::string& name) {
  if (mesh.triangles.size() + part.triangles.size() > kMaxInstancedElements ||
      mesh.vertices.size() + part.vertices.size() > kMaxInstancedElements) {
    throw InputError(name + ": the nodes of this file put together more than " + std::to_string(kMaxInstancedElements) +
                     " triangles or vertices");
  }
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Eigen::Vector3d& p : part.vertices) mesh.vertices.push_back(X * p);
  const bool mirrors = X.linear().determinant() < 0.0;
  for (const Eigen::Vector3i& t : part.triangles) {
    mesh.triangles.emplace_back(first + t[0], first + t[mirrors ? 2 : 1], first + t[mirrors ? 1 : 2]);
  }
}

void fail_at_line(const std::string& name, std::size_t line, const std::string& message) {
  throw InputError(name + ":" + std::to_string(line) + ": " + message);
}

MeshPtr load_mesh(const std::string& path, const Eigen::Vector3d& scale, DaeUpAxis up_axis) {
  return MeshCache().load(path, scale, up_axis);
}

MeshPtr MeshCache::load(const std::string& path, const Eigen::Vector3d& scale, DaeUpAxis up_axis) {
  require_scale(scale, path);
  const Key key{canonical(path), up_axis};
  File& file = files_[key];
  if (!file.mesh) {
    MeshWithAssumptions loaded = load_unscaled(path, up_axis);
    file = {share_valid(std::move(loaded.mesh), path, loaded.distinct), std::move(loaded.assumptions)};
  }
  MeshPtr& scaled = scaled_[{key, {scale.x(), scale.y(), scale.z()}}];
  if (!scaled) scaled = scaled_copy(file.mesh, scale, path);
  return scaled;
}

std::vector<Assumption> MeshCache::assumptions(const std::string& path, DaeUpAxis up_axis) const {
  const auto found = files_.find({canonical(path), up_axis});
  return found == files_.end() ? std::vector<Assumption>{} : found->second.assumptions;
}

std::string implausible_size(const TriangleMesh& mesh, double largest) {
  Eigen::Vector3d low = mesh.vertices[static_cast<std::size_t>(mesh.triangles.front()[0])], high = low;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (const int i : t) {
      low = low.cwiseMin(mesh.vertices[static_cast<std::size_t>(i)]);
      high = high.cwiseMax(mesh.vertices[static_cast<std::size_t>(i)]);
    }
  }
  const double extent = (high - low).maxCoeff();
  if (extent > largest) {
    return "spans " + about(extent) + "; if the file is in millimetres, give it the scale 0.001";
  }
  if (extent < 1e-3) return "spans only " + about(extent) + "; is its unit or scale right?";
  return {};
}

}  // namespace planner_ccd
