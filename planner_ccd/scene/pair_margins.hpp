#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// The margins of a scene by pair: of the last entry that names both exactly, else of the last one with a "*", else the default.
class PairMargins {
 public:
  PairMargins(const std::vector<PairMargin>& entries, double otherwise);

  double of(const std::string& a, const std::string& b) const;
  /// Of pairs of which only `a` is named anywhere.
  double of(const std::string& a) const;

 private:
  struct Entry {
    int order = -1;  ///< -1: there is none.
    double margin = 0.0;
  };
  std::map<std::pair<std::string, std::string>, double> exact_;  ///< The lesser name first.
  std::map<std::string, Entry> any_;                             ///< Of the name and "*".
  double otherwise_;

  Entry any(const std::string& name) const;
  double later(const Entry& x, const Entry& y) const;
};

}  // namespace planner_ccd
