#include "planner_ccd/io/detail/urdf_geometry.hpp"

#include <algorithm>
#include <set>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using tinyxml2::XMLElement;

// [m] A larger robot part was most likely modelled in millimetres.
constexpr double kLargestPart = 20.0;

}  // namespace

std::vector<Geometry> UrdfGeometryReader::read_all(const XMLElement& link, const char* kind) {
  std::vector<Geometry> shapes;
  mesh_files_.clear();
  for (const XMLElement* e = link.FirstChildElement(kind); e; e = e->NextSiblingElement(kind)) append(shapes, *e);
  for (const std::string& file : mesh_files_) merge(assumptions_, meshes_.assumptions(file, resources_.dae_up_axis));
  return shapes;
}

Eigen::Isometry3d UrdfGeometryReader::read_origin(const XMLElement& element) const {
  const XMLElement* origin = element.FirstChildElement("origin");
  if (!origin) return Eigen::Isometry3d::Identity();
  for (const auto* a = origin->FirstAttribute(); a; a = a->Next()) {
    if (std::string_view(a->Name()) == "xyz" || std::string_view(a->Name()) == "rpy") continue;
    file_.fail(*origin, "the attribute " + in_quotes(a->Name()) + " is not read; a place is 'xyz' and 'rpy'");
  }
  const Eigen::Isometry3d pose = pose_from_rpy(file_.optional_vector(*origin, "xyz").value_or(Eigen::Vector3d::Zero()),
                                               file_.optional_vector(*origin, "rpy").value_or(Eigen::Vector3d::Zero()));
  if (pose.translation().cwiseAbs().maxCoeff() > kMaxCoordinate) {
    file_.fail(*origin, "'xyz' lies beyond 1e7 m; check the unit");
  }
  return pose;
}

void UrdfGeometryReader::append(std::vector<Geometry>& shapes, const XMLElement& element) {
  static const std::set<std::string_view> kKnown = {"geometry", "origin",       "material",    "verbose",
                                                    "surface",  "max_contacts", "laser_retro", "contact_coefficients"};
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string_view name = e->Name();
    if (kKnown.count(name) || name.find(':') != std::string_view::npos) continue;
    warn_once(WarningKind::NotRead, file_.where(*e) + ": this element is not understood and not used");
  }
  file_.require_single(element, {"geometry", "origin"});
  const XMLElement* geometry = element.FirstChildElement("geometry");
  if (!geometry || !geometry->FirstChildElement()) {
    file_.fail(element, "has no <geometry> with a shape in it; add one or delete the element");
  }
  const Eigen::Isometry3d pose = read_origin(element);
  if (geometry->FirstChildElement()->NextSiblingElement()) {
    warn_once(WarningKind::Structure, file_.where(element) + ": holds more than one shape; all of them are taken");
  }
  const bool is_visual = std::string(element.Name()) == "visual";
  for (const XMLElement* e = geometry->FirstChildElement(); e; e = e->NextSiblingElement()) {
    if (is_visual && std::string(e->Name()) == "box" && file_.optional_vector(*e, "size") == Eigen::Vector3d(0, 0, 0)) {
      warn_once(WarningKind::Visuals, file_.where(*e) + ": a visual box of size 0 0 0 shows nothing; left out");
      continue;
    }
    const char* file_name = std::string(e->Name()) == "mesh" ? e->Attribute("filename") : nullptr;
    shapes.push_back({read_shape(*e), pose, file_name ? file_name : e->Name(), std::nullopt});
  }
}

Shape UrdfGeometryReader::read_shape(const XMLElement& element) {
  const std::string kind = element.Name();
  if (kind == "mesh") return read_mesh(element);
  if (kind == "box") {
    const auto size = file_.optional_vector(element, "size");
    if (!size || !(size->minCoeff() > 0.0) || size->maxCoeff() > kMaxCoordinate) {
      file_.fail(element, "'size' must be three positive lengths in metres");
    }
    return Box{*size};
  }
  if (kind == "sphere") return Sphere{positive(element, "radius")};
  if (kind == "cylinder") return Cylinder{positive(element, "radius"), positive(element, "length")};
  if (kind == "capsule" || kind == "drake:capsule") {
    const double length = file_.required_number(element, "length");
    return Capsule{positive(element, "radius"), length == 0.0 ? 0.0 : positive(element, "length")};
  }
  file_.fail(element, "unknown shape; use mesh, box, sphere, cylinder or capsule");
}

MeshPtr UrdfGeometryReader::read_mesh(const XMLElement& element) {
  const std::string uri = file_.required(element, "filename");
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  if (const auto text = file_.optional(element, "scale")) {
    if (split_blanks(*text).size() == 1) {
      scale.setConstant(file_.parse(element, "scale", *text));
      warn_once(WarningKind::Structure,
                file_.where(element) + ": 'scale' has one number instead of three; it is taken for all axes");
    } else {
      scale = *file_.optional_vector(element, "scale");
    }
  }
  try {
    const ResolvedResource file = resolve_resource(uri, base_, resources_);
    if (!file.doubt.empty()) warn_once(WarningKind::WhichFile, file_.where(element) + ": " + uri + file.doubt);
    MeshPtr mesh = meshes_.load(file.path, scale, resources_.dae_up_axis);
    mesh_files_.push_back(file.path);
    const std::string doubt = implausible_size(*mesh, kLargestPart);
    if (!doubt.empty()) warn_once(WarningKind::ImplausibleSize, file_.where(element) + ": " + uri + " " + doubt);
    return mesh;
  } catch (const InputError& error) {
    file_.fail(element, error.what());
  }
}

double UrdfGeometryReader::positive(const XMLElement& element, const char* attribute) const {
  const double value = file_.required_number(element, attribute);
  if (!(value > 0.0) || value > kMaxCoordinate) {
    file_.fail(element, std::string("'") + attribute + "' must be a positive length in metres");
  }
  return value;
}

void UrdfGeometryReader::warn_once(WarningKind kind, const std::string& text) {
  const InputWarning warning{kind, text};
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
}

}  // namespace planner_ccd
