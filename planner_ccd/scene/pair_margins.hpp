#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// Something that keeps a margin to others.
struct Margined {
  const std::string& name;
  int robot;  ///< The robot that it is part of or held by; -1: none.

  bool is_of_one_robot_with(const Margined& other) const { return robot >= 0 && robot == other.robot; }
};

/// Margins of pairs that the scene does not mention.
struct Margins {
  double outside = 0.0;  ///< [m] Between a robot and its surroundings, other robots included.
  double within = 0.0;   ///< [m] Between links of one robot and what they hold.

  Margins(double outside_robots, double within_a_robot) : outside(outside_robots), within(within_a_robot) {}
  Margins(double of_all) : Margins(of_all, of_all) {}

  double of(const Margined& a, const Margined& b) const { return a.is_of_one_robot_with(b) ? within : outside; }
};

/// The margins of a scene by pair: from the last entry that names both exactly; else, unless both belong to one robot,
/// from the last one with a "*"; else the default. Unless both belong to one robot, the padding of either is added.
class PairMargins {
 public:
  PairMargins(const Scene& scene, const Margins& otherwise);

  double of(const Margined& a, const Margined& b) const;
  /// Between a part of a robot and an obstacle that no rule names.
  double of(const Margined& a) const;

 private:
  struct Entry {
    int order = -1;  ///< -1: there is none.
    double margin = 0.0;
  };
  std::map<std::pair<std::string, std::string>, double> exact_;  ///< The lesser name first.
  std::map<std::string, Entry> any_;                             ///< For a name and "*".
  std::map<std::string, double> padding_;
  Margins otherwise_;

  Entry any(const std::string& name) const;
  double later(const Entry& x, const Entry& y) const;
  double padding(const Margined& a) const;
  static double padded(double margin, double padding);
};

}  // namespace planner_ccd
