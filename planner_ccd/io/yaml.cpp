#include "planner_ccd/io/detail/yaml.hpp"

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

YamlFile::YamlFile(const std::string& text, std::string name) : name_(std::move(name)) {
  if (text.find('\0') != std::string::npos) throw InputError(name_ + ": this is a binary file, not YAML");
  try {
    root_ = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw InputError(name_ + ":" + std::to_string(error.mark.line + 1) + ": not well-formed YAML: " + error.msg);
  }
}

std::string YamlFile::where(const YAML::Node& node) const {
  const int line = node.Mark().line;
  return line < 0 ? name_ : name_ + ":" + std::to_string(line + 1);
}

void YamlFile::fail(const YAML::Node& node, const std::string& message) const {
  throw InputError(where(node) + ": " + message);
}

void YamlFile::check_keys(const YAML::Node& node, const char* what, const std::set<std::string>& known) const {
  if (!node.IsMap()) fail(node, std::string(what) + " must be a map of keys and values");
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const std::string key = text(entry.first, "a key");
    if (!known.count(key)) {
      fail(entry.first, "unknown key " + in_quotes(key) + " in " + what +
                            "; known are: " + join_names({known.begin(), known.end()}, known.size()));
    }
    if (!seen.insert(key).second) fail(entry.first, "the key " + in_quotes(key) + " is there twice");
  }
}

YAML::Node YamlFile::required(const YAML::Node& map, const char* key) const {
  const YAML::Node value = map[key];
  if (!value) fail(map, std::string("the key '") + key + "' is missing");
  return value;
}

std::string YamlFile::text(const YAML::Node& node, const char* what) const {
  if (!node.IsScalar() || node.Scalar().empty()) fail(node, std::string(what) + " must be a word");
  return node.Scalar();
}

double YamlFile::number(const YAML::Node& node, const char* what) const {
  const auto value = node.IsScalar() ? parse_number(node.Scalar()) : std::nullopt;
  if (!value) {
    fail(node, std::string(what) + " must be a finite number without a unit (metres, radians)" +
                   (node.IsScalar() ? ", not " + in_quotes(node.Scalar()) : ""));
  }
  return *value;
}

double YamlFile::positive(const YAML::Node& node, const char* what) const {
  const double value = number(node, what);
  if (!(value > 0.0) || value > kMaxCoordinate) fail(node, std::string(what) + " must be positive and below 1e7 m");
  return value;
}

Eigen::Vector3d YamlFile::vector3(const YAML::Node& node, const char* what) const {
  if (!node.IsSequence() || node.size() != 3) fail(node, std::string(what) + " must be a list of three numbers");
  return {number(node[0], what), number(node[1], what), number(node[2], what)};
}

std::vector<YAML::Node> YamlFile::list(const YAML::Node& node, const char* what) const {
  if (!node.IsSequence()) fail(node, std::string(what) + " must be a list");
  return {node.begin(), node.end()};
}

}  // namespace planner_ccd
