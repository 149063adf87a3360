#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "planner_ccd/certificate/verifier/verify.hpp"
#include "planner_ccd/math/sha256.hpp"

/// What a forger can do with a certificate and an hour's work.
namespace planner_ccd::testing {

struct StatementBytes {
  std::size_t end = 0;       ///< Of the statement, in the file.
  std::size_t segments = 0;  ///< Of its end, the bytes that are the motion.
};

inline StatementBytes statement_bytes(const std::string& certificate) {
  std::istringstream in(certificate);
  pccd::Reader reader(in);
  const pccd::Statement s = pccd::read_statement(reader);
  StatementBytes out{certificate.size() - reader.left(), 0};
  for (const pccd::Segment& segment : s.segments) {
    out.segments += 16 + 56 * segment.turns.size();
    for (const pccd::Curve& curve : segment.curves) out.segments += 17 + 8 * static_cast<std::size_t>(curve.degree);
  }
  return out;
}

/// The certificate with the motion of another one put in place of its own, and a SHA-256 that is right.
inline std::string with_motion_of(std::string certificate, const std::string& other) {
  constexpr std::size_t kHead = 44;
  const StatementBytes mine = statement_bytes(certificate), theirs = statement_bytes(other);
  certificate.replace(mine.end - mine.segments, mine.segments, other, theirs.end - theirs.segments, theirs.segments);
  const std::size_t length = mine.end - mine.segments + theirs.segments - kHead;
  const Sha256::Digest digest = Sha256::of(certificate.data() + kHead, length);
  certificate.replace(12, digest.size(), reinterpret_cast<const char*>(digest.data()), digest.size());
  return certificate;
}

inline void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace planner_ccd::testing
