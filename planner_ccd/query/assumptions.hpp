#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

class PathChecker;

enum class AssumptionKind : std::uint8_t {
  NothingChecked,  ///< There is no pair to check: every motion is free.
  NoGeometry,      ///< Links without collision geometry.
  NoInside,        ///< Bodies with surfaces that are not closed: what lies wholly behind one is not seen.
  Excluded,        ///< Pairs that are not checked; `by` is the reason.
  AllowedForAll,   ///< An `allow` of the scene with a "*".
  SmallerMargin,   ///< Pairs to which the scene gives a smaller margin than is asked of the others.
  StandStill,      ///< What never moves, and so is not checked against obstacles.
  Held,            ///< Joints that the motion does not mention, taken to stand still.
  UnknownStart,    ///< Of a trajectory: the way to a first point after 0 s; objects it says are held.
  LimitsIgnored,   ///< Joint, velocity and acceleration limits are not looked at.
  MeshAxes,        ///< DAE files that name another vertical than Z, or none.
  MeshUnit,        ///< DAE files without a unit.
  CloudRadius,     ///< Points of a cloud are balls of a radius that somebody chose.
  UnknownIsFree,   ///< Of an octomap: where nobody has looked is no obstacle.
};
/// "no_geometry", "excluded", ...: the words of the JSON reports.
const char* to_string(AssumptionKind kind);

/// Something a verdict relies on that is not checked: it makes the check weaker than it looks.
struct Assumption {
  AssumptionKind kind;
  std::string by = {};                  ///< Its origin: "adjacent", "disabled", ...; may be empty.
  std::string text;                     ///< One line for people, without the names.
  std::vector<std::string> names = {};  ///< Links, objects, joints or files.
  std::vector<std::pair<std::string, std::string>> pairs = {};  ///< Of links and objects.
};

/// All that the answers of a checker rely on: what robot, rules and scene leave out. `loaded` is what the loaders know of
/// robot, scene and motion (Loaded::assumptions); it comes last, one entry of a kind and text.
std::vector<Assumption> assumptions(const PathChecker& checker, const std::vector<Assumption>& loaded = {});

/// For a cloud, and for an octomap of which nothing unknown is an obstacle, or only what lies in a region (`outside`): of the object,
/// or of its file.
Assumption cloud_radius(double radius, const std::string& name);
Assumption unknown_is_free(const std::string& name, bool outside = false);
/// For TrajectoryOptions::check_limits = false.
Assumption limits_ignored();

/// Text and names for people; of the names, or pairs, at most so many.
std::string to_line(const Assumption& assumption, std::size_t most);

/// Joins entries of one kind and text: the names and pairs of all.
void merge(std::vector<Assumption>& all, const std::vector<Assumption>& more);

}  // namespace planner_ccd
#pragma GCC visibility pop
