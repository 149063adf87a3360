#include <cstdint>
#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/moving_pairs/robot_cells.hpp"

using namespace planner_ccd;

namespace {

/// Two boxes with a slide and a turn between them.
RobotModel make_robot() {
  RobotSpec spec;
  spec.name = "slider";
  const Geometry box{Box{Eigen::Vector3d::Constant(0.2)}, Eigen::Isometry3d::Identity(), "box"};
  spec.links = {{"base", {box}, {}}, {"shift", {}, {}}, {"tip", {box}, {}}};
  JointSpec x;
  x.name = "x";
  x.type = JointType::Prismatic;
  x.parent = "base";
  x.child = "shift";
  x.lower = 0.1;
  x.upper = 1.0;
  JointSpec turn = x;
  turn.name = "turn";
  turn.type = JointType::Continuous;
  turn.parent = "shift";
  turn.child = "tip";
  spec.joints = {x, turn};
  return RobotModel(spec);
}

void use(const RobotCells& cells, const RobotModel& robot) {
  EdgeMotion motion(robot);
  for (const RobotCells::Entry& entry : cells.entries()) {
    const double share = entry.cells->free_share();
    if (!(share >= 0.0 && share <= 1.0)) __builtin_trap();
    for (const double far : {0.3, 7.0}) {
      motion.set_linear(Eigen::Vector2d(0.2, -far), Eigen::Vector2d(0.9, far), AnglePolicy::Literal);
      PairCells::Intervals unknown, touching;
      entry.cells->unknown(motion, unknown, &touching);
      for (const auto& [t0, t1] : unknown) {
        if (!(0.0 <= t0 && t0 <= t1 && t1 <= 1.0)) __builtin_trap();
      }
    }
  }
}

}  // namespace

// Either an InputError, or cells that can be queried: for the bytes as they are, and between a valid beginning and a
// valid checksum.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RobotModel robot = make_robot();
  static const CollisionWorld world(robot, {}, {}, 0.0);
  static const std::string good = RobotCells(world, 200).format(world);
  static const std::size_t head = good.find('\n') + 1 + sizeof(Sha256::Digest);
  const std::string raw(reinterpret_cast<const char*>(data), size);
  std::string forged = good.substr(0, head) + raw;
  const Sha256::Digest sum = Sha256::of(forged.data(), forged.size());
  forged.append(reinterpret_cast<const char*>(sum.data()), sum.size());
  for (const std::string& bytes : {raw, forged}) {
    try {
      use(RobotCells::parse(bytes, world, "fuzz.cells"), robot);
    } catch (const InputError&) {
    }
  }
  return 0;
}
