#pragma once

#include <vector>

namespace planner_ccd::bench {

/// The value below which a share `p` in [0, 1] of the samples lies, interpolated linearly between neighbours: 0.5 is
/// the median, 0.95 the p95 of the tables. NaN without samples.
double percentile(std::vector<double> samples, double p);

inline double median(std::vector<double> samples) { return percentile(std::move(samples), 0.5); }

/// A measurement and its spread, in the unit of the samples.
struct Summary {
  double median;
  double p05;
  double p95;
  double mean;
  int count;
};

/// All NaN without samples.
Summary summarise(std::vector<double> samples);

}  // namespace planner_ccd::bench
