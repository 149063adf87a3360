#include "planner_ccd/adapters/ompl/state_map.hpp"

#include <ompl/base/ScopedState.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>

#include <cmath>
#include <numbers>
#include <random>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

/// [1] For cosines of half a turn below this the shorter way is ambiguous: rounding may decide it differently here and
/// in OMPL.
constexpr double kHalfTurn = 1e-9;

template <class State>
State* descend(State* state, const std::vector<unsigned>& path) {
  for (const unsigned i : path) state = state->template as<ob::CompoundState>()->components[i];
  return state;
}

}  // namespace

class OmplStateMap::Builder {
 public:
  Builder(const RobotModel& robot, const std::vector<std::string>& names, std::vector<Part>& parts)
      : robot_(robot), names_(names), parts_(parts) {}

  void add(const ob::StateSpace* space, const std::vector<unsigned>& path) {
    if (const auto* reals = dynamic_cast<const ob::RealVectorStateSpace*>(space)) {
      for (unsigned i = 0; i < reals->getDimension(); ++i) {
        parts_.push_back({Kind::Real, path, i, coordinate(next_name(reals->getDimensionName(i)), space)});
      }
    } else if (dynamic_cast<const ob::SO2StateSpace*>(space)) {
      parts_.push_back({Kind::Angle, path, 0, angle(next_name(space->getName()), space)});
    } else if (dynamic_cast<const ob::SO3StateSpace*>(space)) {
      parts_.push_back({Kind::Rotation, path, 0, joint(next_name(space->getName()), JointType::Floating, space) + 3});
    } else if (dynamic_cast<const ob::SE2StateSpace*>(space)) {
      const int q = joint(next_name(space->getName()), JointType::Planar, space);
      for (unsigned i = 0; i < 2; ++i) parts_.push_back({Kind::Real, child(path, 0), i, q + static_cast<int>(i)});
      parts_.push_back({Kind::Angle, child(path, 1), 0, q + 2});
    } else if (dynamic_cast<const ob::SE3StateSpace*>(space)) {
      const int q = joint(next_name(space->getName()), JointType::Floating, space);
      for (unsigned i = 0; i < 3; ++i) parts_.push_back({Kind::Real, child(path, 0), i, q + static_cast<int>(i)});
      parts_.push_back({Kind::Rotation, child(path, 1), 0, q + 3});
    } else if (const auto* compound = dynamic_cast<const ob::CompoundStateSpace*>(space)) {
      for (unsigned i = 0; i < compound->getSubspaceCount(); ++i) {
        add(compound->getSubspace(i).get(), child(path, i));
      }
    } else {
      throw InputError("OMPL space '" + space->getName() +
                       "': only real vectors, SO2, SO3, SE2, SE3 and compounds of them can be mapped to joints");
    }
  }

  void finish(bool may_lack) const {
    if (!names_.empty() && used_ != names_.size()) {
      throw InputError("the OMPL space has " + std::to_string(used_) + " named parts, but " +
                       std::to_string(names_.size()) + " names of joints are given");
    }
    std::vector<int> count(static_cast<std::size_t>(robot_.dof()), 0);
    for (const Part& part : parts_) {
      for (int k = 0; k < (part.kind == Kind::Rotation ? 4 : 1); ++k) ++count[part.coordinate + k];
    }
    for (int i = 0; i < robot_.dof(); ++i) {
      const std::string name = "'" + robot_.coordinates()[i].name + "' of robot '" + robot_.name() + "'";
      if (count[i] > 1) throw InputError("the OMPL space has joint " + name + " twice");
      if (count[i] == 0 && !may_lack) {
        throw InputError("the OMPL space lacks joint " + name + "; say where it stands (`elsewhere`)");
      }
    }
  }

 private:
  const RobotModel& robot_;
  const std::vector<std::string>& names_;
  std::vector<Part>& parts_;
  std::size_t used_ = 0;

  static std::vector<unsigned> child(std::vector<unsigned> path, unsigned i) {
    path.push_back(i);
    return path;
  }

  std::string next_name(const std::string& own) {
    const std::size_t i = used_++;
    if (names_.empty()) return own;
    return i < names_.size() ? names_[i] : std::string();
  }

  int coordinate(const std::string& name, const ob::StateSpace* space) const {
    const int i = robot_.find_coordinate(name);
    if (i >= 0) return i;
    if (name.empty()) {
      throw InputError("OMPL space '" + space->getName() +
                       "': a dimension has no name; call setDimensionName with the joint's, or give `joints`");
    }
    throw InputError("OMPL space '" + space->getName() + "': robot '" + robot_.name() + "' has no joint coordinate '" +
                     name + "'");
  }

  int angle(const std::string& name, const ob::StateSpace* space) const {
    const int i = coordinate(name, space);
    if (!robot_.coordinates()[i].continuous) {
      throw InputError("OMPL space '" + space->getName() + "': joint '" + name +
                       "' is not an angle without limits, or a mimic joint is elsewhere after its turn, so SO(2) is "
                       "not its space; use a "
                       "dimension of a real vector");
    }
    return i;
  }

  int joint(const std::string& name, JointType type, const ob::StateSpace* space) const {
    for (const Joint& joint : robot_.joints()) {
      if (joint.name == name && joint.type == type && joint.q_size > 0) return joint.q_index;
    }
    throw InputError("OMPL space '" + space->getName() + "': robot '" + robot_.name() + "' has no " +
                     (type == JointType::Planar ? "planar" : "floating") + " joint '" + name + "'");
  }
};

OmplStateMap::OmplStateMap(const RobotModel& robot, ob::StateSpacePtr space, const OmplMapOptions& options)
    : space_(std::move(space)), elsewhere_(options.elsewhere) {
  const bool may_lack = elsewhere_.size() > 0;
  if (may_lack && (elsewhere_.size() != robot.dof() || !elsewhere_.allFinite())) {
    throw InputError("OmplMapOptions::elsewhere must have " + std::to_string(robot.dof()) + " finite values");
  }
  if (!may_lack) elsewhere_ = robot.neutral();
  Builder builder(robot, options.joints, parts_);
  builder.add(space_.get(), {});
  builder.finish(may_lack);
  verify_interpolation(robot);
}

void OmplStateMap::read(const ob::State* state, JointVector& q) const {
  q = elsewhere_;
  for (const Part& part : parts_) {
    const ob::State* leaf = descend(state, part.path);
    switch (part.kind) {
      case Kind::Real:
        q[part.coordinate] = leaf->as<ob::RealVectorStateSpace::StateType>()->values[part.dimension];
        break;
      case Kind::Angle: q[part.coordinate] = leaf->as<ob::SO2StateSpace::StateType>()->value; break;
      case Kind::Rotation: {
        const auto* r = leaf->as<ob::SO3StateSpace::StateType>();
        q.segment<4>(part.coordinate) << r->x, r->y, r->z, r->w;
        break;
      }
    }
  }
}

void OmplStateMap::write(const JointVectorRef& q, ob::State* state) const {
  for (const Part& part : parts_) {
    ob::State* leaf = descend(state, part.path);
    switch (part.kind) {
      case Kind::Real:
        leaf->as<ob::RealVectorStateSpace::StateType>()->values[part.dimension] = q[part.coordinate];
        break;
      case Kind::Angle: {
        auto* angle = leaf->as<ob::SO2StateSpace::StateType>();
        angle->value = std::remainder(q[part.coordinate], 2.0 * std::numbers::pi);
        if (angle->value <= -std::numbers::pi) angle->value = std::numbers::pi;  // OMPL's range is (-pi, pi]
        break;
      }
      case Kind::Rotation: {
        auto* r = leaf->as<ob::SO3StateSpace::StateType>();
        const Eigen::Vector4d unit = q.segment<4>(part.coordinate).normalized();
        r->x = unit[0], r->y = unit[1], r->z = unit[2], r->w = unit[3];
        break;
      }
    }
  }
}

bool OmplStateMap::read_motion(const ob::State* from, const ob::State* to, JointVector& q0, JointVector& q1) const {
  read(from, q0);
  read(to, q1);
  bool one_way = true;
  for (const Part& part : parts_) {
    const int i = part.coordinate;
    if (part.kind == Kind::Angle) {
      // Decided as by SO2StateSpace::interpolate.
      const double turn = q1[i] - q0[i];
      if (std::abs(turn) > std::numbers::pi) q1[i] = q0[i] + (turn - std::copysign(2.0 * std::numbers::pi, turn));
    } else if (part.kind == Kind::Rotation) {
      one_way = one_way && std::abs(q0.segment<4>(i).dot(q1.segment<4>(i))) > kHalfTurn;
    }
  }
  return one_way;
}

/// The space classes are known, but a class derived from one of them may interpolate differently.
void OmplStateMap::verify_interpolation(const RobotModel& robot) const {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](ob::State* state) {
    JointVector q(robot.dof());
    for (double& x : q) x = unit(rng);
    for (const Part& part : parts_) {
      if (part.kind == Kind::Angle) q[part.coordinate] *= std::numbers::pi;
    }
    write(q, state);
  };
  ob::ScopedState<> from(space_), to(space_), between(space_);
  EdgeMotion motion(robot);
  JointVector q0, q1, q;
  for (int i = 0; i < 8; ++i) {
    draw(from.get());
    draw(to.get());
    if (!read_motion(from.get(), to.get(), q0, q1)) continue;
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    for (const double t : {0.2, 0.5, 0.9}) {
      space_->interpolate(from.get(), to.get(), t, between.get());
      read(between.get(), q);
      const JointVector ours = motion.configuration(t);
      for (const Part& part : parts_) {
        double error = q[part.coordinate] - ours[part.coordinate];
        if (part.kind == Kind::Angle) error = std::remainder(error, 2.0 * std::numbers::pi);
        if (part.kind == Kind::Rotation) {
          error = 1.0 - std::abs(q.segment<4>(part.coordinate).dot(ours.segment<4>(part.coordinate)));
        }
        if (std::abs(error) < 1e-9) continue;
        throw InputError("OMPL space '" + space_->getName() + "' does not move joint '" +
                         robot.coordinates()[part.coordinate].name +
                         "' in a straight line between states; only such motions can be proved");
      }
    }
  }
}

}  // namespace planner_ccd
