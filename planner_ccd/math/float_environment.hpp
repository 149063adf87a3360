#pragma once

namespace planner_ccd {

/// Every bound of this library is derived for IEEE arithmetic as the processor comes up: rounding to nearest, subnormal numbers kept.
/// A program can change that for a whole thread: fesetround(), _MM_SET_FLUSH_ZERO_MODE, a library whose start-up code does so because
/// it was linked with -ffast-math. Rounded upwards, pads are too small; with subnormals flushed, what is apart by less is not.
///
/// Throws InputError that says which of these is the case on this thread. A few nanoseconds: asked whenever a body or a checker is
/// built and once a query.
void require_ieee_arithmetic();

}  // namespace planner_ccd
