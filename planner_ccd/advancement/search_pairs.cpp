#include "planner_ccd/advancement/search_pairs.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {

double kept_margin(double required, double displaced_a, double displaced_b) {
  for (const double displaced : {displaced_a, displaced_b}) {
    if (displaced > 0.0) required = add_up(required, displaced);
  }
  return required;
}

double RestingRow::greatest_margin() const {
  double greatest = margin;
  for (const auto& [resting, of_it] : margins) greatest = std::max(greatest, of_it);
  return greatest;
}

void SearchPairs::add(RestingRow row) {
  begin_.push_back(begin_.back() + resting_.size() - row.excluded.size());
  if (begin_.back() > std::numeric_limits<int>::max() / 2) {
    throw InputError("the scene has more than a thousand million pairs to check; leave out objects or split the scene");
  }
  rows_.push_back(std::move(row));
}

/// In a row with exclusions x_0 < x_1 < ..., the k-th pair is that with resting tree k + c, where c counts the x_i <= k
/// + c. Since x_i - i never decreases, c is the number of i with x_i - i <= k.
std::pair<int, int> SearchPairs::place(std::size_t pair) const {
  const auto next = std::upper_bound(begin_.begin(), begin_.end(), pair);
  const auto row = static_cast<std::size_t>(next - begin_.begin()) - 1;
  const std::vector<int>& excluded = rows_[row].excluded;
  const int k = static_cast<int>(pair - begin_[row]);
  int low = 0, high = static_cast<int>(excluded.size());
  while (low < high) {
    const int middle = (low + high) / 2;
    if (excluded[middle] - middle <= k) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {static_cast<int>(row), k + low};
}

int SearchPairs::find(int row, int resting) const {
  const std::vector<int>& excluded = rows_[row].excluded;
  const auto at = std::lower_bound(excluded.begin(), excluded.end(), resting);
  if (at != excluded.end() && *at == resting) return -1;
  return static_cast<int>(begin_[row]) + resting - static_cast<int>(at - excluded.begin());
}

SearchPair SearchPairs::resting(std::size_t pair) const {
  const auto [row, resting] = place(pair);
  const RestingRow& r = rows_[row];
  const auto own = std::lower_bound(r.margins.begin(), r.margins.end(), std::pair(resting, 0.0),
                                    [](const auto& x, const auto& y) { return x.first < y.first; });
  const bool is_own = own != r.margins.end() && own->first == resting;
  const Resting& of = of_resting_[resting];
  const double required = is_own ? own->second : r.margin;
  return {r.tree, resting_[resting], r.chain, kept_margin(required, r.displaced, of.displaced), required, r.link,
          of.link};
}

}  // namespace planner_ccd
