#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>

#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/robot/kinematics.hpp"
#include "support/random_robot.hpp"
#include "support/shared_data.hpp"

/// Poses and twists of every link against Orocos KDL, on our robots and on real ones.
namespace planner_ccd {
namespace {

KDL::Frame frame(const Eigen::Isometry3d& X) {
  const Eigen::Matrix3d R = X.linear();
  const Eigen::Vector3d p = X.translation();
  return {KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
          KDL::Vector(p.x(), p.y(), p.z())};
}

/// The chain from the root to a link directly from the specification, with the joints that move along it.
struct KdlChain {
  KDL::Chain chain;
  std::vector<const Joint*> joints;

  KdlChain(const RobotSpec& spec, const RobotModel& model, const std::string& tip) {
    std::vector<const JointSpec*> path;
    for (std::string link = tip;;) {
      const auto found =
          std::find_if(spec.joints.begin(), spec.joints.end(), [&](const JointSpec& j) { return j.child == link; });
      if (found == spec.joints.end()) break;
      path.push_back(&*found);
      link = found->parent;
    }
    std::reverse(path.begin(), path.end());
    for (const JointSpec* j : path) {
      const KDL::Frame origin = frame(j->origin);
      const Eigen::Vector3d a = j->axis.normalized();
      const KDL::Vector axis = origin.M * KDL::Vector(a.x(), a.y(), a.z());
      const Joint& joint = model.joints()[j - spec.joints.data()];
      switch (j->type) {
        case JointType::Fixed: chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), origin)); continue;
        case JointType::Prismatic:
          chain.addSegment(KDL::Segment(KDL::Joint(origin.p, axis, KDL::Joint::TransAxis), origin));
          break;
        case JointType::Revolute:
        case JointType::Continuous:
          chain.addSegment(KDL::Segment(KDL::Joint(origin.p, axis, KDL::Joint::RotAxis), origin));
          break;
        default: ADD_FAILURE() << "KDL has no such joint"; return;
      }
      joints.push_back(&joint);
    }
  }
};

double compare(const RobotSpec& spec, testing::Draw& draw, int configurations) {
  const RobotModel model(spec);
  double worst = 0.0;
  std::vector<KdlChain> chains;
  for (const Link& link : model.links()) chains.emplace_back(spec, model, link.name);
  for (int n = 0; n < configurations; ++n) {
    const Eigen::VectorXd q = draw.configuration(model, 2.0);
    Eigen::VectorXd rate(model.dof());
    for (double& x : rate) x = draw.uniform(-1.0, 1.0);
    const Kinematics k = kinematics(model, q, rate);
    for (std::size_t l = 0; l < chains.size(); ++l) {
      KDL::JntArrayVel state(static_cast<unsigned>(chains[l].joints.size()));
      for (unsigned i = 0; i < chains[l].joints.size(); ++i) {
        const Joint& j = *chains[l].joints[i];
        state.q(i) = j.q_index < 0 ? j.offset : j.multiplier * q[j.q_index] + j.offset;
        state.qdot(i) = j.q_index < 0 ? 0.0 : j.multiplier * rate[j.q_index];
      }
      KDL::FrameVel result = KDL::FrameVel::Identity();
      KDL::ChainFkSolverVel_recursive solver(chains[l].chain);
      if (chains[l].chain.getNrOfSegments() > 0) {
        EXPECT_GE(solver.JntToCart(state, result), 0);
      }
      const Link& link = model.links()[l];
      const BodyState& body = k.bodies[link.body];
      const Eigen::Isometry3d X = body.pose() * link.X_BodyLink;
      const Eigen::Vector3d v = body.v + body.w.cross(X.translation());
      for (int i = 0; i < 3; ++i) {
        worst = std::max({worst, std::abs(X.translation()[i] - result.p.p[i]), std::abs(v[i] - result.p.v[i]),
                          std::abs(body.w[i] - result.M.w[i])});
        for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(X.linear()(i, j) - result.M.R(i, j)));
      }
    }
  }
  return worst;
}

TEST(Kdl, AgreesOnOurRobots) {
  testing::Draw draw(11);
  for (const char* name : {"puma", "arm7", "mannequin", "hand"}) {
    const RobotSpec spec = load_urdf(testing::source_dir() + "/urdf/" + name + ".urdf").value;
    const double worst = compare(spec, draw, testing::scaled(20));
    std::printf("  %s: %.1e\n", name, worst);
    EXPECT_LT(worst, 1e-11) << name;
  }
}

TEST(Kdl, AgreesOnRealRobots) {
  const std::string data = testing::shared_data("robots");
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  testing::Draw draw(12);
  int robots = 0;
  const std::pair<const char*, const char*> kFiles[] = {{"panda", "panda"},
                                                        {"ur5", "ur5_collision_coarse"},
                                                        {"atlas_v3", "atlas"},
                                                        {"allegro_hand", "allegro_hand_right_mesh"},
                                                        {"pr2_description", "pr2"},
                                                        {"pr2", "pr2"},
                                                        {"hyq", "hyq"},
                                                        {"puma560_lowpoly", "puma"},
                                                        {"mannequin_man1", "man1"}};
  for (const auto& [folder, start] : kFiles) {
    if (!std::filesystem::exists(data + "/robots/" + folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data + "/robots/" + folder)) {
      const std::string file = entry.path().filename().string();
      if (entry.path().extension() != ".urdf" || file.rfind(start, 0) != 0) continue;
      UrdfOptions options;
      options.resources.package_paths = {data + "/robots/" + folder};
      RobotSpec spec;
      try {
        spec = load_urdf(entry.path().string(), options).value;
      } catch (const std::exception& e) {
        std::printf("  %s: not loaded (%s)\n", file.c_str(), e.what());
        continue;
      }
      bool known = true;
      for (const JointSpec& j : spec.joints) {
        known = known && j.type != JointType::Planar && j.type != JointType::Floating;
      }
      if (!known) continue;
      const double worst = compare(spec, draw, 5);
      std::printf("  %s: %zu links, %.1e\n", file.c_str(), spec.links.size(), worst);
      EXPECT_LT(worst, 1e-11) << file;
      ++robots;
    }
  }
  EXPECT_GE(robots, 5);
}

}  // namespace
}  // namespace planner_ccd
