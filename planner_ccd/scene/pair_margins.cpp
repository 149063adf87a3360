#include "planner_ccd/scene/pair_margins.hpp"

#include <algorithm>

namespace planner_ccd {

PairMargins::PairMargins(const std::vector<PairMargin>& entries, double otherwise) : otherwise_(otherwise) {
  int order = 0;
  for (const PairMargin& m : entries) {
    if (m.a == "*" || m.b == "*") {
      any_[m.a == "*" ? m.b : m.a] = {order++, m.margin};
    } else {
      exact_[std::minmax(m.a, m.b)] = m.margin;
    }
  }
}

/// The later of the entry of a name and that of "*" with itself.
PairMargins::Entry PairMargins::any(const std::string& name) const {
  Entry latest;
  for (const std::string& key : {name, std::string("*")}) {
    const auto found = any_.find(key);
    if (found != any_.end() && found->second.order > latest.order) latest = found->second;
  }
  return latest;
}

double PairMargins::later(const Entry& x, const Entry& y) const {
  const Entry& latest = x.order > y.order ? x : y;
  return latest.order < 0 ? otherwise_ : latest.margin;
}

double PairMargins::of(const std::string& a, const std::string& b) const {
  const auto found = exact_.find(std::minmax(a, b));
  return found != exact_.end() ? found->second : later(any(a), any(b));
}

double PairMargins::of(const std::string& a) const { return later(any(a), Entry()); }

}  // namespace planner_ccd
