#pragma once

namespace planner_ccd {

/// Every bound of this library is derived for IEEE arithmetic in the processor's default state: rounding to nearest,
/// subnormals kept. A program can change that for a whole thread: fesetround(), _MM_SET_FLUSH_ZERO_MODE, or a library
/// whose start-up code does so because it was linked with -ffast-math. Rounding upwards makes pads too small; flushing
/// subnormals loses small gaps.
///
/// Throws InputError naming the deviation on this thread. Takes a few nanoseconds; called whenever a body or a checker
/// is built and once per query.
[[gnu::visibility("default")]] void require_ieee_arithmetic();

}  // namespace planner_ccd
