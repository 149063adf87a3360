#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// The rules of a scene (Scene::allow, Scene::margins) about objects, where they differ from those of a base: for every
/// object named by a rule of either. For all other objects both scenes have the same rules. Immutable.
class ObjectRules {
 public:
  /// Null if rules about the robot differ too, or name unknown things. Throws InputError for unusable margins.
  static std::shared_ptr<const ObjectRules> make(const CheckerParts& base, const Scene& scene);

  struct Rule {
    bool checked;
    double margin;  ///< [m]
  };
  /// By row of the base; null for an object that no rule names.
  const std::vector<Rule>* find(const std::string& object) const;
  const std::map<std::string, std::vector<Rule>>& objects() const { return objects_; }
  double greatest_margin(int row) const { return greatest_[static_cast<std::size_t>(row)]; }  ///< [m]

 private:
  std::map<std::string, std::vector<Rule>> objects_;
  std::vector<double> greatest_;
};

/// The scene without objects and without rules that name one: the robot, what it holds, and the rules about these.
Scene without_objects(const RobotModel& robot, const Scene& scene);

}  // namespace planner_ccd
