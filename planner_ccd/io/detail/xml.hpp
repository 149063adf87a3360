#pragma once

#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <initializer_list>
#include <optional>
#include <string>

namespace planner_ccd {

/// An XML document; every error names the file, the line and the element.
class XmlFile {
 public:
  /// Throws InputError, with the location, for text that is not XML.
  XmlFile(const std::string& text, std::string name);

  const tinyxml2::XMLElement& root() const { return *document_.RootElement(); }
  const std::string& name() const { return name_; }

  /// "robot.urdf:12: <joint name="j1">"
  std::string where(const tinyxml2::XMLElement& element) const;
  [[noreturn]] void fail(const tinyxml2::XMLElement& element, const std::string& message) const;

  /// Throws when `parent` has two children of one of these kinds, since FirstChildElement would silently use the first.
  void require_single(const tinyxml2::XMLElement& parent, std::initializer_list<const char*> kinds) const;

  /// A mandatory attribute, without surrounding blanks.
  std::string required(const tinyxml2::XMLElement& element, const char* attribute) const;
  std::optional<std::string> optional(const tinyxml2::XMLElement& element, const char* attribute) const;
  double required_number(const tinyxml2::XMLElement& element, const char* attribute) const;
  std::optional<double> optional_number(const tinyxml2::XMLElement& element, const char* attribute) const;
  std::optional<Eigen::Vector3d> optional_vector(const tinyxml2::XMLElement& element, const char* attribute) const;
  double parse(const tinyxml2::XMLElement& element, const char* attribute, const std::string& text) const;

 private:
  tinyxml2::XMLDocument document_;
  std::string name_;
};

/// X_ParentChild of an `<origin xyz rpy>`: fixed-axis roll, pitch, yaw.
Eigen::Isometry3d pose_from_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy);

}  // namespace planner_ccd
