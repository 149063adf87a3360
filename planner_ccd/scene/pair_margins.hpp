#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// Something that has a margin to others.
struct Margined {
  const std::string& name;
  int robot;  ///< That it is part of, as a link or because a link holds it; -1: none.

  bool is_of_one_robot_with(const Margined& other) const { return robot >= 0 && robot == other.robot; }
};

/// What is demanded of pairs of which the scene says nothing.
struct Margins {
  double outside = 0.0;  ///< [m] Of a robot and what is around it, other robots included.
  double within = 0.0;   ///< [m] Of two links of one robot, and of what they hold.

  Margins(double outside_robots, double within_a_robot) : outside(outside_robots), within(within_a_robot) {}
  Margins(double of_all) : Margins(of_all, of_all) {}

  double of(const Margined& a, const Margined& b) const { return a.is_of_one_robot_with(b) ? within : outside; }
};

/// The margins of a scene by pair: of the last entry that names both exactly, else, unless both are of one robot, of the last one
/// with a "*", else the default; and the padding of either on top, unless both are of one robot.
class PairMargins {
 public:
  PairMargins(const Scene& scene, const Margins& otherwise);

  double of(const Margined& a, const Margined& b) const;
  /// Of a part of a robot and an obstacle that is named nowhere.
  double of(const Margined& a) const;

 private:
  struct Entry {
    int order = -1;  ///< -1: there is none.
    double margin = 0.0;
  };
  std::map<std::pair<std::string, std::string>, double> exact_;  ///< The lesser name first.
  std::map<std::string, Entry> any_;                             ///< Of the name and "*".
  std::map<std::string, double> padding_;
  Margins otherwise_;

  Entry any(const std::string& name) const;
  double later(const Entry& x, const Entry& y) const;
  double padding(const Margined& a) const;
  static double padded(double margin, double padding);
};

}  // namespace planner_ccd
