#include "planner_ccd/validation/describe_finding.hpp"

#include <array>
#include <cstdio>

namespace planner_ccd {

std::string millimetres(double metres) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g mm", 1e3 * metres);
  return text.data();
}

std::string unsettled(const std::optional<LinkPair>& pair) {
  return (pair ? pair->a + " and " + pair->b + " are" : std::string("it is")) +
         " not settled within the budget; more evaluations or a greater tolerance may settle it";
}

void describe_finding(Finding& f, double nearest, double at, double tolerance) {
  const Contact& c = *f.contact;
  const std::string asked = c.margin > 0.0 ? " (margin " + millimetres(c.margin) + ")" : "";
  if (c.inside) {
    f.message = c.a + " and " + c.b + ": one is inside the other";
  } else if (!(nearest > tolerance)) {
    f.message = c.a + " meets " + c.b + asked;
  } else {
    const bool by_errors = nearest > c.margin + tolerance;
    f.kind = FindingKind::Margin;
    f.message = c.a + " comes within " + millimetres(nearest) + " of " + c.b + asked +
                (by_errors ? ", and errors may bring them " + millimetres(c.error) + " nearer" : "");
    f.value = nearest;
    f.limit = by_errors ? c.margin + c.error : c.margin;
    f.at = at;
  }
}

}  // namespace planner_ccd
