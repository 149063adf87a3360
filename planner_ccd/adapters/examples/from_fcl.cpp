// Ports a program that checks collisions with FCL: its collision objects become a scene, and one query about the whole
// motion replaces FCL queries at samples of it.
#include <iostream>
#include <planner_ccd/adapters/fcl.hpp>
#include <planner_ccd/query/path_checker.hpp>

namespace {

/// The existing data of the program: obstacles as FCL objects. A thin plate of two triangles, and a ball.
std::vector<fcl::CollisionObjectd> obstacles() {
  auto plate = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  plate->beginModel();
  plate->addSubModel({{0.5, -1, -1}, {0.5, 1, -1}, {0.5, 1, 1}, {0.5, -1, 1}}, {{0, 1, 2}, {0, 2, 3}});
  plate->endModel();
  auto ball = std::make_shared<fcl::Sphered>(0.1);
  fcl::Transform3d beside = fcl::Transform3d::Identity();
  beside.translation() = fcl::Vector3d(0, 2, 0);
  return {fcl::CollisionObjectd(plate), fcl::CollisionObjectd(ball, beside)};
}

/// A box that slides along x, from any FCL geometry.
std::shared_ptr<const planner_ccd::RobotModel> slider(const fcl::CollisionGeometryd& geometry) {
  planner_ccd::RobotSpec spec;
  spec.name = "slider";
  spec.links = {{"rail", {}, {}}, {"box", {planner_ccd::geometry_from_fcl(geometry)}, {}}};
  planner_ccd::JointSpec x;
  x.name = "x";
  x.type = planner_ccd::JointType::Prismatic;
  x.parent = "rail";
  x.child = "box";
  x.lower = -5.0;
  x.upper = 5.0;
  spec.joints = {x};
  return std::make_shared<const planner_ccd::RobotModel>(spec);
}

}  // namespace

int main() {
  using namespace planner_ccd;
  Scene scene;
  for (const fcl::CollisionObjectd& object : obstacles()) {
    scene.objects.push_back(object_from_fcl("object" + std::to_string(scene.objects.size()), object));
  }
  const PathChecker checker(slider(fcl::Boxd(0.2, 0.2, 0.2)), scene, {});
  Workspace workspace(checker);
  const JointVector from = JointVector::Constant(1, 0.0), to = JointVector::Constant(1, 1.0);
  const EdgeResult result = checker.first_contact(from, to, workspace);
  std::cout << to_string(result.verdict);
  if (result.contact) std::cout << " with " << result.contact->b << " at x = " << result.contact->q[0];
  std::cout << '\n';
  return result.verdict == Verdict::Contact && std::abs(result.contact->q[0] - 0.4) < 1e-3 ? 0 : 1;
}
