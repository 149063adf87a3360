#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

// The motion as a certificate states it (certificate/FORMAT.md): bodies, moves, and a polynomial for every curve and segment.

struct StatedMove {
  enum class Kind : std::uint8_t { Translation = 0, Rotation = 1, Turn = 2 };
  Kind kind;
  Eigen::Vector3d axis;  ///< Unit. Of a Turn the segment's.
  int curve;             ///< -1: the value is the offset.
  double multiplier = 1.0, offset = 0.0;
  int turn = -1;
};

struct StatedBody {
  int parent = 0;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  std::vector<StatedMove> moves;
};

struct StatedCurve {
  Polynomial value;
  double tube = 0.0;  ///< The proof holds for all values this near. [rad] or [m]
};

struct StatedTurn {
  Eigen::Vector3d axis;
  Eigen::Quaterniond start;
};

struct StatedSegment {
  double begin, end;
  std::vector<StatedCurve> curves;
  std::vector<StatedTurn> turns;
};

struct StatedLimit {
  std::string name;
  double lower, upper;
};

struct StatedMotion {
  std::vector<StatedLimit> curves;
  std::vector<StatedBody> bodies;  ///< 0 is the world.
  int turns = 0;
  std::vector<StatedSegment> segments;
};

/// Throws InputError for origins of joints that are no rotations to 1e-12.
StatedMotion state_motion(const RobotModel& robot, const Trajectory& trajectory);

/// Halves of the units of time of a proof: the middle of [t0, t1] is (t0 + t1) / kTicks.
inline constexpr double kTicks = 4294967296.0;

/// a + b rho, for points within rho of their body's origin.
struct LinearBound {
  double a = 0.0, b = 0.0;
  double at(double rho) const { return a + b * rho; }
};

/// Body A from body B in the middle of an interval, and what bounds A's points on all of it (verifier/verify.hpp, (M)).
struct StatedRelative {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero(), v = Eigen::Vector3d::Zero();
  Eigen::Vector3d w_dot = Eigen::Vector3d::Zero(), v_dot = Eigen::Vector3d::Zero();
  LinearBound second, third, tube;
  double rounding =
      0.0;  ///< [m] More than what rounding changes of a gap, here or in a verifier, for points within 1 m.
};

/// The motion of one segment over dyadic intervals, rounded to nearest: what it finds is a proposal that a verifier judges.
class StatedKinematics {
 public:
  explicit StatedKinematics(const StatedMotion& motion) : motion_(motion) {}

  void set_segment(int segment);
  void set_bodies(int a, int b);
  /// In units of 2^-31. Good until the next call.
  const StatedRelative& over(std::uint64_t t0, std::uint64_t t1);

 private:
  struct Bounds {
    double value, rate, acceleration, jerk, tube;
  };
  struct Instant {
    std::vector<BodyState> bodies;
    std::vector<std::vector<Bounds>> moves;
    double turned = 0.0;  ///< Sum of the moves' values: what angles are rounded relative to.
  };
  struct Element {
    int body, move;  ///< -1: the fixed placement.
  };

  const StatedMotion& motion_;
  int segment_ = 0, a_ = -1, b_ = -1;
  std::vector<Element> way_;  ///< From B to A.
  std::unordered_map<std::uint64_t, Instant> instants_;
  std::unordered_map<std::uint64_t, StatedRelative> relatives_;

  const Instant& instant(std::uint64_t t0, std::uint64_t t1);
  void place(int body, const std::vector<std::array<double, 6>>& derivatives, double half, Instant& out) const;
  void bound(const Instant& instant, StatedRelative& out) const;
};

}  // namespace planner_ccd
