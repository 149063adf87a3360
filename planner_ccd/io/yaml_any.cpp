#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "planner_ccd/io/detail/yaml_events.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Passes on the events of the one non-empty document.
class OneDocument final : public YAML::EventHandler {
 public:
  OneDocument(const std::string& name, YamlEvents& events) : name_(name), events_(events) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    // For some malformed files yaml-cpp produces documents endlessly.
    if (begun_ && mark.pos <= start_.pos) fail(mark, "not well-formed YAML: the text ends in the middle of something");
    begun_ = true;
    start_ = mark;
    depth_ = 0;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (depth_ > 0) events_.null(mark.line, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    enter(mark);
    events_.alias(mark.line, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    enter(mark);
    events_.scalar(mark.line, value, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    enter(mark);
    events_.begin_sequence(mark.line, anchor);
    ++depth_;
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    enter(mark);
    events_.begin_map(mark.line, anchor);
    ++depth_;
  }
  void OnSequenceEnd() override { leave(); }
  void OnMapEnd() override { leave(); }

 private:
  const std::string& name_;
  YamlEvents& events_;
  YAML::Mark start_;
  bool begun_ = false;
  int documents_ = 0;  // non-empty ones: `ros2 topic echo` ends every message with "---"
  int depth_ = 0;

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(name_ + ":" + std::to_string(mark.line + 1) + ": " + message);
  }
  void enter(const YAML::Mark& mark) {
    if (depth_ > 0) return;
    if (++documents_ > 1) fail(mark, "the file holds several messages or documents; save each in a file of its own");
  }
  void leave() {
    --depth_;
    events_.end();
  }
};

}  // namespace

void walk_yaml(const std::string& text, const std::string& name, YamlEvents& events) {
  try {
    OneDocument document(name, events);
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(document)) {
    }
  } catch (const YAML::Exception& error) {
    throw InputError(name + ":" + std::to_string(error.mark.line + 1) + ": not well-formed YAML: " + error.msg);
  }
}

}  // namespace planner_ccd
