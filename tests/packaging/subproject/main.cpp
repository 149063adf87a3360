#include <planner_ccd/planner_ccd.hpp>

int main() { return planner_ccd::Scene{}.objects.empty() ? 0 : 1; }
