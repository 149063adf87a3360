// Typical use of the library by a planner's author, with every result printed to the last bit: the output must depend
// only on the library, not on the options this file is compiled with. Argument: the project's root.
#include <cstdio>
#include <planner_ccd/papers/by_name.hpp>
#include <planner_ccd/planner_ccd.hpp>
#include <planner_ccd/version.hpp>

double rivals(double seed);  // rivals.cpp

namespace {

using namespace planner_ccd;

void print(const char* what, double x) { std::printf(" %s %a", what, x); }

template <class Vector>
void print(const char* what, const Vector& v) {
  for (Eigen::Index i = 0; i < v.size(); ++i) print(i == 0 ? what : "", v[i]);
}

void print(const EdgeResult& edge) {
  std::printf("%s", to_string(edge.verdict));
  print("t_free", edge.t_free);
  std::printf(" counters %lld %lld %lld %lld %lld", static_cast<long long>(edge.counters.node_evaluations),
              static_cast<long long>(edge.counters.primitive_evaluations),
              static_cast<long long>(edge.counters.exact_leaves),
              static_cast<long long>(edge.counters.self_evaluations), static_cast<long long>(edge.counters.kinematics));
  if (const auto contact = edge.contact) {  // a copy, to be destroyed here
    std::printf(" %s %d %d %s %d %d", contact->a.c_str(), contact->geometry_a, contact->triangle_a, contact->b.c_str(),
                contact->geometry_b, contact->triangle_b);
    print("t", contact->t);
    print("distance", contact->distance);
    print("a", contact->point_a);
    print("b", contact->point_b);
    print("normal", contact->normal);
    print("q", contact->q);
  }
  std::puts("");
}

struct World {
  std::shared_ptr<const RobotModel> robot;
  CollisionMatrix pairs;
  Scene scene;
  JointPath path;
};

World load(const std::string& root, const char* robot, const char* scene, const char* path) {
  World w;
  w.robot = std::make_shared<const RobotModel>(load_urdf(root + "/urdf/" + robot + ".urdf").value);
  w.pairs = build_collision_matrix(*w.robot, load_srdf(root + "/urdf/" + robot + ".srdf", *w.robot).value);
  w.scene = load_scene(root + "/models/scenes/" + scene).value;
  w.path = load_path(root + "/models/paths/" + path, *w.robot).value;
  return w;
}

void edges(const World& w, const PathChecker& checker, const EdgeOptions& options = {}) {
  Workspace workspace(checker);
  for (std::size_t i = 1; i < w.path.waypoints.size(); ++i) {
    // One end from the library, one converted by Eigen here.
    const Eigen::VectorXd to = w.path.waypoints[i];
    print(checker.first_contact(w.path.waypoints[i - 1], to, workspace, options));
    print(checker.any_contact(w.path.waypoints[i - 1], to, workspace, options));
    std::printf("%d %d\n", checker.is_free(w.path.waypoints[i - 1], to, workspace, options),
                checker.in_contact(0.5 * (w.path.waypoints[i - 1] + to), workspace, options));
    const NearestPair near = checker.clearance(to, workspace);
    std::printf("%s %s", near.a.c_str(), near.b.c_str());
    print("lower", near.lower);
    print("upper", near.upper);
    print("a", near.point_a);
    std::puts("");
  }
}

void strategies(const World& w) {
  const PathChecker checker(w.robot, w.scene, w.pairs);
  for (const std::string& name : search_method_names()) {
    std::printf("method %s\n", name.c_str());
    edges(w, checker, {.method = search_method_named(name)});
  }
  for (const std::string& name : leaf_kernel_names()) {
    std::printf("leaf %s\n", name.c_str());
    edges(w, checker, {.leaf = leaf_kernel_named(name)});
  }
  for (const std::string& name : box_index_names()) {
    std::printf("broad phase %s\n", name.c_str());
    edges(w, PathChecker(w.robot, w.scene, w.pairs, {.broad_phase = box_index_named(name)}));
  }
}

void trajectories(const World& w, const PathChecker& checker) {
  Workspace workspace(checker);
  std::vector<TrajectoryPoint> points;
  for (const JointVector& q : w.path.waypoints) {
    points.push_back({1.5 * static_cast<double>(points.size()), q, Eigen::VectorXd::Zero(q.size()), {}});
  }
  TrajectoryOptions options;
  options.all_contacts = true;
  options.clearance_accuracy = 1e-3;
  options.profile_step = 1.0;
  const Trajectory trajectory = stretched(make_trajectory(*w.robot, points), 1.25);
  const TrajectoryResult report = check_trajectory(checker, trajectory, workspace, options);
  print(report.edge);
  for (const Finding& f : report.findings) {
    std::printf("%s", f.message.c_str());
    print("begin", f.begin.from);
    print("", f.begin.to);
    print("end", f.end.from);
    print("", f.end.to);
    print("value", f.value);
    if (f.contact) print("q", f.contact->q);
    if (f.depth) print("depth", f.depth->depth);
    std::puts("");
  }
  for (const PairClearance& c : report.clearance) {
    std::printf("%s %s", c.a.c_str(), c.b.c_str());
    print("lower", c.lower);
    print("upper", c.upper);
    print("time", c.time);
    std::puts("");
  }
  for (const ClearancePiece& c : report.profile) print("profile", c.nearest.lower);
  print("configuration", configuration(*w.robot, trajectory, 2.0));
  Eigen::MatrixXd control(w.robot->dof(), 3);
  for (int i = 0; i < 3; ++i) control.col(i) = w.path.waypoints[static_cast<std::size_t>(i)];
  const Trajectory curve = bezier_trajectory(*w.robot, control, 0.0, 2.0);
  print(checker.first_contact(curve.segments.front(), workspace));
}

void batches(const World& w, const PathChecker& checker) {
  std::vector<Edge> all;
  for (std::size_t i = 1; i < w.path.waypoints.size(); ++i)
    all.push_back({w.path.waypoints[i - 1], w.path.waypoints[i]});
  BatchOptions options;
  options.first_contact = true;
  for (const EdgeResult& edge : check_edges(checker, all, options).edges) print(edge);
  for (const EdgeResult& edge : check_fan(checker, w.path.waypoints[0], w.path.waypoints, options).edges) print(edge);
  Roadmap roadmap(w.robot, w.scene, w.pairs);
  roadmap.add(all);
  Scene moved = w.scene;
  for (const SceneObject& object : w.scene.objects) {
    moved.objects.move(object.name, Eigen::Translation3d(0.01, 0.0, 0.0) * object.pose);
  }
  const RoadmapUpdate update = roadmap.change_scene(moved);
  std::printf("roadmap %zu %zu %zu %lld\n", update.checked, update.kept_far, update.kept_spare,
              static_cast<long long>(update.evaluations));
}

/// Robots and scenes made here: covers every type that is passed into the library.
void by_hand() {
  RobotSpec spec;
  spec.name = "arm";
  const Geometry link{Capsule{0.05, 0.4}, Eigen::Isometry3d(Eigen::Translation3d(0.0, 0.0, 0.25)), "capsule"};
  spec.links = {{"base", {}, {}}, {"upper", {link}, {}}, {"lower", {link}, {}}};
  for (int i = 0; i < 2; ++i) {
    JointSpec joint;
    joint.name = i == 0 ? "shoulder" : "elbow";
    joint.type = JointType::Revolute;
    joint.parent = spec.links[static_cast<std::size_t>(i)].name;
    joint.child = spec.links[static_cast<std::size_t>(i) + 1].name;
    joint.origin =
        Eigen::Translation3d(0.0, 0.0, 0.5) * Eigen::AngleAxisd(0.1, Eigen::Vector3d(1.0, 2.0, 3.0).normalized());
    joint.axis = Eigen::Vector3d(0.3, 1.0, 0.1);
    joint.lower = -3.0;
    joint.upper = 3.0;
    spec.joints.push_back(joint);
  }
  World w;
  w.robot = std::make_shared<const RobotModel>(
      combine({{spec, "left_", Eigen::Isometry3d::Identity()},
               {spec, "right_", Eigen::Isometry3d(Eigen::Translation3d(0.7, 0.0, 0.0))}}));
  w.pairs = build_collision_matrix(*w.robot);
  SceneObject box{"box", {{Box{{0.2, 0.3, 0.4}}, Pose::Identity(), "box"}}, Pose::Identity()};
  box.pose = Eigen::Translation3d(0.3, 0.2, 0.9) * Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitX());
  SceneObject tool = box;
  tool.name = "tool";
  w.scene.objects = {box, tool};
  w.scene.attach("tool", "left_lower", Eigen::Isometry3d(Eigen::Translation3d(0.0, 0.0, 0.6)), {"left_upper"});
  w.path.waypoints = {w.robot->neutral(), Eigen::VectorXd::LinSpaced(w.robot->dof(), -1.0, 1.0),
                      Eigen::VectorXd::LinSpaced(w.robot->dof(), 1.5, 0.5)};
  const PathChecker checker(w.robot, w.scene, w.pairs, {.margin = 0.01});
  edges(w, checker);
  try {
    w.scene.detach("nothing", Eigen::Isometry3d::Identity());
  } catch (const InputError& error) {
    std::printf("%s\n", error.what());
  }
}

}  // namespace

int main(int, char** arguments) {
  std::printf("planner_ccd %s\n", PLANNER_CCD_VERSION);
  if (rivals(1.25) == 0.0) return 2;
  const std::string root = arguments[1];
  by_hand();
  const World puma = load(root, "puma", "puma_car.yaml", "puma_fender.csv");
  const PathChecker checker(puma.robot, puma.scene, puma.pairs);
  edges(puma, checker);
  trajectories(puma, checker);
  batches(puma, checker);
  strategies(puma);
  const World arm = load(root, "arm7", "arm_clutter.yaml", "arm_pick.csv");
  edges(arm, PathChecker(arm.robot, arm.scene, arm.pairs, {.margin = 0.002}));
}
