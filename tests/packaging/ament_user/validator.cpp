#include <planner_ccd/planner_ccd.hpp>

bool is_free(const char* urdf, const char* srdf, const char* scene, const char* path) {
  using namespace planner_ccd;
  const auto robot = std::make_shared<const RobotModel>(load_urdf(urdf).value);
  const auto pairs = build_collision_matrix(*robot, load_srdf(srdf, *robot).value);
  const PathChecker checker(robot, load_scene(scene).value, pairs);
  Workspace workspace(checker);
  return check_path(checker, load_path(path, *robot).value, workspace).verdict == Verdict::Free;
}
