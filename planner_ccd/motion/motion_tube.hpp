#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "planner_ccd/motion/motion_errors.hpp"
#include "planner_ccd/robot/kinematics.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// MotionErrors in terms of moves and bodies. All numbers are rounded up.
class MotionTube {
 public:
  /// An error of a pose: a body, with everything beyond it, is displaced by up to `shift` and turned by up to `turn`
  /// about a point of its own.
  struct Loose {
    int body;  ///< That carries the point; 0: the world.
    Eigen::Vector3d p_BodyPoint;
    double shift, turn;  ///< [m], [rad]
  };
  static constexpr int kMostLoose = 64;

  explicit MotionTube(const RobotModel& robot) : robot_(&robot) {}

  /// Throws InputError for the wrong number of coordinates, unknown links, and errors that are negative, not finite or
  /// too large. Costs nothing when they have not changed.
  void set(const MoveChain& chain, const MotionErrors& errors);

  /// False: the motion is exact.
  bool any() const { return any_; }
  /// [rad] or [m] Of a move's value; 0 for those of a floating joint, which is loose.
  double of_move(int k) const { return any_ ? of_move_[k] : 0.0; }
  const std::vector<Loose>& loose() const { return loose_; }
  /// A bit for each entry of loose() that displaces a link; 0 for link -1, the world. Two links move relative to each
  /// other by those in which they differ.
  std::uint64_t above(int link) const { return link < 0 || above_.empty() ? 0 : above_[link]; }

 private:
  const RobotModel* robot_;
  bool any_ = false;
  MotionErrors last_;
  std::vector<double> of_move_;
  std::vector<Loose> loose_;
  std::vector<std::uint64_t> above_;  ///< By link.

  void add(const Loose& loose);
  void read_tracking(const MoveChain& chain, const JointVector& tracking);
  void read_links(const std::vector<LinkError>& links, std::vector<std::uint64_t>& own);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
