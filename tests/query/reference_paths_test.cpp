#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "support/shared_data.hpp"
#include "support/verdict_check.hpp"

/// The recorded paths of the shared data against FCL's dense sampling of them. FCL may have missed a contact shorter
/// than its step: an earlier contact is accepted if the oracle confirms its witness; a later one never.
namespace planner_ccd {
namespace {

using nlohmann::json;

json read(const std::string& file) {
  std::ifstream in(file);
  return json::parse(in);
}

Scene environment(const json& description, const std::string& data) {
  Scene scene;
  for (const json& e : description) {
    const auto s = e.at("scale").get<std::vector<double>>();
    const auto p = e.at("xyz").get<std::vector<double>>();
    const auto r = e.at("quat_xyzw").get<std::vector<double>>();
    SceneObject object;
    object.name = "environment" + std::to_string(scene.objects.size());
    Geometry g;
    g.shape = load_mesh(data + "/" + e.at("mesh").get<std::string>(), {s[0], s[1], s[2]});
    object.geometry.push_back(std::move(g));
    object.pose.linear() = Eigen::Quaterniond(r[3], r[0], r[1], r[2]).toRotationMatrix();
    object.pose.translation() = Eigen::Vector3d(p[0], p[1], p[2]);
    scene.objects.push_back(std::move(object));
  }
  return scene;
}

/// Every `stride`-th path is checked.
void run(const std::string& name, int stride) {
  const std::string data = testing::shared_data("paths");
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  const json paths = read(data + "/paths/" + name + ".json");
  const json reference = read(data + "/paths/" + name + ".reference.json");
  UrdfOptions options;
  options.resources.package_paths = {data + "/" + paths.at("package_search_dir").get<std::string>()};
  testing::Scenario s;
  s.set_robot(load_urdf(data + "/" + paths.at("robot_urdf").get<std::string>(), options).value);
  s.scene = environment(paths.at("environment"), data);
  const std::shared_ptr<const RobotModel>& robot = s.robot;
  for (const Link& a : robot->links()) {  // FCL checked the robot against the environment alone
    for (const Link& b : robot->links()) {
      if (&a < &b) s.matrix.exclude(a.name, b.name, ExclusionReason::User);
    }
  }
  std::vector<int> order;
  for (const json& joint : paths.at("joints")) order.push_back(robot->find_coordinate(joint.get<std::string>()));
  const auto configuration = [&](const json& values) {
    Eigen::VectorXd q = robot->neutral();
    for (std::size_t i = 0; i < order.size(); ++i) q[order[i]] = values.at(i).get<double>();
    return q;
  };
  for (const int i : order) ASSERT_GE(i, 0);
  testing::Judge judge(s);
  int free = 0, hits = 0, earlier = 0, at_start = 0;
  for (const json& r : reference.at("results")) {
    const int k = r.at("path").get<int>();
    if (k % stride != 0) continue;
    const bool pairs = paths.contains("paths");
    const json& q0 = pairs ? paths.at("paths").at(k).at("q0") : paths.at("waypoints").at(k);
    const json& q1 = pairs ? paths.at("paths").at(k).at("q1") : paths.at("waypoints").at(k + 1);
    const truth::Edge edge{configuration(q0), configuration(q1)};
    const EdgeOptions limits;
    const EdgeResult result = judge.checker().first_contact(edge.q0, edge.q1, judge.workspace(), limits);
    ASSERT_NE(result.verdict, Verdict::Undecided) << name << " path " << k;
    const bool sampled = r.at("sampled_collision").get<bool>();
    free += result.verdict == Verdict::Free;
    hits += result.verdict == Verdict::Contact;
    if (r.at("q0_in_collision").get<bool>()) {
      ++at_start;
      EXPECT_EQ(result.verdict, Verdict::Contact) << name << " path " << k;
      EXPECT_EQ(result.t_free, 0.0) << name << " path " << k;
      continue;
    }
    const double from = sampled ? r.at("first_contact_bracket").at(0).get<double>() : 2.0;
    const double to = sampled ? r.at("first_contact_bracket").at(1).get<double>() : 2.0;
    if (sampled) {
      EXPECT_EQ(result.verdict, Verdict::Contact) << name << " path " << k;
      EXPECT_LE(result.t_free, to) << name << " path " << k;
    }
    if (result.contact && result.contact->t < from) {  // FCL had found nothing yet: the witness must be confirmed
      ++earlier;
      judge.check_claims(edge, result, limits, false, name + " path " + std::to_string(k));
    }
  }
  std::printf("  %s: %d free, %d contact (%d at the start), %d before FCL saw one\n", name.c_str(), free, hits,
              at_start, earlier);
}

TEST(ReferencePaths, HandClosingOnASphere) { run("allegro_grasp_sphere", 1); }
TEST(ReferencePaths, ArmAmongCubicles) { run("ur5_coarse_cubicles", 1); }
TEST(ReferencePaths, WalkOnTheChessboard) { run("human_walk_on_chessboard", 1); }

}  // namespace
}  // namespace planner_ccd
