#pragma once

#include <string>

namespace planner_ccd::bench {

/// The machine and build of a measurement; written beside the rows.
struct Machine {
  std::string cpu;
  int cores;         ///< Logical cores.
  std::string simd;  ///< Widest vector extension of the processor: "avx512", "avx2", "sse4.2", "neon" or "unknown".
  std::string compiler;
  std::string system;  ///< Kernel name, release and architecture.
};

Machine this_machine();

}  // namespace planner_ccd::bench
