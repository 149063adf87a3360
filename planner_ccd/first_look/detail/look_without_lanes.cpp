// Replaces look_lanes.cpp where Highway is not installed.
#include "planner_ccd/first_look/look_tables.hpp"

namespace planner_ccd::look {

void look(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings) {
  look_one_by_one(tables, edge, until, part, findings);
}

}  // namespace planner_ccd::look
