#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"
#include "support/random_robot.hpp"

namespace planner_ccd::testing {

/// A robot and its scene, ready for a checker.
struct Scenario {
  std::string name;
  RobotSpec spec;  ///< `robot` is built from it; the oracle starts from it.
  std::shared_ptr<const RobotModel> robot;
  Scene scene;
  CollisionMatrix matrix;
  CheckerOptions options;

  void set_robot(RobotSpec of) {
    spec = std::move(of);
    robot = std::make_shared<const RobotModel>(spec);
  }
};

/// urdf/<name>.urdf with its SRDF; `scene_file` (of models/scenes, may be empty).
Scenario own_scenario(const std::string& name, const std::string& robot, const std::string& scene_file);

/// Two of our 7R arms and a Puma round one table, as one robot.
Scenario several_robots();

/// Meshes for tests. Closed unless said otherwise.
Geometry blob_mesh(Draw& draw, double size);                         ///< A dented sphere of 80 triangles.
Geometry plate_mesh(double width, double height, double thickness);  ///< 12 triangles.
Geometry sheet_mesh(double width, double height);                    ///< Two triangles, open.
Geometry needle_mesh(double length, double thickness);               ///< A thin pyramid.
Geometry soup_mesh(Draw& draw, int triangles, double size);          ///< Loose triangles, open.
Geometry primitive(Draw& draw, double size);                         ///< Sphere, box, capsule, cylinder or hull.

/// The geometry of the links and obstacles of a random scenario.
enum class Material { Anything, Meshes, Primitives, Thin };

struct RandomScenario {
  int links = 5;
  int objects = 6;
  double size = 0.12;  ///< [m] About half the size of a link or obstacle.
  Material material = Material::Anything;
  bool all_joint_types = true;  ///< Otherwise revolute, continuous and prismatic.
  bool attached = false;
  double margin = 0.0;
  std::int64_t cell_evaluations = 1000;
};
Scenario random_scenario(Draw& draw, const RandomScenario& what);

/// One of our rigid meshes on a floating joint, moving past another one.
Scenario rigid_bodies(const std::string& moving, const std::string& fixed);
/// Two bodies that both move freely.
Scenario two_rigid_bodies(std::vector<Geometry> first, std::vector<Geometry> second);

/// Draws edges so that about half of them hit something: lengths adapt to earlier results.
class EdgeDraw {
 public:
  EdgeDraw(const RobotModel& robot, double length) : robot_(&robot), length_(length) {}

  Eigen::VectorXd configuration(Draw& draw) const;
  /// The other end of an edge: one or all joints move, within their limits.
  Eigen::VectorXd beyond(Draw& draw, const Eigen::VectorXd& q0) const;
  void learn(Verdict verdict);
  double length() const { return length_; }

 private:
  const RobotModel* robot_;
  double length_;
};

}  // namespace planner_ccd::testing
