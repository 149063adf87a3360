#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class ExclusionReason {
  SameBody,     ///< Connected by fixed joints: no relative motion.
  Adjacent,     ///< Joined by one joint.
  Disabled,     ///< An SRDF `disable_collisions` entry.
  NoGeometry,   ///< At least one has no collision geometry.
  User,         ///< Excluded by the program.
  ProvedApart,  ///< Proved never in contact within the joint limits.
  Allowed,      ///< Scene::allow
  TouchLink,    ///< AttachedObject::touch_links
};

const char* to_string(ExclusionReason reason);

struct Exclusion {
  ExclusionReason reason;
  std::string detail;  ///< For people: the SRDF's reason, the joint between the links, ...
};

/// Which pairs of a robot's links are not checked, and why. The first reason given for a pair stays. It concerns links
/// alone; for objects of the scene see Scene::allow and AttachedObject::touch_links.
class CollisionMatrix {
 public:
  void exclude(const std::string& a, const std::string& b, ExclusionReason reason, std::string detail = {});
  void include(const std::string& a, const std::string& b);                 ///< Removes an exclusion.
  const Exclusion* find(const std::string& a, const std::string& b) const;  ///< nullptr: the pair is checked.
  const std::map<std::pair<std::string, std::string>, Exclusion>& exclusions() const { return exclusions_; }

 private:
  std::map<std::pair<std::string, std::string>, Exclusion> exclusions_;  // keys ordered: first < second
};

}  // namespace planner_ccd
#pragma GCC visibility pop
