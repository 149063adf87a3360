#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace planner_ccd {

/// A node of a YAML document, or none (is_defined() is false). Points into a YamlFile.
class YamlNode {
 public:
  enum class Kind { Null, Scalar, Sequence, Map };
  struct Data {
    Kind kind = Kind::Null;
    int line = 0;  ///< From 0.
    std::string scalar;
    std::vector<const Data*> children;  ///< Of a map: key, value, key, value, ...
  };

  YamlNode() = default;
  explicit YamlNode(const Data* data) : data_(data) {}

  bool is_defined() const { return data_ != nullptr; }
  explicit operator bool() const { return is_defined(); }
  bool is_null() const { return is(Kind::Null); }
  bool is_scalar() const { return is(Kind::Scalar); }
  bool is_sequence() const { return is(Kind::Sequence); }
  bool is_map() const { return is(Kind::Map); }
  int line() const { return data_ == nullptr ? -1 : data_->line; }
  /// Requires a scalar.
  const std::string& scalar() const { return data_->scalar; }
  /// Items of a sequence; 0 for any other node.
  std::size_t size() const { return is_sequence() ? data_->children.size() : 0; }
  /// Requires i < size().
  YamlNode operator[](std::size_t i) const { return YamlNode(data_->children[i]); }
  /// The value of a key; undefined if this is not a map or lacks the key.
  YamlNode operator[](std::string_view key) const;
  /// Items of a sequence; empty for any other node.
  std::vector<YamlNode> items() const;
  /// Keys and values of a map; empty for any other node.
  std::vector<std::pair<YamlNode, YamlNode>> entries() const;

 private:
  const Data* data_ = nullptr;

  bool is(Kind kind) const { return data_ != nullptr && data_->kind == kind; }
};

/// A YAML document; every error names the file and the line.
class YamlFile {
 public:
  using ItemReader = std::function<void(const YamlNode& item)>;

  explicit YamlFile(std::string name) : name_(std::move(name)) {}
  YamlFile(const std::string& text, std::string name) : YamlFile(std::move(name)) { load(text); }
  YamlFile(const YamlFile&) = delete;
  YamlFile& operator=(const YamlFile&) = delete;

  /// Throws InputError, with the location, for text that is not YAML, has a duplicate key in a map, or holds more than
  /// one non-empty document. If the root's key `streamed` has a list, its items are given to `read` one by one and not
  /// kept: the list is empty afterwards.
  void load(const std::string& text, std::string_view streamed = {}, const ItemReader& read = {});

  YamlNode root() const { return YamlNode(root_); }
  const std::string& name() const { return name_; }
  std::string where(const YamlNode& node) const;  ///< "scene.yaml:12"
  std::string where(int line) const;              ///< The same for a line number from 0.
  [[noreturn]] void fail(const YamlNode& node, const std::string& message) const;

  /// Throws unless `node` is a map with only keys from `known` and `more`.
  void check_keys(const YamlNode& node, const char* what, std::initializer_list<std::string_view> known,
                  std::initializer_list<std::string_view> more = {}) const;
  /// The value of a mandatory key.
  YamlNode required(const YamlNode& map, const char* key) const;
  std::string text(const YamlNode& node, const char* what) const;
  double number(const YamlNode& node, const char* what) const;
  double positive(const YamlNode& node, const char* what) const;
  Eigen::Vector3d vector3(const YamlNode& node, const char* what) const;
  std::vector<YamlNode> list(const YamlNode& node, const char* what) const;

 private:
  std::string name_;
  std::deque<YamlNode::Data> nodes_;
  const YamlNode::Data* root_ = nullptr;
};

}  // namespace planner_ccd
