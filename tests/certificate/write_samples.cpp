#include <cstdio>

#include "planner_ccd/certificate/certificate.hpp"
#include "query/random_curves.hpp"
#include "support/scenarios.hpp"

/// write_samples FOLDER: small certificates of random robots, all joint types and shapes, lines and curves, for tamper.py. Exit code
/// 1 when there are too few.
int main(int argc, char** argv) {
  using namespace planner_ccd;
  if (argc != 2) return 2;
  testing::Draw draw(5);
  int written = 0;
  for (int i = 0; i < 8; ++i) {
    testing::RandomScenario what;
    what.material = static_cast<testing::Material>(i % 4);
    what.attached = i % 2 == 0;
    what.margin = i % 3 == 0 ? 0.01 : 0.0;
    what.links = what.objects = 4;
    const testing::Scenario s = testing::random_scenario(draw, what);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    const testing::EdgeDraw edges(*s.robot, 0.3);
    for (int k = 0; k < 12; ++k) {
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      Trajectory trajectory;
      if (k % 2 == 1) {
        trajectory.segments.push_back(testing::random_curve(draw, *s.robot, q0, q1).segment);
      } else {
        JointPath path;
        path.waypoints = {q0, q1, q0 + 0.5 * (q1 - q0)};
        trajectory = make_trajectory(*s.robot, path);
      }
      CertificateOptions options;
      options.max_steps = 20'000;
      const std::string file = std::string(argv[1]) + "/sample_" + std::to_string(written) + ".pccd";
      const CertificateResult result = certify(checker, trajectory, file, options);
      if (!result.proved) continue;
      std::printf("%s: %ld leaves, %ld splits, %zu bytes\n", file.c_str(), static_cast<long>(result.leaves),
                  static_cast<long>(result.splits), result.bytes.size());
      if (++written % 2 == 0) break;
    }
  }
  return written < 8 ? 1 : 0;
}
