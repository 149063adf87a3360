#pragma once

#include <yaml-cpp/yaml.h>

#include <Eigen/Core>
#include <set>
#include <string>
#include <vector>

namespace planner_ccd {

/// A YAML document whose every complaint names the file and the line.
class YamlFile {
 public:
  /// Throws InputError, saying where, for text that is not YAML, has a key twice in one map, or holds more than one document
  /// that says something.
  YamlFile(const std::string& text, std::string name);

  const YAML::Node& root() const { return root_; }
  const std::string& name() const { return name_; }
  std::string where(const YAML::Node& node) const;  ///< "scene.yaml:12"
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

  /// Throws unless `node` is a map whose keys are words from `known`.
  void check_keys(const YAML::Node& node, const char* what, const std::set<std::string>& known) const;
  /// The value of a key that must be there.
  YAML::Node required(const YAML::Node& map, const char* key) const;
  std::string text(const YAML::Node& node, const char* what) const;
  double number(const YAML::Node& node, const char* what) const;
  double positive(const YAML::Node& node, const char* what) const;
  Eigen::Vector3d vector3(const YAML::Node& node, const char* what) const;
  std::vector<YAML::Node> list(const YAML::Node& node, const char* what) const;

 private:
  YAML::Node root_;
  std::string name_;
};

}  // namespace planner_ccd
