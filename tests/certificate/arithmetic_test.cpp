#include <gtest/gtest.h>

#include <cfenv>
#include <sstream>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "planner_ccd/certificate/verifier/verify.hpp"

/// The verifier's bounds hold for IEEE 754 arithmetic, rounded to nearest. Where a program that it is part of has something else it used to
/// verify all the same; it must say so, and of any file. (A compiler with -ffast-math does not take it: options.py.)
namespace planner_ccd {
namespace {

std::string answer() {
  std::istringstream in("PCCDCERT and no more");
  const pccd::Outcome outcome = pccd::verify(in);
  EXPECT_EQ(outcome.answer, pccd::Answer::Unreadable);
  return outcome.reason;
}

TEST(CertificateArithmetic, OtherRoundingsAreRefused) {
  const std::string usual = answer();
  EXPECT_EQ(usual.find("IEEE 754"), std::string::npos) << usual;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::string said = answer();
    std::fesetround(FE_TONEAREST);
    EXPECT_NE(said.find("IEEE 754"), std::string::npos) << mode << ": " << said;
  }
  EXPECT_EQ(answer(), usual);
}

#if defined(__SSE2__)
TEST(CertificateArithmetic, SubnormalNumbersTakenForZeroAreRefused) {
  const unsigned usual = _mm_getcsr();
  for (const unsigned flushed : {0x8000U, 0x0040U, 0x8040U}) {
    _mm_setcsr(usual | flushed);
    const std::string said = answer();
    _mm_setcsr(usual);
    EXPECT_NE(said.find("IEEE 754"), std::string::npos) << flushed << ": " << said;
  }
}
#endif

}  // namespace
}  // namespace planner_ccd
