#pragma once

#include <iosfwd>

#include "planner_ccd/certificate/verifier/sha256.hpp"

namespace pccd {

/// The SHA-256 of what a certificate states in canonical form (FORMAT.md, "What is stated"): of all that decides whether its claim is
/// true, in an order that does not depend on who wrote it. `statement`: SHA-256 of the statement's bytes, as it was read before.
/// Throws Unreadable, also where the file has changed since.
Digest meaning_of(std::istream& file, const Digest& statement);

}  // namespace pccd
