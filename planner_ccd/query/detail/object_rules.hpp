#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// What the rules of a scene (Scene::allow, Scene::margins) say of its objects where they are not those of a base: of every object that
/// a rule of either names. Of all others both say the same. Immutable.
class ObjectRules {
 public:
  /// Null where rules about the robot differ, too, or name what is not there. Throws InputError for margins that cannot be used.
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

/// The robot with what it holds and the rules about that: the scene without objects, and without rules that name one.
Scene without_objects(const RobotModel& robot, const Scene& scene);

}  // namespace planner_ccd
