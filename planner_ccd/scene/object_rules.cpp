#include "planner_ccd/scene/object_rules.hpp"

#include <algorithm>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/pair_margins.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {
namespace {

/// Whether a name in a rule is meant for an object, existing or not.
class Objects {
 public:
  Objects(const RobotModel& robot, const Scene& scene) : robot_(robot) {
    for (const AttachedObject& held : scene.attached) held_.insert(held.object.name);
  }
  bool has(const std::string& name) const {
    return name != "*" && robot_.find_link(name) < 0 && held_.count(name) == 0;
  }
  template <class Rule>
  bool in(const Rule& rule) const {
    return has(rule.a) || has(rule.b);
  }
  /// Adds the objects that the rules name.
  template <class Rule>
  void add(const std::vector<Rule>& rules, const char* where, const Scene& scene, std::set<std::string>& out) const {
    for (const Rule& rule : rules) {
      for (const std::string& name : {rule.a, rule.b}) {
        if (!has(name)) continue;
        if (scene.objects.find(name) == nullptr) {
          throw InputError(std::string(where) + ": '" + name + "' is neither a link nor an object of the scene");
        }
        out.insert(name);
      }
    }
  }

 private:
  const RobotModel& robot_;
  std::set<std::string> held_;
};

/// Whether the scene allows contact of `mover` and an object; of a name that no rule has when `object` is "*".
bool is_allowed(const Scene& scene, const std::string& mover, const std::string& object) {
  const auto means = [](const std::string& in_rule, const std::string& name) {
    return in_rule == "*" || in_rule == name;
  };
  return std::any_of(scene.allow.begin(), scene.allow.end(), [&](const AllowedPair& p) {
    return (means(p.a, mover) && means(p.b, object)) || (means(p.a, object) && means(p.b, mover));
  });
}

}  // namespace

Scene without_objects(const RobotModel& robot, const Scene& scene) {
  const Objects objects(robot, scene);
  Scene out = scene;
  out.objects = {};
  std::erase_if(out.allow, [&](const AllowedPair& p) { return objects.in(p); });
  std::erase_if(out.margins, [&](const PairMargin& m) { return objects.in(m); });
  return out;
}

ObjectRules::ObjectRules(const CollisionWorld& robot, const RobotModel& model, const Scene& scene) {
  const Objects objects(model, scene);
  objects.add(scene.allow, "allow", scene, names_);
  objects.add(scene.margins, "margins", scene, names_);
  const PairMargins margins(scene, robot.margins());
  const std::vector<RestingRow>& rows = robot.problem().pairs.rows();
  const auto rule = [&](std::size_t row, bool allowed, double required) {
    const double kept = kept_margin(required, rows[row].displaced, 0.0);
    greatest_[row] = std::max(greatest_[row], allowed ? -1.0 : kept);
    return Rule{!allowed, required, kept, float_up(kept)};
  };
  greatest_.assign(rows.size(), -1.0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string& mover =
        robot.colliders()[static_cast<std::size_t>(robot.mover_of_row(static_cast<int>(row)))].name;
    unnamed_.push_back(rule(row, is_allowed(scene, mover, "*"), rows[row].margin));
  }
  for (const std::string& name : names_) {
    std::vector<Rule>& of_object = named_[*scene.objects.key_of(name)];
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Collider& mover = robot.colliders()[static_cast<std::size_t>(robot.mover_of_row(static_cast<int>(row)))];
      const double margin = margins.of(Margined{mover.name, mover.robot}, Margined{name, -1});
      of_object.push_back(rule(row, is_allowed(scene, mover.name, name), margin));
    }
  }
}

}  // namespace planner_ccd
