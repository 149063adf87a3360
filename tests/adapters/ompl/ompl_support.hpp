#pragma once

#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/util/Console.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "planner_ccd/adapters/ompl.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd::testing {

namespace ob = ::ompl::base;

/// A scenario as an OMPL problem, with the oracle for the same data.
struct OmplCase {
  Scenario scenario;
  std::shared_ptr<const PathChecker> checker;
  ob::StateSpacePtr space;
  ob::SpaceInformationPtr si;
  truth::Oracle oracle;
  OmplStateMap map;

  explicit OmplCase(Scenario s)
      : scenario(std::move(s)),
        checker(std::make_shared<const PathChecker>(scenario.robot, scenario.scene, scenario.matrix, scenario.options)),
        space(ompl_state_space(*scenario.robot)),
        si(std::make_shared<ob::SpaceInformation>(space)),
        oracle(scenario.spec, scenario.scene, scenario.matrix, scenario.options.margin, scenario.options.self_margin),
        map(*scenario.robot, space) {
    if (oracle.pairs().empty()) throw std::logic_error("the oracle of " + scenario.name + " judges no pair");
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    prove_motions(si, checker);
    si->setup();
  }

  JointVector read(const ob::State* state) const {
    JointVector q;
    map.read(state, q);
    return q;
  }

  /// [m] The oracle's answer for one state: distance less margin of the nearest pair, 0 when one body is inside
  /// another.
  double truth_at(const ob::State* state) const {
    truth::Edge at;
    at.q0 = read(state);
    at.q1 = at.q0;
    for (std::size_t p = 0; p < oracle.pairs().size(); ++p) {
      if (oracle.nested_at(at, static_cast<int>(p), 0)) return 0.0;
    }
    return static_cast<double>(oracle.clearance(at, 0));
  }

  /// [m] As truth_at, without margins.
  double distance_at(const ob::State* state) const {
    truth::Edge at;
    at.q0 = read(state);
    at.q1 = at.q0;
    truth::Real least = std::numeric_limits<truth::Real>::infinity();
    for (std::size_t p = 0; p < oracle.pairs().size(); ++p) {
      const bool nested = oracle.nested_at(at, static_cast<int>(p), 0);
      least = std::min(least, nested ? truth::Real(0) : oracle.distance(at, static_cast<int>(p), 0));
    }
    return static_cast<double>(least);
  }

  /// Whether the oracle's samples of the motion show a contact; they are as dense as the distance and the speed of each
  /// pair require.
  bool oracle_sees_contact(const ob::State* from, const ob::State* to) const {
    truth::Edge edge;
    edge.angles = AnglePolicy::Wrap;
    edge.q0 = read(from);
    edge.q1 = read(to);
    truth::ScanOptions options;
    options.step = options.fine_step = 2e-3L;  // good paths graze for a long time
    for (std::size_t p = 0; p < oracle.pairs().size(); ++p) {
      if (oracle.scan(edge, static_cast<int>(p), 0, 1, options).hit || oracle.nested_at(edge, static_cast<int>(p), 0))
        return true;
    }
    return false;
  }
};

/// A state of the space, drawn without OMPL's generator.
inline void draw_state(Draw& draw, const RobotModel& robot, const OmplStateMap& map, double size, ob::State* state) {
  JointVector q = draw.configuration(robot, size);
  for (int i = 0; i < q.size(); ++i) {
    const Coordinate& c = robot.coordinates()[i];
    if (c.continuous) q[i] = draw.uniform(-std::numbers::pi, std::numbers::pi);
  }
  map.write(q, state);
}

}  // namespace planner_ccd::testing
