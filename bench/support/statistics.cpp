#include "bench/support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace planner_ccd::bench {
namespace {

double percentile_of_sorted(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

}  // namespace

double percentile(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  return percentile_of_sorted(samples, p);
}

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return {percentile_of_sorted(samples, 0.5), percentile_of_sorted(samples, 0.05), percentile_of_sorted(samples, 0.95),
          sum / static_cast<double>(samples.size()), static_cast<int>(samples.size())};
}

}  // namespace planner_ccd::bench
