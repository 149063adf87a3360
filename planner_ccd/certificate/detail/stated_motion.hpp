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

/// Two numbers, of bodies or volumes, and an interval.
using IntervalOf = std::pair<std::uint64_t, std::uint64_t>;
inline IntervalOf interval_of(int a, int b, std::uint64_t t0, std::uint64_t t1) {
  return {static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b), t0 << 32 | t1};
}
struct HashOfInterval {
  std::size_t operator()(const IntervalOf& k) const {
    return (k.first * 0x9E3779B97F4A7C15 + k.second) * 0x9E3779B97F4A7C15 >> 8;
  }
};

/// a + b rho, for points within rho of their body's origin.
struct LinearBound {
  double a = 0.0, b = 0.0;
  double at(double rho) const { return a + b * rho; }
};

/// Body A from body B in the middle of an interval: a point of A at c is at p[0] + R[0] c in B's frame, with velocity
/// p[1] + R[1] c and acceleration p[2] + R[2] c; and what bounds A's points on all of it (verifier/verify.hpp, (M)).
struct StatedRelative {
  std::array<Eigen::Matrix3d, 3> R;
  std::array<Eigen::Vector3d, 3> p;
  LinearBound second, third, tube;
  double lever = 0.0;     ///< [m] A's points are no farther from B's origin than this and their reach.
  double rounding = 0.0;  ///< [m] More than rounding changes of a gap, here or in a verifier, for points within 1 m.
};

/// The motion of one segment over dyadic intervals, rounded to nearest: what it finds is a proposal that a verifier judges.
class StatedKinematics {
 public:
  explicit StatedKinematics(const StatedMotion& motion) : motion_(motion) {}

  void set_segment(int segment);
  /// A from B, in units of 2^-31. Good until the next call.
  const StatedRelative& over(int a, int b, std::uint64_t t0, std::uint64_t t1);

 private:
  struct Bounds {
    double value, rate, acceleration, jerk, tube;
  };
  struct Placed {
    BodyState state;
    std::vector<Bounds> moves;
    double turned = 0.0,
           far = 0.0;  ///< Sum of the values of all moves that carry it; farthest from the world's origin of these.
    int depth = 0;
  };
  using Instant = std::unordered_map<int, Placed>;  ///< Bodies, as many as were asked for.
  struct Element {
    int body, move;  ///< -1: the fixed placement.
  };

  const StatedMotion& motion_;
  int segment_ = 0;
  std::size_t placed_ = 0;
  std::unordered_map<std::uint64_t, Instant> instants_;
  std::unordered_map<IntervalOf, StatedRelative, HashOfInterval> relatives_;
  std::unordered_map<std::uint64_t, std::vector<Element>> ways_;

  const std::vector<Element>& way(int a, int b);
  const Placed& place(int body, std::uint64_t t0, std::uint64_t t1, Instant& out);
  void move_on(const StatedBody& body, double middle, double half, Placed& out) const;
  void bound(const std::vector<Element>& way, const Instant& instant, StatedRelative& out) const;
};

}  // namespace planner_ccd
