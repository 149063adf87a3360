#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

class CellMap;
class PathChecker;

enum class AssumptionKind : std::uint8_t {
  NothingChecked,  ///< There is no pair to check: every motion is free.
  NoGeometry,      ///< Links without collision geometry.
  NoInside,        ///< Bodies with open surfaces: whatever lies wholly behind one is not detected.
  Excluded,        ///< Pairs that are not checked; `by` is the reason.
  AllowedForAll,   ///< An `allow` of the scene with a "*".
  SmallerMargin,   ///< Pairs whose margin in the scene is smaller than the one requested for the others.
  StandStill,      ///< What never moves and so is not checked against obstacles.
  Held,            ///< Joints that the motion does not mention, assumed to stand still.
  UnknownStart,    ///< Trajectories: the way to a first point after 0 s; objects the robot is said to hold.
  LimitsIgnored,   ///< Joint, velocity and acceleration limits are not checked.
  MeshAxes,        ///< Mesh files whose vertical is not Z, or is not known.
  MeshUnit,        ///< Mesh files without a unit, or with one that is applied and RViz ignores.
  MeshReader,      ///< Mesh files read through Assimp.
  CloudRadius,     ///< Points of a cloud are balls of a chosen radius.
  UnknownIsFree,   ///< Octomaps and height fields: unknown space is not an obstacle.
  HeightField,     ///< Heights are solid columns with an end below and, where one is missing, a chosen end above.
  PointsDropped,   ///< Points of a cloud that were taken out because they were near the robot.
  PoseStep,        ///< Timelines: an event's pose moves an object a little, at once.
};
inline constexpr AssumptionKind kLastAssumptionKind = AssumptionKind::PoseStep;
/// "no_geometry", "excluded", ...: the words of the JSON reports.
const char* to_string(AssumptionKind kind);

/// Something that a verdict relies on and that is not checked, so that the check is weaker than it looks.
struct Assumption {
  AssumptionKind kind;
  std::string by = {};                  ///< Its origin: "adjacent", "disabled", ...; may be empty.
  std::string text;                     ///< One line for people, without the names.
  std::vector<std::string> names = {};  ///< Links, objects, joints or files.
  std::vector<std::pair<std::string, std::string>> pairs = {};  ///< Of links and objects.
};

/// Everything that the answers of a checker rely on: what robot, rules and scene leave out. `loaded` is what the
/// loaders assumed about robot, scene and motion (Loaded::assumptions); it comes last, merged by kind and text.
std::vector<Assumption> assumptions(const PathChecker& checker, const std::vector<Assumption>& loaded = {});

/// `name`: the object or its file. unknown_is_free is for an octomap whose unknown space is no obstacle, or (`outside`)
/// none outside its region.
Assumption cloud_radius(double radius, const std::string& name);
Assumption unknown_is_free(const std::string& name, bool outside = false);
/// What `map`, of a height field, stands for, and whether columns were left out.
std::vector<Assumption> height_field_means(const CellMap& map, const std::string& name);
/// For TrajectoryOptions::check_limits = false.
Assumption limits_ignored();

/// Text and names for people, at most `most` names or pairs.
std::string to_line(const Assumption& assumption, std::size_t most);

/// Merges entries of the same kind and text into one, with the names and pairs of all.
void merge(std::vector<Assumption>& all, const std::vector<Assumption>& more);

}  // namespace planner_ccd
#pragma GCC visibility pop
