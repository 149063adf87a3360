#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {

/// Reads the `<collision>` and `<visual>` elements of one URDF document.
class UrdfGeometryReader {
 public:
  UrdfGeometryReader(const XmlFile& file, std::string base, const ResourceOptions& resources, MeshCache& meshes,
                     std::vector<InputWarning>& warnings)
      : file_(file), base_(std::move(base)), resources_(resources), meshes_(meshes), warnings_(warnings) {}

  /// About the meshes read so far.
  const std::vector<Assumption>& assumptions() const { return assumptions_; }

  /// All shapes of all elements called `kind` ("collision" or "visual") of a link, in the link's frame.
  std::vector<Geometry> read_all(const tinyxml2::XMLElement& link, const char* kind);

  /// Appends the shapes of one such element.
  void append(std::vector<Geometry>& shapes, const tinyxml2::XMLElement& element);

  /// X_ParentChild of the optional `<origin>` below `element`.
  Eigen::Isometry3d read_origin(const tinyxml2::XMLElement& element) const;

 private:
  Shape read_shape(const tinyxml2::XMLElement& element);
  MeshPtr read_mesh(const tinyxml2::XMLElement& element);
  double positive(const tinyxml2::XMLElement& element, const char* attribute) const;
  void warn_once(WarningKind kind, const std::string& text);

  const XmlFile& file_;
  std::string base_;
  const ResourceOptions& resources_;
  MeshCache& meshes_;
  std::vector<InputWarning>& warnings_;
  std::vector<std::string> mesh_files_;  // of the current element
  std::vector<Assumption> assumptions_;
};

}  // namespace planner_ccd
