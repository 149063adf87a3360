#pragma once

#include <ctime>
#include <utility>
#include <vector>

#include "bench/support/statistics.hpp"

namespace planner_ccd::bench {

/// [s] Processor time used by this thread, without other processes and waiting.
inline double thread_cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Keeps the compiler from dropping the computation of `value`, or from moving it out of the timed region.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// [s] Processor time of one call of `work`.
template <typename Work>
double time_once(Work&& work) {
  const double start = thread_cpu_seconds();
  std::forward<Work>(work)();
  return thread_cpu_seconds() - start;
}

/// [ns] per item: each call of `pass` handles `items` items. One call to warm up, then the statistics of `repetitions`
/// calls. A pass should take at least 20 microseconds: reading the clock takes some 0.2.
template <typename Pass>
Summary time_items(int items, int repetitions, Pass&& pass) {
  pass();
  std::vector<double> nanoseconds;
  for (int i = 0; i < repetitions; ++i) nanoseconds.push_back(1e9 * time_once(pass) / items);
  return summarise(std::move(nanoseconds));
}

}  // namespace planner_ccd::bench
