#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class ExclusionReason {
  SameBody,     ///< Joined by fixed joints: they never move against each other.
  Adjacent,     ///< Joined by one joint.
  Disabled,     ///< An SRDF `disable_collisions` entry.
  NoGeometry,   ///< At least one of them has nothing to collide with.
  User,         ///< Asked for by the program.
  ProvedApart,  ///< Proved never in contact within the joint limits.
  Allowed,      ///< Scene::allow
  TouchLink,    ///< AttachedObject::touch_links
};

const char* to_string(ExclusionReason reason);

struct Exclusion {
  ExclusionReason reason;
  std::string detail;  ///< For people: the SRDF's own reason, the joint between the links, ...
};

/// Which pairs of a robot's links are left out of checking, and why. The first reason given for a pair stays. It speaks of
/// links alone: pairs with an object of the scene are Scene::allow, AttachedObject::touch_links.
class CollisionMatrix {
 public:
  void exclude(const std::string& a, const std::string& b, ExclusionReason reason, std::string detail = {});
  void include(const std::string& a, const std::string& b);                 ///< Takes an exclusion back.
  const Exclusion* find(const std::string& a, const std::string& b) const;  ///< nullptr: the pair is checked.
  const std::map<std::pair<std::string, std::string>, Exclusion>& exclusions() const { return exclusions_; }

 private:
  std::map<std::pair<std::string, std::string>, Exclusion> exclusions_;  // keys ordered: first < second
};

}  // namespace planner_ccd
#pragma GCC visibility pop
