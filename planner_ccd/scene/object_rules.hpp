#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner_ccd/scene/collision_world.hpp"
#include "planner_ccd/scene/obstacle.hpp"

namespace planner_ccd {

/// Which colliders that move are checked against which objects of a scene (Scene::allow), and with what margin. Colliders are given by their
/// rows in SearchPairs. Immutable.
class ObjectRules {
 public:
  /// `robot`: the robot and what it holds in this scene, built without objects. Throws InputError for rules that name what does not exist.
  ObjectRules(const CollisionWorld& robot, const RobotModel& model, const Scene& scene);

  struct Rule {
    bool checked;
    double required;  ///< [m] Margin.
    double
        kept;  ///< [m] The same and what errors of the collider's pose may take from it, but not what those of the object's may.
    float margin;  ///< [m] `kept`, rounded up.
  };
  const Rule& of(const Obstacle& object, int row) const {
    return (named_.empty() ? unnamed_ : rules_of(object))[static_cast<std::size_t>(row)];
  }
  /// [m] To be kept, with what errors of both poses may take.
  static double margin(const Rule& rule, const Obstacle& object) {
    return object.displaced() > 0.0 ? kept_margin(rule.kept, object.displaced(), 0.0) : rule.kept;
  }
  /// [m] The greatest Rule::kept of a row; negative if nothing is checked.
  double greatest(int row) const { return greatest_[static_cast<std::size_t>(row)]; }
  /// Whether a rule names the object.
  bool name(const std::string& object) const { return names_.count(object) > 0; }

 private:
  std::vector<Rule> unnamed_;                                   ///< By row: for objects that no rule names.
  std::unordered_map<std::uint64_t, std::vector<Rule>> named_;  ///< By key in SceneObjects.
  std::set<std::string> names_;
  std::vector<double> greatest_;

  const std::vector<Rule>& rules_of(const Obstacle& object) const {
    const auto found = named_.find(object.key());
    return found == named_.end() ? unnamed_ : found->second;
  }
};

/// The scene without objects and without rules that name one: the robot, what it holds, and the rules about these.
Scene without_objects(const RobotModel& robot, const Scene& scene);

}  // namespace planner_ccd
