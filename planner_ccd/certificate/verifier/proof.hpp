#pragma once

#include "planner_ccd/certificate/verifier/motion.hpp"

namespace pccd {

/// What a walk through the proofs has seen; of several files the last one's units, and all leaves, splits and rays.
struct Coverage {
  std::uint64_t first = 0, last = 0;  ///< Units [first, last) are proved; unit = segment * pairs + pair.
  std::uint64_t leaves = 0, splits = 0;
  std::uint64_t rays = 0;  ///< Points found outside of a closed body, by other means than a separating plane.
};

/// Reads the proofs to the end of the file and checks every step. Memory does not grow with what is read. Throws Refuted with
/// the place and the reason, Unreadable for what is no proof.
void check_proofs(Reader& in, Statement& statement, Coverage& coverage);

}  // namespace pccd
