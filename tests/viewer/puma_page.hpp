#pragma once

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "viewer/viewer_support.hpp"

namespace planner_ccd::test {

/// The Puma before the car, on its committed path, with a finding of each kind.
struct PumaPage {
  RobotModel robot{load_urdf(source("urdf/puma.urdf")).value};
  Scene scene = load_scene(source("models/scenes/puma_car.yaml")).value;
  JointPath path = load_path(source("models/paths/puma_fender.csv"), robot).value;
  viewer::PageContent content;
  json expected;

  PumaPage() {
    content.title = "</title><script>throw 1</script> & \"Puma\" \u00e4";
    content.robot = &robot;
    content.scene = &scene;
    content.verdict = "contact";
    content.time_is_known = false;
    content.margin = 0.01;
    content.assumptions = {"<b>no inside</b>: car", "pairs not checked"};
    content.facts = {{"robot", "<b>urdf/puma.urdf</b>"}};
    EdgeMotion motion(robot);
    Kinematics kinematics;
    kinematics.resize(motion.chain());
    for (std::size_t i = 0; i + 1 < path.waypoints.size(); ++i) {
      motion.set_linear(path.waypoints[i], path.waypoints[i + 1], AnglePolicy::Literal);
      content.motion.push_back(viewer::piece_of(motion, static_cast<double>(i), static_cast<double>(i + 1)));
      for (const double u : {0.0, 0.25, 0.8125}) {
        motion.kinematics(u, kinematics);
        expected["moments"].push_back({{"time", static_cast<double>(i) + u}, {"poses", poses_json(kinematics)}});
      }
      content.profile.push_back({static_cast<double>(i), i + 0.5, 0.1, 0.11, "gripper", "car"});
      content.profile.push_back({i + 0.5, i + 1.0, 0.02, 0.03, "forearm", "car"});
      content.tracking.push_back(i == 1 ? -1.0 : 0.0123456);
    }
    const auto count = static_cast<double>(content.motion.size());
    content.spans = {{0.0, 3.5, viewer::SpanKind::Free},
                     {3.5, 3.6, viewer::SpanKind::Contact},
                     {3.6, count, viewer::SpanKind::Unchecked}};
    add_finding(viewer::EntryKind::Limit, 0.75);
    add_finding(viewer::EntryKind::Contact, 3.25);
    content.findings.back().touch = viewer::Touch{{0.5243, 0.6654, 0.2136}, {0.5243, 0.6654, 0.2136}, {0, 0, 1}};
    content.findings.back().triangles = {*viewer::marked_triangle(robot, scene, "gripper", 0, 89),
                                         *viewer::marked_triangle(robot, scene, "car", 0, 2267)};
    add_finding(viewer::EntryKind::Undecided, 2.5);
    expected["triangles"] = 0;
    for (const Link& link : robot.links()) count_triangles(link.collision);
    for (const SceneObject& object : scene.objects) count_triangles(object.geometry);
  }

  void add_finding(viewer::EntryKind kind, double moment) {
    viewer::Entry finding;
    finding.kind = kind;
    finding.title = "<i>finding</i>";
    finding.begin = finding.end = finding.moment = moment;
    finding.a = {"gripper"};
    finding.b = {"car"};
    content.findings.push_back(finding);
    expected["findings"].push_back(moment);
  }

  void count_triangles(const std::vector<Geometry>& shapes) {
    for (const Geometry& g : shapes) {
      const auto* mesh = std::get_if<MeshPtr>(&g.shape);
      expected["triangles"] =
          expected["triangles"].get<int>() + (mesh ? static_cast<int>((*mesh)->triangles.size()) : 12);
    }
  }
};

}  // namespace planner_ccd::test
