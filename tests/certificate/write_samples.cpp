#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"

/// write_samples FOLDER: small certificates of random robots, for tamper.py and both.py: sample_0.pccd, ... Exit code 1 unless every
/// kind of motion is among them twice.
namespace {

using namespace planner_ccd;
using testing::Draw;
using testing::Scenario;

Scenario scenario(Draw& draw, int i) {
  testing::RandomScenario what;
  what.material = static_cast<testing::Material>(i % 4);
  what.attached = i % 2 == 0;
  what.margin = i % 3 == 0 ? 0.01 : 0.0;
  what.links = what.objects = 4;
  Scenario s = testing::random_scenario(draw, what);
  if (i % 4 != 3) return s;
  what.objects = 0;
  const Scenario other = testing::random_scenario(draw, what);
  s.scene = Scene();  // whose objects know links by their names
  s.set_robot(combine({{s.spec, "left_", Eigen::Isometry3d::Identity()}, {other.spec, "right_", draw.pose(1.0)}}));
  s.matrix = build_collision_matrix(*s.robot);
  return s;
}

Trajectory motion(Draw& draw, const Scenario& s, bool curve) {
  const testing::EdgeDraw edges(*s.robot, 0.3);
  const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
  if (curve) return {.segments = {testing::random_curve(draw, *s.robot, q0, q1).segment}};
  JointPath path;
  path.waypoints = {q0, q1, q0 + 0.5 * (q1 - q0)};
  return make_trajectory(*s.robot, path);
}

/// Adds what the motion is a case of.
void count(const Scenario& s, const Trajectory& motion, std::map<std::string, int>& kinds) {
  const auto any_joint = [&](auto&& holds) { return std::any_of(s.spec.joints.begin(), s.spec.joints.end(), holds); };
  const auto of_type = [&](JointType type) { return any_joint([&](const JointSpec& j) { return j.type == type; }); };
  const auto& curves = motion.segments.front().value;
  kinds["curves"] += std::any_of(curves.begin(), curves.end(), [](const Polynomial& p) { return p.degree > 1; });
  kinds["lines"] += motion.segments.size() > 1;
  kinds["several robots"] += s.spec.links.size() > 6;
  kinds["attached objects"] += !s.scene.attached.empty();
  kinds["a margin"] += s.options.margin > 0.0;
  kinds["a margin of its own"] += !s.scene.margins.empty();
  kinds["floating"] += of_type(JointType::Floating);
  kinds["planar"] += of_type(JointType::Planar);
  kinds["prismatic"] += of_type(JointType::Prismatic);
  kinds["continuous"] += of_type(JointType::Continuous);
  kinds["mimic"] += any_joint([](const JointSpec& j) { return j.mimic.has_value(); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  Draw draw(5);
  int written = 0;
  std::map<std::string, int> kinds;
  const auto enough = [&] {
    return std::all_of(kinds.begin(), kinds.end(), [](const auto& k) { return k.second >= 2; });
  };
  for (int i = 0; i < 12 || (i < 100 && !enough()); ++i) {
    const Scenario s = scenario(draw, i);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    int of_this = 0;
    for (int k = 0; k < 12 && of_this < 2; ++k) {
      const Trajectory trajectory = motion(draw, s, k % 2 == 1);
      CertificateOptions options;
      options.max_steps = 20'000;
      const std::string file = std::string(argv[1]) + "/sample_" + std::to_string(written) + ".pccd";
      const CertificateResult result = certify(checker, trajectory, file, options);
      if (!result.proved) continue;
      std::printf("%s: %ld leaves, %ld splits, %ld bytes\n", file.c_str(), static_cast<long>(result.leaves),
                  static_cast<long>(result.splits), static_cast<long>(result.size));
      count(s, trajectory, kinds);
      ++written, ++of_this;
    }
  }
  for (const auto& [kind, times] : kinds) std::printf("%s: %d\n", kind.c_str(), times);
  return enough() ? 0 : 1;
}
