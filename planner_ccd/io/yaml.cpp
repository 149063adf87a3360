#include "planner_ccd/io/detail/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// What a YAML::Node passes over in silence: keys that are there twice, of which it hands out the first, and documents after
/// the first. One walk over the text, aliases not followed.
class StructureCheck : public YAML::EventHandler {
 public:
  explicit StructureCheck(const std::string& name) : name_(name) {}

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(name_ + ":" + std::to_string(mark.line + 1) + ": " + message);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // Of some malformed files yaml-cpp makes documents for ever.
    if (begun_ && mark.pos <= start_.pos) fail(mark, "not well-formed YAML: the text ends in the middle of something");
    begun_ = true;
    start_ = mark;
    levels_.clear();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (!levels_.empty()) enter(mark, "~");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { enter(mark, std::nullopt); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    enter(mark, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    enter(mark, std::nullopt);
    levels_.push_back({false, false, {}});
  }
  void OnSequenceEnd() override { levels_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    enter(mark, std::nullopt);
    levels_.push_back({true, true, {}});
  }
  void OnMapEnd() override { levels_.pop_back(); }

 private:
  struct Level {
    bool is_map, at_key;
    std::set<std::string> keys;
  };

  const std::string& name_;
  YAML::Mark start_;
  bool begun_ = false;
  int documents_ = 0;  // that say something: `ros2 topic echo` ends every message with "---"
  std::vector<Level> levels_;

  /// A node begins; `scalar` is its text if it is one.
  void enter(const YAML::Mark& mark, const std::optional<std::string>& scalar) {
    if (levels_.empty()) {
      if (++documents_ > 1) fail(mark, "the file holds several messages or documents; save each in a file of its own");
      return;
    }
    Level& level = levels_.back();
    if (!level.is_map) return;
    if (level.at_key && scalar && !level.keys.insert(*scalar).second) {
      fail(mark, "the key " + in_quotes(*scalar) + " is there twice");
    }
    level.at_key = !level.at_key;
  }
};

}  // namespace

YamlFile::YamlFile(const std::string& text, std::string name) : name_(std::move(name)) {
  if (text.find('\0') != std::string::npos) throw InputError(name_ + ": this is a binary file, not YAML");
  try {
    StructureCheck check(name_);
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(check)) {
    }
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
  for (const auto& entry : node) {
    const std::string key = text(entry.first, "a key");
    if (!known.count(key)) {
      fail(entry.first, "unknown key " + in_quotes(key) + " in " + what +
                            "; known are: " + join_names({known.begin(), known.end()}, known.size()));
    }
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
