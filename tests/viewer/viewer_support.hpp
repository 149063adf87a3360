#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "io/io_support.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/viewer/page.hpp"
#include "support/random_robot.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {

using nlohmann::json;

/// [R row by row, p] of every body.
inline json poses_json(const Kinematics& kinematics) {
  json out = json::array();
  for (const BodyState& body : kinematics.bodies) {
    json pose = json::array();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) pose.push_back(body.R_WB(i, k));
    }
    for (int i = 0; i < 3; ++i) pose.push_back(body.p_WB[i]);
    out.push_back(std::move(pose));
  }
  return out;
}

/// A robot of all joint types whose moves follow polynomials of degree 5, over three pieces; and the poses of its
/// bodies at many times, by the library's forward kinematics.
struct RandomMotion {
  explicit RandomMotion(unsigned seed) : draw(seed), robot(draw.robot(9)) {
    content.title = "random";
    content.robot = &robot;
    content.scene = &scene;
    EdgeMotion motion(robot);
    double begin = draw.uniform(-1.0, 1.0);
    for (int piece = 0; piece < 3; ++piece) {
      // set_linear places floating joints; their moves then follow polynomials like all others.
      motion.set_linear(draw.configuration(robot, 2.0), draw.configuration(robot, 2.0), AnglePolicy::Literal);
      std::vector<Polynomial> moves(motion.chain().moves.size());
      for (Polynomial& p : moves) {
        p.degree = draw.integer(0, Polynomial::kMaxDegree);
        for (int i = 0; i <= p.degree; ++i) p.c[static_cast<std::size_t>(i)] = draw.uniform(-1.0, 1.0);
      }
      motion.set_moves(moves);
      const double end = begin + draw.uniform(0.1, 2.0);
      content.motion.push_back(viewer::piece_of(motion, begin, end));
      Kinematics kinematics;
      kinematics.resize(motion.chain());
      for (const double u : {0.0, 0.125, 0.33, 0.5, 0.77, 0.999}) {
        motion.kinematics(u, kinematics);
        expected.push_back({{"time", begin + u * (end - begin)}, {"poses", poses_json(kinematics)}});
      }
      begin = end;
    }
  }

  testing::Draw draw;
  RobotModel robot;
  Scene scene;
  viewer::PageContent content;
  json expected = json::array();
};

/// Runs a script of tests/viewer in Node. Skips the test if Node is missing.
inline int run_node(const std::string& script, const std::string& arguments) {
  const std::string line =
      "'" PLANNER_CCD_NODE "' '" + testing::source_dir() + "/tests/viewer/" + script + "' " + arguments;
  return std::system(line.c_str());
}

inline std::string source(const std::string& file) { return testing::source_dir() + "/" + file; }

}  // namespace planner_ccd::test
