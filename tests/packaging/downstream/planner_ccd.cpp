#include <cstdio>
#include <planner_ccd/planner_ccd.hpp>

int main() {
  const std::string urdf =
      "<robot name='arm'>"
      "<link name='base'/>"
      "<link name='tip'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<joint name='j' type='revolute'><parent link='base'/><child link='tip'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint></robot>";
  const planner_ccd::RobotModel model(planner_ccd::parse_urdf(urdf, "arm.urdf", ".").value);
  const auto path = planner_ccd::parse_path("j\n-0.5\n0.5\n", "path.csv", model);
  const auto scene = planner_ccd::parse_scene("objects: [{name: ball, sphere: {radius: 0.2}}]", "scene.yaml", ".");
  if (model.dof() != 1 || path.value.waypoints.size() != 2 || scene.value.objects.size() != 1) return 1;
  std::puts("free to link");
}
