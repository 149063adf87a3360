#include "planner_ccd/io/detail/xml.hpp"

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

XmlFile::XmlFile(const std::string& text, std::string name) : name_(std::move(name)) {
  if (trim(text).empty()) throw InputError(name_ + ": the file is empty");
  if (text.find('\0') != std::string::npos) throw InputError(name_ + ": this is a binary file, not XML");
  document_.Parse(text.data(), text.size());
  if (document_.Error() || !document_.RootElement()) {
    const int line = document_.ErrorLineNum();
    const char* kind = document_.Error() ? document_.ErrorName() : "no element";
    throw InputError(name_ + (line > 0 ? ":" + std::to_string(line) : "") + ": not well-formed XML (" + kind +
                     "); is this the right file?");
  }
}

std::string XmlFile::where(const tinyxml2::XMLElement& element) const {
  std::string text = name_ + ":" + std::to_string(element.GetLineNum()) + ": <" + element.Name();
  if (const char* name = element.Attribute("name")) text += " name=" + in_quotes(name);
  return text + ">";
}

void XmlFile::fail(const tinyxml2::XMLElement& element, const std::string& message) const {
  throw InputError(where(element) + ": " + message);
}

void XmlFile::require_single(const tinyxml2::XMLElement& parent, std::initializer_list<const char*> kinds) const {
  for (const char* kind : kinds) {
    const tinyxml2::XMLElement* first = parent.FirstChildElement(kind);
    const tinyxml2::XMLElement* second = first ? first->NextSiblingElement(kind) : nullptr;
    if (second) fail(parent, "holds a second <" + std::string(kind) + ">; leave one out");
  }
}

std::string XmlFile::required(const tinyxml2::XMLElement& element, const char* attribute) const {
  const auto value = optional(element, attribute);
  if (!value || value->empty()) fail(element, std::string("the attribute '") + attribute + "' is missing or empty");
  return *value;
}

std::optional<std::string> XmlFile::optional(const tinyxml2::XMLElement& element, const char* attribute) const {
  const char* value = element.Attribute(attribute);
  if (!value) return std::nullopt;
  return std::string(trim(value));
}

double XmlFile::parse(const tinyxml2::XMLElement& element, const char* attribute, const std::string& text) const {
  const auto number = parse_number(text);
  if (!number) {
    fail(element,
         std::string("'") + attribute + "' must be a finite decimal number with a point, not " + in_quotes(text));
  }
  return *number;
}

double XmlFile::required_number(const tinyxml2::XMLElement& element, const char* attribute) const {
  return parse(element, attribute, required(element, attribute));
}

std::optional<double> XmlFile::optional_number(const tinyxml2::XMLElement& element, const char* attribute) const {
  const auto text = optional(element, attribute);
  if (!text) return std::nullopt;
  return parse(element, attribute, *text);
}

std::optional<Eigen::Vector3d> XmlFile::optional_vector(const tinyxml2::XMLElement& element,
                                                        const char* attribute) const {
  const auto text = optional(element, attribute);
  if (!text) return std::nullopt;
  const auto parts = split_blanks(*text);
  if (parts.size() != 3) {
    fail(element,
         std::string("'") + attribute + "' must be three numbers with blanks between them, not " + in_quotes(*text));
  }
  Eigen::Vector3d vector;
  for (int i = 0; i < 3; ++i) vector[i] = parse(element, attribute, std::string(parts[static_cast<std::size_t>(i)]));
  return vector;
}

Eigen::Isometry3d pose_from_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() =
      (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  pose.translation() = xyz;
  return pose;
}

}  // namespace planner_ccd
