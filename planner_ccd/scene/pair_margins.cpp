#include "planner_ccd/scene/pair_margins.hpp"

#include <algorithm>

#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {

PairMargins::PairMargins(const Scene& scene, const Margins& otherwise) : otherwise_(otherwise) {
  int order = 0;
  for (const PairMargin& m : scene.margins) {
    if (m.a == "*" || m.b == "*") {
      any_[m.a == "*" ? m.b : m.a] = {order++, m.margin};
    } else {
      exact_[std::minmax(m.a, m.b)] = m.margin;
    }
  }
  for (const Padding& p : scene.padding) padding_[p.name] = p.padding;
}

/// The later of two entries: of a name, and of "*" with itself.
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
  return latest.order < 0 ? otherwise_.outside : latest.margin;
}

double PairMargins::padding(const Margined& a) const {
  const auto found = padding_.find(a.name);
  return found == padding_.end() ? 0.0 : found->second;
}

/// Adding 0 is exact.
double PairMargins::padded(double margin, double padding) { return padding == 0.0 ? margin : add_up(margin, padding); }

double PairMargins::of(const Margined& a, const Margined& b) const {
  const auto found = exact_.find(std::minmax(a.name, b.name));
  const bool exact = found != exact_.end();
  if (a.is_of_one_robot_with(b)) return exact ? found->second : otherwise_.within;
  const double margin = exact ? found->second : later(any(a.name), any(b.name));
  return padded(margin, padded(padding(a), padding(b)));
}

double PairMargins::of(const Margined& a) const { return padded(later(any(a.name), Entry()), padding(a)); }

}  // namespace planner_ccd
