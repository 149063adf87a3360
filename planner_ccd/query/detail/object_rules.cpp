#include "planner_ccd/query/detail/object_rules.hpp"

#include <algorithm>
#include <set>

#include "planner_ccd/scene/pair_margins.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd {
namespace {

/// Whether a name in a rule is that of an object, existing or not.
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

 private:
  const RobotModel& robot_;
  std::set<std::string> held_;
};

std::set<std::string> named_objects(const Objects& objects, const Scene& scene) {
  std::set<std::string> out;
  const auto add = [&](const std::string& name) {
    if (objects.has(name)) out.insert(name);
  };
  for (const AllowedPair& p : scene.allow) {
    add(p.a);
    add(p.b);
  }
  for (const PairMargin& m : scene.margins) {
    add(m.a);
    add(m.b);
  }
  return out;
}

bool is_allowed(const Scene& scene, const std::string& a, const std::string& b) {
  const auto means = [](const std::string& in_rule, const std::string& name) {
    return in_rule == "*" || in_rule == name;
  };
  return std::any_of(scene.allow.begin(), scene.allow.end(), [&](const AllowedPair& p) {
    return (means(p.a, a) && means(p.b, b)) || (means(p.a, b) && means(p.b, a));
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

/// Includes names that only the base's rules mention: an object added with such a name has no rule.
std::shared_ptr<const ObjectRules> ObjectRules::make(const CheckerParts& base, const Scene& scene) {
  const RobotModel& robot = *base.robot;
  if (!same_rules(without_objects(robot, base.scene), without_objects(robot, scene))) return nullptr;
  Scene rules = scene;
  rules.objects = {};
  rules.attached = {};  // as in the base
  validate(rules);
  const Objects objects(robot, scene);
  std::set<std::string> named = named_objects(objects, scene);
  for (const std::string& name : named) {
    if (scene.objects.find(name) == nullptr) return nullptr;
  }
  named.merge(named_objects(objects, base.scene));
  const PairMargins margins(scene, base.world.margins());
  auto out = std::make_shared<ObjectRules>();
  const std::size_t rows = base.rows.size();
  out->greatest_.assign(rows, 0.0);
  for (const std::string& name : named) {
    std::vector<Rule>& of_object = out->objects_[name];
    for (std::size_t row = 0; row < rows; ++row) {
      const Collider& mover =
          base.world.colliders()[static_cast<std::size_t>(base.world.mover_of_row(static_cast<int>(row)))];
      const double margin = margins.of(Margined{mover.name, mover.robot}, Margined{name, -1});
      of_object.push_back({!is_allowed(scene, mover.name, name), margin});
      out->greatest_[row] = std::max(out->greatest_[row], margin);
    }
  }
  return out;
}

const std::vector<ObjectRules::Rule>* ObjectRules::find(const std::string& object) const {
  const auto found = objects_.find(object);
  return found == objects_.end() ? nullptr : &found->second;
}

}  // namespace planner_ccd
