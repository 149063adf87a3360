#include "planner_ccd/io/detail/yaml.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/detail/yaml_events.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Makes the nodes of a document. Items of a streamed list are freed after reading; in a document with anchors all
/// nodes are kept, since aliases may refer to them later.
class NodeBuilder final : public YamlEvents {
 public:
  NodeBuilder(const YamlFile& file, std::deque<YamlNode::Data>& nodes, std::string_view streamed,
              const YamlFile::ItemReader& read)
      : file_(file), nodes_(nodes), streamed_(streamed), read_(read) {}

  const YamlNode::Data* root() const { return root_; }

  void scalar(int line, std::string_view text, std::size_t anchor) override {
    YamlNode::Data& node = add(YamlNode::Kind::Scalar, line, anchor);
    node.scalar = text;
    complete(node);
  }
  void null(int line, std::size_t anchor) override { complete(add(YamlNode::Kind::Null, line, anchor)); }
  void alias(int line, std::size_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) file_.fail(YamlNode(&add(YamlNode::Kind::Null, line, 0)), "an alias of itself");
    complete(*found->second);
  }
  void begin_sequence(int line, std::size_t anchor) override { open(YamlNode::Kind::Sequence, line, anchor); }
  void begin_map(int line, std::size_t anchor) override { open(YamlNode::Kind::Map, line, anchor); }
  void end() override {
    YamlNode::Data* node = levels_.back().node;
    if (node->kind == YamlNode::Kind::Map) require_distinct_keys(*node);
    levels_.pop_back();
    const auto anchor = waiting_.find(node);
    if (anchor != waiting_.end()) anchored_[anchor->second] = node;
    complete(*node);
  }

 private:
  struct Level {
    YamlNode::Data* node;
    std::size_t begin;  ///< Number of nodes before the current item.
  };
  const YamlFile& file_;
  std::deque<YamlNode::Data>& nodes_;
  std::string_view streamed_;
  const YamlFile::ItemReader& read_;
  const YamlNode::Data* root_ = nullptr;
  std::vector<Level> levels_;
  std::unordered_map<std::size_t, const YamlNode::Data*> anchored_;
  std::unordered_map<const YamlNode::Data*, std::size_t> waiting_;  ///< Anchors of open nodes.
  bool keeps_all_ = false;

  YamlNode::Data& add(YamlNode::Kind kind, int line, std::size_t anchor) {
    YamlNode::Data& node = nodes_.emplace_back();
    node.kind = kind;
    node.line = line;
    if (anchor == 0) return node;
    keeps_all_ = true;
    const bool is_open = kind == YamlNode::Kind::Sequence || kind == YamlNode::Kind::Map;
    is_open ? void(waiting_[&node] = anchor) : void(anchored_[anchor] = &node);
    return node;
  }

  void open(YamlNode::Kind kind, int line, std::size_t anchor) {
    YamlNode::Data& node = add(kind, line, anchor);
    levels_.push_back({&node, nodes_.size()});
  }

  /// True in the list that is the value of the root's key `streamed`.
  bool in_streamed() const {
    if (streamed_.empty() || levels_.size() != 2) return false;
    const YamlNode::Data& root = *levels_[0].node;
    return root.kind == YamlNode::Kind::Map && levels_[1].node->kind == YamlNode::Kind::Sequence &&
           root.children.size() % 2 == 1 && root.children.back()->scalar == streamed_;
  }

  /// Called when a node has all its content.
  void complete(const YamlNode::Data& node) {
    if (levels_.empty()) {
      root_ = &node;
      return;
    }
    if (!in_streamed()) {
      levels_.back().node->children.push_back(&node);
      return;
    }
    read_(YamlNode(&node));
    if (keeps_all_) return;
    while (nodes_.size() > levels_.back().begin) nodes_.pop_back();
  }

  void require_distinct_keys(const YamlNode::Data& map) const {
    constexpr std::size_t kFew = 32;
    std::set<std::string_view> known;
    for (std::size_t i = 0; i < map.children.size(); i += 2) {
      const YamlNode::Data& key = *map.children[i];
      if (key.kind != YamlNode::Kind::Scalar) continue;
      bool twice = false;
      if (map.children.size() > kFew) {
        twice = !known.insert(key.scalar).second;
      } else {
        for (std::size_t k = 0; k < i && !twice; k += 2) {
          twice = map.children[k]->kind == YamlNode::Kind::Scalar && map.children[k]->scalar == key.scalar;
        }
      }
      if (twice) file_.fail(YamlNode(&key), "the key " + in_quotes(key.scalar) + " is there twice");
    }
  }
};

}  // namespace

YamlNode YamlNode::operator[](std::string_view key) const {
  if (!is_map()) return {};
  for (std::size_t i = 0; i < data_->children.size(); i += 2) {
    const Data& name = *data_->children[i];
    if (name.kind == Kind::Scalar && name.scalar == key) return YamlNode(data_->children[i + 1]);
  }
  return {};
}

std::vector<YamlNode> YamlNode::items() const {
  std::vector<YamlNode> out;
  for (std::size_t i = 0; i < size(); ++i) out.push_back((*this)[i]);
  return out;
}

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::entries() const {
  std::vector<std::pair<YamlNode, YamlNode>> out;
  if (!is_map()) return out;
  for (std::size_t i = 0; i < data_->children.size(); i += 2) {
    out.emplace_back(YamlNode(data_->children[i]), YamlNode(data_->children[i + 1]));
  }
  return out;
}

void YamlFile::load(const std::string& text, std::string_view streamed, const ItemReader& read) {
  if (text.find('\0') != std::string::npos) throw InputError(name_ + ": this is a binary file, not YAML");
  NodeBuilder builder(*this, nodes_, streamed, read);
  if (!walk_plain_yaml(text, builder)) walk_yaml(text, name_, builder);
  root_ = builder.root();
}

std::string YamlFile::where(const YamlNode& node) const { return where(node.line()); }

std::string YamlFile::where(int line) const { return line < 0 ? name_ : name_ + ":" + std::to_string(line + 1); }

void YamlFile::fail(const YamlNode& node, const std::string& message) const {
  throw InputError(where(node) + ": " + message);
}

void YamlFile::check_keys(const YamlNode& node, const char* what, std::initializer_list<std::string_view> known,
                          std::initializer_list<std::string_view> more) const {
  if (!node.is_map()) fail(node, std::string(what) + " must be a map of keys and values");
  for (const auto& [key_node, value] : node.entries()) {
    const std::string key = text(key_node, "a key");
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    if (std::find(more.begin(), more.end(), key) != more.end()) continue;
    std::set<std::string> all(known.begin(), known.end());
    all.insert(more.begin(), more.end());
    fail(key_node, "unknown key " + in_quotes(key) + " in " + what + did_you_mean(key, {all.begin(), all.end()}) +
                       "; known are: " + join_names({all.begin(), all.end()}, all.size()));
  }
}

YamlNode YamlFile::required(const YamlNode& map, const char* key) const {
  const YamlNode value = map[key];
  if (!value) fail(map, std::string("the key '") + key + "' is missing");
  return value;
}

std::string YamlFile::text(const YamlNode& node, const char* what) const {
  if (!node.is_scalar() || node.scalar().empty()) fail(node, std::string(what) + " must be a word");
  return node.scalar();
}

double YamlFile::number(const YamlNode& node, const char* what) const {
  const auto value = node.is_scalar() ? parse_number(node.scalar()) : std::nullopt;
  if (!value) {
    fail(node, std::string(what) + " must be a finite number without a unit (metres, radians)" +
                   (node.is_scalar() ? ", not " + in_quotes(node.scalar()) : ""));
  }
  return *value;
}

double YamlFile::positive(const YamlNode& node, const char* what) const {
  const double value = number(node, what);
  if (!(value > 0.0) || value > kMaxCoordinate) fail(node, std::string(what) + " must be positive and below 1e7 m");
  return value;
}

Eigen::Vector3d YamlFile::vector3(const YamlNode& node, const char* what) const {
  if (!node.is_sequence() || node.size() != 3) fail(node, std::string(what) + " must be a list of three numbers");
  return {number(node[0], what), number(node[1], what), number(node[2], what)};
}

std::vector<YamlNode> YamlFile::list(const YamlNode& node, const char* what) const {
  if (!node.is_sequence()) fail(node, std::string(what) + " must be a list");
  return node.items();
}

}  // namespace planner_ccd
