#include "planner_ccd/io/urdf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "planner_ccd/io/detail/urdf_geometry.hpp"
#include "planner_ccd/io/detail/urdf_materials.hpp"
#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kNamedFiles = 12;  // in one warning

const std::set<std::string> kKnownInLink = {"collision",
                                            "visual",
                                            "inertial",
                                            "contact",
                                            "sensor",
                                            "gazebo",
                                            "capsule",
                                            "dynamics",
                                            "collision_checking",
                                            "self_collision_checking",
                                            "verbose",
                                            "origin",
                                            "color",
                                            "material"};
const std::set<std::string> kKnownInJoint = {"parent",
                                             "child",
                                             "origin",
                                             "axis",
                                             "limit",
                                             "mimic",
                                             "dynamics",
                                             "calibration",
                                             "safety_controller",
                                             "gazebo",
                                             "hardwareInterface",
                                             "property",
                                             "safety",
                                             "limits_soft"};

class UrdfReader {
 public:
  UrdfReader(const std::string& text, const std::string& name, const std::string& base, const UrdfOptions& options)
      : file_(text, name),
        options_(options),
        geometry_(file_, base, options.resources, options.meshes ? *options.meshes : own_meshes_, warnings_),
        materials_(file_, warnings_) {}

  Loaded<RobotSpec> read() {
    reject_other_documents();
    if (options_.load_visuals) materials_.read();
    robot_.name = file_.optional(file_.root(), "name").value_or("");
    if (robot_.name.empty()) {
      robot_.name = "robot";
      warn(WarningKind::Structure, file_.where(file_.root()) + ": the robot has no name");
    }
    for (const XMLElement* e = file_.root().FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
      read_link(*e);
    if (robot_.links.empty()) file_.fail(file_.root(), "the robot has no <link>");
    for (const XMLElement* e = file_.root().FirstChildElement("joint"); e; e = e->NextSiblingElement("joint"))
      read_joint(*e);
    check_mimics();
    report_bare_links();
    report_roots();
    report_visuals();
    for (const Assumption& a : geometry_.assumptions())
      warn(WarningKind::MeshFile, file_.name() + ": " + to_line(a, kNamedFiles));
    return {std::move(robot_), std::move(warnings_), geometry_.assumptions(), std::move(visuals_left_out_)};
  }

 private:
  void warn(WarningKind kind, std::string text) { warnings_.push_back({kind, std::move(text)}); }

  void reject_other_documents();
  void read_link(const XMLElement& element);
  std::vector<Geometry> read_visuals(const XMLElement& element);
  void read_joint(const XMLElement& element);
  void read_axis(const XMLElement& element, JointSpec& joint);
  void read_limits(const XMLElement& element, JointSpec& joint);
  void read_mimic(const XMLElement& element, JointSpec& joint);
  std::string read_link_name(const XMLElement& joint, const char* role);
  void warn_unknown(const XMLElement& element, const std::set<std::string>& known);
  void check_mimics();
  void report_bare_links();
  void report_visuals();
  void report_roots();

  XmlFile file_;
  const UrdfOptions& options_;
  MeshCache own_meshes_;
  std::vector<InputWarning> warnings_;
  UrdfGeometryReader geometry_;
  UrdfMaterials materials_;
  RobotSpec robot_;
  std::set<std::string> link_names_;
  std::set<std::string> joint_names_;
  std::vector<std::pair<const XMLElement*, std::string>> mimics_;       // element, joint that contains it
  std::vector<std::pair<const XMLElement*, std::string>> only_visual_;  // links with a visual and no collision
  std::vector<std::string> visuals_left_out_;                           // the reason for each
};

// An unprocessed xacro still has xacro elements or ${expressions}; a processed one may keep the namespace declaration.
const XMLElement* find_xacro(const XMLElement& element) {
  if (std::string_view(element.Name()).starts_with("xacro:")) return &element;
  for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
    const std::string_view value = a->Value();
    if (value.find("${") != std::string_view::npos || value.find("$(") != std::string_view::npos) return &element;
  }
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    if (const XMLElement* found = find_xacro(*e)) return found;
  }
  return nullptr;
}

void UrdfReader::reject_other_documents() {
  const std::string root = file_.root().Name();
  if (root == "sdf" || root == "gazebo") file_.fail(file_.root(), "this is SDF; convert it to URDF first");
  if (root == "mujoco") file_.fail(file_.root(), "this is MJCF; convert it to URDF first");
  if (root != "robot") file_.fail(file_.root(), "a URDF must begin with <robot>");
  if (const XMLElement* element = find_xacro(file_.root())) {
    file_.fail(*element, "this is a xacro, not a URDF; run `xacro " + file_.name() + " > robot.urdf` and load that");
  }
  if (const XMLElement* include = file_.root().FirstChildElement("include")) {
    file_.fail(*include, "URDF has no <include>; put the included file in its place");
  }
  static const std::set<std::string> kKnown = {"link", "joint", "material", "transmission", "gazebo", "sensor"};
  warn_unknown(file_.root(), kKnown);
}

void UrdfReader::warn_unknown(const XMLElement& element, const std::set<std::string>& known) {
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
    const std::string name = e->Name();
    if (!known.count(name) && name.find(':') == std::string::npos) {
      warn(WarningKind::NotRead, file_.where(*e) + ": this element is not understood and not used");
    }
  }
}

void UrdfReader::read_link(const XMLElement& element) {
  LinkSpec link;
  link.name = file_.required(element, "name");
  if (!link_names_.insert(link.name).second) file_.fail(element, "there is already a link of this name; rename one");
  warn_unknown(element, kKnownInLink);
  link.collision = geometry_.read_all(element, "collision");
  if (link.collision.empty()) {
    if (!element.FirstChildElement("visual")) {
      // a pure frame: nothing is missing
    } else if (options_.use_visual) {
      link.collision = geometry_.read_all(element, "visual");
    } else {
      only_visual_.emplace_back(&element, link.name);
    }
  }
  if (options_.load_visuals) link.visual = read_visuals(element);
  robot_.links.push_back(std::move(link));
}

std::vector<Geometry> UrdfReader::read_visuals(const XMLElement& element) {
  std::vector<Geometry> shapes;
  for (const XMLElement* e = element.FirstChildElement("visual"); e; e = e->NextSiblingElement("visual")) {
    const std::size_t first = shapes.size();
    try {
      geometry_.append(shapes, *e);
    } catch (const InputError& error) {
      shapes.resize(first);
      visuals_left_out_.emplace_back(error.what());
    }
    const auto colour = materials_.colour_of(*e);
    for (std::size_t i = first; i < shapes.size(); ++i) shapes[i].colour = colour;
  }
  return shapes;
}

void UrdfReader::read_joint(const XMLElement& element) {
  static const std::array<std::pair<const char*, JointType>, 6> kTypes = {{{"fixed", JointType::Fixed},
                                                                           {"revolute", JointType::Revolute},
                                                                           {"continuous", JointType::Continuous},
                                                                           {"prismatic", JointType::Prismatic},
                                                                           {"planar", JointType::Planar},
                                                                           {"floating", JointType::Floating}}};
  JointSpec joint;
  joint.name = file_.required(element, "name");
  file_.require_single(element, {"parent", "child", "origin", "axis", "limit", "mimic"});
  if (!joint_names_.insert(joint.name).second) file_.fail(element, "there is already a joint of this name; rename one");
  warn_unknown(element, kKnownInJoint);
  const std::string type = file_.required(element, "type");
  const auto known = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& t) { return type == t.first; });
  if (known == kTypes.end()) {
    file_.fail(element, "unknown joint type " + in_quotes(type) +
                            "; use fixed, revolute, continuous, prismatic, planar or floating");
  }
  joint.type = known->second;
  joint.parent = read_link_name(element, "parent");
  joint.child = read_link_name(element, "child");
  if (joint.parent == joint.child) file_.fail(element, "parent and child are the same link " + in_quotes(joint.child));
  joint.origin = geometry_.read_origin(element);
  read_axis(element, joint);
  read_limits(element, joint);
  read_mimic(element, joint);
  robot_.joints.push_back(std::move(joint));
}

std::string UrdfReader::read_link_name(const XMLElement& joint, const char* role) {
  const XMLElement* element = joint.FirstChildElement(role);
  if (!element) file_.fail(joint, std::string("has no <") + role + " link=\"...\"/>");
  const std::string name = file_.required(*element, "link");
  if (!link_names_.count(name))
    file_.fail(joint, std::string(role) + " " + in_quotes(name) + " is not a link of this robot" +
                          did_you_mean(name, {link_names_.begin(), link_names_.end()}));
  return name;
}

void UrdfReader::read_axis(const XMLElement& element, JointSpec& joint) {
  const XMLElement* axis = element.FirstChildElement("axis");
  if (!axis) return;
  const auto xyz = file_.optional_vector(*axis, "xyz");
  if (!xyz) file_.fail(*axis, "has no 'xyz'; delete the element if the X axis is meant");
  joint.axis = *xyz;
  if (joint.type == JointType::Fixed || joint.type == JointType::Floating) {
    joint.axis = Eigen::Vector3d::UnitX();  // meaningless there, and often written as 0 0 0
  } else if (!(joint.axis.stableNorm() > 1e-9) || joint.axis.cwiseAbs().maxCoeff() > 1e9) {
    file_.fail(element, "the axis '" + file_.required(*axis, "xyz") + "' has no direction");
  }
}

void UrdfReader::read_limits(const XMLElement& element, JointSpec& joint) {
  const bool bounded = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
  const XMLElement* limit = element.FirstChildElement("limit");
  if (!limit) {
    if (bounded) {
      file_.fail(element, "has no <limit>; add <limit lower=... upper=.../>" +
                              std::string(joint.type == JointType::Revolute ? ", or make it continuous" : ""));
    }
    return;
  }
  if (bounded) {
    joint.lower = file_.optional_number(*limit, "lower").value_or(0.0);
    joint.upper = file_.optional_number(*limit, "upper").value_or(0.0);
    if (*joint.lower > *joint.upper) {
      file_.fail(element,
                 "lower limit " + format_number(*joint.lower) + " is above the upper " + format_number(*joint.upper));
    }
    if (*joint.lower == *joint.upper)
      warn(WarningKind::Structure, file_.where(element) + ": the limits leave this joint no room to move");
  }
  const auto velocity = file_.optional_number(*limit, "velocity");
  if (velocity && *velocity > 0.0) joint.max_velocity = *velocity;
  if (velocity && *velocity < 0.0) file_.fail(element, "the velocity limit is negative");
}

void UrdfReader::read_mimic(const XMLElement& element, JointSpec& joint) {
  const XMLElement* mimic = element.FirstChildElement("mimic");
  if (!mimic) return;
  if (joint.type == JointType::Fixed) {
    warn(WarningKind::NotRead, file_.where(element) + ": the joint is fixed, its <mimic> has no effect");
    return;
  }
  MimicSpec spec;
  spec.joint = file_.required(*mimic, "joint");
  spec.multiplier = file_.optional_number(*mimic, "multiplier").value_or(1.0);
  spec.offset = file_.optional_number(*mimic, "offset").value_or(0.0);
  if (spec.joint == joint.name) file_.fail(element, "the joint mimics itself");
  mimics_.emplace_back(&element, spec.joint);
  joint.mimic = std::move(spec);
}

void UrdfReader::check_mimics() {
  for (const auto& [element, master] : mimics_) {
    if (!joint_names_.count(master))
      file_.fail(*element, "mimics " + in_quotes(master) + ", which is not a joint of this robot");
  }
}

// When nothing at all can collide, users will try the visuals next: check now that they can be read.
void UrdfReader::report_bare_links() {
  const bool nothing_collides =
      std::all_of(robot_.links.begin(), robot_.links.end(), [](const LinkSpec& l) { return l.collision.empty(); });
  std::vector<std::string> names;
  for (const auto& [element, name] : only_visual_) {
    if (nothing_collides) geometry_.read_all(*element, "visual");
    names.push_back(name);
  }
  if (nothing_collides)
    warn(WarningKind::NoGeometry, file_.name() + ": no link has collision geometry: nothing of this robot is checked");
  if (!names.empty()) {
    warn(WarningKind::NoGeometry,
         file_.name() + ": links with visual but no collision geometry, not checked (--use-visual takes the visual): " +
             join_names(names, names.size()));
  }
}

/// Only pictures are missing: one line, however many there are.
void UrdfReader::report_visuals() {
  if (visuals_left_out_.empty()) return;
  const std::string& first = visuals_left_out_.front();
  const std::size_t more = visuals_left_out_.size() - 1;
  warn(WarningKind::Visuals, first.substr(0, first.find('\n')) + " (visual left out" +
                                 (more == 0 ? "" : ", and " + std::to_string(more) + " more") + ")");
}

// A URDF describes one tree. Links whose joint was forgotten stand still and are not checked against other still
// bodies.
void UrdfReader::report_roots() {
  std::set<std::string> children;
  for (const JointSpec& joint : robot_.joints) children.insert(joint.child);
  std::vector<std::string> roots;
  for (const LinkSpec& link : robot_.links) {
    if (!children.count(link.name)) roots.push_back(link.name);
  }
  if (roots.size() <= 1) return;
  warn(WarningKind::Structure, file_.name() +
                                   ": more than one link has no parent; all of these stand still at the origin: " +
                                   join_names(roots, roots.size()));
}

}  // namespace

Loaded<RobotSpec> parse_urdf(const std::string& text, const std::string& name, const std::string& base,
                             const UrdfOptions& options) {
  return UrdfReader(text, name, base, options).read();
}

Loaded<RobotSpec> load_urdf(const std::string& path, const UrdfOptions& options) {
  UrdfOptions own = options;
  own.resources = beside_target(options.resources, path);
  return parse_urdf(read_file(path, kMaxDescriptionBytes), path, std::filesystem::path(path).parent_path().string(),
                    own);
}

}  // namespace planner_ccd
