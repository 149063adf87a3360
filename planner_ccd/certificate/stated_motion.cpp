#include "planner_ccd/certificate/detail/stated_motion.hpp"

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Kind = StatedMove::Kind;

/// The curves of a robot: one for each coordinate, but of a floating joint one for the angle it turns by in place of its quaternion.
struct CurveNumbers {
  std::vector<int> of_coordinate;  ///< -1: an entry of a quaternion.
  std::vector<int> of_turn;        ///< By joint; -1: not floating.
};

CurveNumbers number_curves(const RobotModel& robot, StatedMotion& out) {
  CurveNumbers numbers{std::vector<int>(robot.coordinates().size(), -1), std::vector<int>(robot.joints().size(), -1)};
  for (std::size_t i = 0; i < robot.coordinates().size(); ++i) {
    const Coordinate& c = robot.coordinates()[i];
    const Joint& joint = robot.joints()[static_cast<std::size_t>(c.joint)];
    const bool floating = joint.type == JointType::Floating;
    if (floating && static_cast<int>(i) == joint.q_index + 3) {
      numbers.of_turn[static_cast<std::size_t>(c.joint)] = static_cast<int>(out.curves.size());
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      out.curves.push_back({joint.name + "/turn", -kInfinity, kInfinity});
    }
    if (floating && static_cast<int>(i) >= joint.q_index + 3) continue;
    numbers.of_coordinate[i] = static_cast<int>(out.curves.size());
    out.curves.push_back({c.name, c.lower, c.upper});
  }
  return numbers;
}

Eigen::Quaterniond as_quaternion(const Eigen::Isometry3d& X, const std::string& joint) {
  if (X.linear() == Eigen::Matrix3d::Identity()) return Eigen::Quaterniond::Identity();
  const Eigen::Quaterniond q = Eigen::Quaterniond(X.linear()).normalized();
  if (!((q.toRotationMatrix() - X.linear()).cwiseAbs().maxCoeff() <= 1e-12)) {
    throw InputError("joint '" + joint +
                     "': its origin is no rotation to 1e-12, and a certificate speaks of rigid bodies; " +
                     "normalise it");
  }
  return q;
}

StatedBody state_body(const RobotModel& robot, const MoveChain& chain, int number, const CurveNumbers& numbers,
                      int& turns) {
  const Body& body = robot.bodies()[static_cast<std::size_t>(number)];
  const Joint& joint = robot.joints()[static_cast<std::size_t>(body.joint)];
  StatedBody out{
      body.parent, as_quaternion(joint.X_ParentBodyJoint, joint.name), joint.X_ParentBodyJoint.translation(), {}};
  if (joint.type == JointType::Floating) {
    for (int k = 0; k < 3; ++k) {
      const int curve = numbers.of_coordinate[static_cast<std::size_t>(joint.q_index + k)];
      out.moves.push_back({Kind::Translation, Eigen::Vector3d::Unit(k), curve});
    }
    out.moves.push_back({Kind::Turn, Eigen::Vector3d::UnitX(), numbers.of_turn[static_cast<std::size_t>(body.joint)],
                         1.0, 0.0, turns++});
    return out;
  }
  const BodyMoves& moves = chain.bodies[static_cast<std::size_t>(number)];
  for (int k = 0; k < moves.count; ++k) {
    const Move& move = chain.moves[static_cast<std::size_t>(moves.first + k)];
    const int curve = joint.q_index < 0 ? -1 : numbers.of_coordinate[static_cast<std::size_t>(joint.q_index + k)];
    out.moves.push_back({move.kind == MoveKind::Rotation ? Kind::Rotation : Kind::Translation, move.axis, curve,
                         joint.multiplier, joint.offset});
  }
  return out;
}

/// Of a floating joint's line and turn, as EdgeMotion has made them; what rounding did to them belongs to the tube.
void state_floating(const RobotModel& robot, const EdgeMotion& motion, int body, const CurveNumbers& numbers,
                    StatedSegment& out) {
  const int number = robot.bodies()[static_cast<std::size_t>(body)].joint;
  const Joint& joint = robot.joints()[static_cast<std::size_t>(number)];
  const BodyMoves& moves = motion.chain().bodies[static_cast<std::size_t>(body)];
  const Move& line = motion.chain().moves[static_cast<std::size_t>(moves.first)];
  const Move& turn = motion.chain().moves[static_cast<std::size_t>(moves.first + 1)];
  for (int k = 0; k < 3; ++k) {
    StatedCurve& curve =
        out.curves[static_cast<std::size_t>(numbers.of_coordinate[static_cast<std::size_t>(joint.q_index + k)])];
    curve.value = {};
    curve.value.c[0] = moves.before.translation()[k];
    curve.value.c[1] = line.axis[k] * motion.move(moves.first).c[1];
    curve.value.degree = 1;
    curve.tube = motion.value_error(moves.first) + 8.0 * kUnitRoundoff * curve.value.abs_sum();
  }
  StatedCurve& angle = out.curves[static_cast<std::size_t>(numbers.of_turn[static_cast<std::size_t>(number)])];
  angle.value = motion.move(moves.first + 1);
  angle.tube = motion.value_error(moves.first + 1) + 64.0 * kUnitRoundoff;
  out.turns.push_back({turn.axis, Eigen::Quaterniond(moves.after.linear())});
}

/// All derivatives of the polynomial at t.
std::array<double, 6> derivatives_at(Polynomial p, double t) {
  std::array<double, 6> out{};
  for (double& d : out) {
    d = p.value(t);
    if (p.degree == 0) break;
    p = p.derived();
  }
  return out;
}

/// Over the interval of half width `half` about the middle, by Taylor's formula.
double taylor_bound(const std::array<double, 6>& derivatives, std::size_t order, double half) {
  double sum = 0.0, factor = 1.0;
  for (std::size_t j = 0; order + j < 6; ++j) {
    sum += std::abs(derivatives[order + j]) * factor;
    factor *= half / (static_cast<double>(j) + 1.0);
  }
  return sum;
}

constexpr std::size_t kMostPlaced = 200'000, kMostRelatives = 16384;  // kept at a time
constexpr double kLooser = 1.0 + 1e-9;                                // bounds: more than a verifier's rounding adds

/// The matrix whose columns are w x those of m.
Eigen::Matrix3d cross(const Eigen::Vector3d& w, const Eigen::Matrix3d& m) {
  Eigen::Matrix3d out;
  for (int k = 0; k < 3; ++k) out.col(k) = w.cross(m.col(k));
  return out;
}

}  // namespace

StatedMotion state_motion(const RobotModel& robot, const Trajectory& trajectory) {
  StatedMotion out;
  const CurveNumbers numbers = number_curves(robot, out);
  EdgeMotion motion(robot);
  out.bodies.resize(1);
  for (int b = 1; b < static_cast<int>(robot.bodies().size()); ++b) {
    out.bodies.push_back(state_body(robot, motion.chain(), b, numbers, out.turns));
  }
  for (const TrajectorySegment& segment : trajectory.segments) {
    motion.set_segment(segment);  // looks at sizes and numbers
    StatedSegment stated{segment.t0, segment.t1, std::vector<StatedCurve>(out.curves.size()), {}};
    for (std::size_t i = 0; i < segment.value.size(); ++i) {
      if (numbers.of_coordinate[i] < 0) continue;
      stated.curves[static_cast<std::size_t>(numbers.of_coordinate[i])] = {segment.value[i], segment.error[i]};
    }
    for (int b = 1; b < static_cast<int>(robot.bodies().size()); ++b) {
      const Joint& joint = robot.joints()[static_cast<std::size_t>(robot.bodies()[static_cast<std::size_t>(b)].joint)];
      if (joint.type == JointType::Floating) state_floating(robot, motion, b, numbers, stated);
    }
    out.segments.push_back(std::move(stated));
  }
  return out;
}

void StatedKinematics::set_segment(int segment) {
  segment_ = segment;
  placed_ = 0;
  instants_.clear();
  relatives_.clear();
}

const std::vector<StatedKinematics::Element>& StatedKinematics::way(int a, int b) {
  const auto [found, is_new] = ways_.try_emplace(interval_of(a, b, 0, 0).first);
  std::vector<Element>& way = found->second;
  if (!is_new) return way;
  std::vector<int> down;
  while (a != b) {  // parents have smaller numbers
    if (a > b) {
      down.push_back(a);
      a = motion_.bodies[static_cast<std::size_t>(a)].parent;
    } else {
      const StatedBody& body = motion_.bodies[static_cast<std::size_t>(b)];
      for (int i = static_cast<int>(body.moves.size()); i-- > 0;) way.push_back({b, i});
      way.push_back({b, -1});
      b = body.parent;
    }
  }
  for (std::size_t k = down.size(); k-- > 0;) {
    way.push_back({down[k], -1});
    const auto moves = static_cast<int>(motion_.bodies[static_cast<std::size_t>(down[k])].moves.size());
    for (int i = 0; i < moves; ++i) way.push_back({down[k], i});
  }
  return way;
}

const StatedKinematics::Placed& StatedKinematics::place(int number, std::uint64_t t0, std::uint64_t t1, Instant& out) {
  const auto known = out.find(number);
  if (known != out.end()) return known->second;
  Placed placed;
  if (number > 0) {
    const StatedBody& body = motion_.bodies[static_cast<std::size_t>(number)];
    placed = place(body.parent, t0, t1, out);
    placed.moves.clear();
    move_on(body, static_cast<double>(t0 + t1) / kTicks, static_cast<double>(t1 - t0) / kTicks, placed);
  }
  placed.far = std::max(placed.far, placed.state.p_WB.norm());
  for (const Bounds& b : placed.moves) placed.turned += b.value;
  ++placed.depth;
  ++placed_;
  return out.emplace(number, std::move(placed)).first->second;
}

void StatedKinematics::move_on(const StatedBody& body, double middle, double half, Placed& out) const {
  const StatedSegment& segment = motion_.segments[static_cast<std::size_t>(segment_)];
  BodyState& s = out.state;
  s.p_WB += s.R_WB * body.shift;
  s.R_WB = s.R_WB * body.turn.toRotationMatrix();
  for (const StatedMove& move : body.moves) {
    double value = move.offset, rate = 0.0, acceleration = 0.0;
    Bounds b{std::abs(move.offset), 0.0, 0.0, 0.0, 0.0};
    if (move.curve >= 0) {
      const StatedCurve& curve = segment.curves[static_cast<std::size_t>(move.curve)];
      const std::array<double, 6> d = derivatives_at(curve.value, middle);
      const double factor = std::abs(move.multiplier);
      value += move.multiplier * d[0];
      rate = move.multiplier * d[1];
      acceleration = move.multiplier * d[2];
      b.value += factor * taylor_bound(d, 0, half);
      b.rate = factor * taylor_bound(d, 1, half);
      b.acceleration = factor * taylor_bound(d, 2, half);
      b.jerk = factor * taylor_bound(d, 3, half);
      b.tube = factor * curve.tube;
    }
    out.moves.push_back(b);
    const StatedTurn* turn = move.turn < 0 ? nullptr : &segment.turns[static_cast<std::size_t>(move.turn)];
    const Eigen::Vector3d axis = turn != nullptr ? turn->axis : move.axis;
    const Eigen::Vector3d e = s.R_WB * axis, we = s.w.cross(e);
    if (move.kind == Kind::Translation) {
      s.v_dot += acceleration * e + rate * we;
      s.v += rate * e;
      s.p_WB += value * e;
      continue;
    }
    const Eigen::Vector3d pe = s.p_WB.cross(e);
    s.v_dot += acceleration * pe + rate * ((s.v + s.w.cross(s.p_WB)).cross(e) + s.p_WB.cross(we));
    s.w_dot += acceleration * e + rate * we;
    s.v += rate * pe;
    s.w += rate * e;
    s.R_WB = s.R_WB * Eigen::AngleAxisd(value, axis).toRotationMatrix();
    if (turn != nullptr) s.R_WB = s.R_WB * turn->start.toRotationMatrix();
  }
}

void StatedKinematics::bound(const std::vector<Element>& way, const Instant& instant, StatedRelative& out) const {
  LinearBound lever{0.0, 1.0}, first, second, third, tube;
  const auto add = [](LinearBound& sum, double factor, const LinearBound& x) {
    sum.a += factor * x.a;
    sum.b += factor * x.b;
  };
  for (std::size_t i = way.size(); i-- > 0;) {
    const StatedBody& body = motion_.bodies[static_cast<std::size_t>(way[i].body)];
    if (way[i].move < 0) {
      lever.a += body.shift.norm();
      continue;
    }
    const auto move = static_cast<std::size_t>(way[i].move);
    const auto& [value, w, a, j, d] = instant.at(way[i].body).moves[move];
    if (body.moves[move].kind == Kind::Translation) {
      lever.a += value + d;
      first.a += w;
      second.a += a;
      third.a += j;
      tube.a += d;
      continue;
    }
    add(third, 3.0 * w, second);
    add(third, 3.0 * (w * w + a), first);
    add(third, w * (w * w + 3.0 * a) + j, lever);
    add(second, 2.0 * w, first);
    add(second, w * w + a, lever);
    add(first, w, lever);
    add(tube, d, lever);
  }
  for (LinearBound* b : {&second, &third, &tube}) b->a *= kLooser, b->b *= kLooser;
  out.second = second;
  out.third = third;
  out.tube = tube;
  out.lever = lever.a;
}

const StatedRelative& StatedKinematics::over(int a, int b, std::uint64_t t0, std::uint64_t t1) {
  const IntervalOf key = interval_of(a, b, t0, t1);
  const auto known = relatives_.find(key);
  if (known != relatives_.end()) return known->second;
  if (relatives_.size() >= kMostRelatives) relatives_.clear();
  if (placed_ >= kMostPlaced) {
    placed_ = 0;
    instants_.clear();
  }
  Instant& now = instants_[key.second];
  const Placed &of_a = place(a, t0, t1, now), &of_b = place(b, t0, t1, now);
  PairState state;
  if (b == 0) {
    state.set(of_a.state);
  } else {
    state.set(of_a.state, of_b.state);
  }
  StatedRelative& out = relatives_[key];
  out.R[0] = state.R_BA;
  out.R[1] = cross(state.w, state.R_BA);
  out.R[2] = cross(state.w_dot, state.R_BA) + cross(state.w, out.R[1]);
  out.p[0] = state.p_BA;
  out.p[1] = state.v + state.w.cross(state.p_BA);
  out.p[2] = state.v_dot + state.w_dot.cross(state.p_BA) + state.w.cross(out.p[1]);
  bound(way(a, b), now, out);
  // Each move and body adds some hundred roundings, relative to lengths, angles, and velocities times the interval, which is at most
  // 1; 4096 u is more than enough where it is not accumulated over hundreds of bodies.
  const double roundings = 4096.0 * kUnitRoundoff * (1.0 + of_a.depth + of_b.depth) * (1.0 + of_a.turned + of_b.turned);
  out.rounding = roundings * (1.0 + out.lever + of_a.far + of_b.far);
  return out;
}

}  // namespace planner_ccd
