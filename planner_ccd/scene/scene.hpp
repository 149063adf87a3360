#pragma once

#include <string>
#include <vector>

#include "planner_ccd/math/types.hpp"
#include "planner_ccd/scene/scene_objects.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// An object held by a link. It moves with the link and may touch it, and the links named in `touch_links`.
struct AttachedObject {
  SceneObject object;  ///< Its `pose` is X_LinkObject, its `pose_error` that of its grasp.
  std::string link;
  std::vector<std::string> touch_links;
};

struct AllowedPair {
  std::string a, b;  ///< Links or objects; "*" stands for all.
};

struct PairMargin {
  std::string a, b;  ///< Links or objects; "*" stands for everything that is not of the same robot.
  double margin;     ///< [m] >= 0. Of several entries for one pair the last counts, exact names before "*".
};

/// Padding of a link, or an attached object, against everything that is not of its own robot.
struct Padding {
  std::string name;
  double padding;  ///< [m] >= 0. Added to the pair's margin.
};

/// Everything around the robot. A plain value: change it, then call PathChecker::with_scene(). The names of objects
/// must be unique and differ from those of all links, with geometry or without. Copies share their objects.
struct Scene {
  SceneObjects objects;
  std::vector<AttachedObject> attached;
  std::vector<AllowedPair> allow;
  std::vector<PairMargin> margins;
  std::vector<Padding> padding;  ///< At most one per name.

  /// Moves an object from the world to a link, with pose `X_LinkObject`. Throws InputError for an unknown name.
  void attach(const std::string& object, const std::string& link, const Pose& X_LinkObject,
              std::vector<std::string> touch_links);
  /// Puts an attached object back into the world. Throws InputError for an unknown name.
  void detach(const std::string& object, const Pose& X_WorldObject);
};

/// Throws InputError for duplicate names, bad geometry, bad poses, margins or padding.
void validate(const Scene& scene);
/// The same, but for what is wrong with the objects themselves.
void validate_rules(const Scene& scene);
/// The scene as it is checked: validated, with every pose made rigid (geometry/shape.hpp).
Scene made_rigid(Scene scene);
/// Throws InputError for an unusable object.
void validate(const SceneObject& object);
/// [m] Bounds how far the object's points may be off their places for its pose's error. Rounded up.
double displacement(const SceneObject& object);

}  // namespace planner_ccd
#pragma GCC visibility pop
