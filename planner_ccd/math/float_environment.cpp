#include "planner_ccd/math/float_environment.hpp"

#include <limits>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {
namespace {

[[noreturn]] void refuse(const char* what, const char* remedy) {
  throw InputError(std::string("this thread's floating-point environment: ") + what +
                   ", for which no bound of planner_ccd holds; " + remedy);
}

[[noreturn]] void refuse_rounding() {
  refuse("numbers are not rounded to nearest", "call std::fesetround(FE_TONEAREST) before planner_ccd");
}

[[noreturn]] void refuse_flushing() {
  refuse("subnormal numbers are taken for zero",
         "switch that off before planner_ccd (on x86 _MM_SET_FLUSH_ZERO_MODE and _MM_SET_DENORMALS_ZERO_MODE), and do "
         "not link with "
         "-ffast-math or -Ofast, which switch it on at start-up");
}

}  // namespace

#if defined(__SSE2__)

/// All arithmetic here is SSE's, which is controlled by one register.
void require_ieee_arithmetic() {
  constexpr unsigned kRounding = 0x6000, kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  const unsigned state = _mm_getcsr();
  if ((state & (kRounding | kFlushToZero | kDenormalsAreZero)) == 0) return;
  if ((state & kRounding) != 0) refuse_rounding();
  refuse_flushing();
}

#else

/// Tested by its effect, on any processor. `volatile`: the compiler would compute the sums itself, correctly.
void require_ieee_arithmetic() {
  volatile double one = 1.0, little = 0.5 * kUnitRoundoff;
  if (one + little != 1.0 || one - 0.5 * little != 1.0 || -one - little != -1.0) refuse_rounding();
  volatile double least = std::numeric_limits<double>::min(), half = 0.5;
  volatile double subnormal = std::numeric_limits<double>::denorm_min();
  if (least * half == 0.0 || subnormal + subnormal == 0.0) refuse_flushing();
}

#endif

}  // namespace planner_ccd
