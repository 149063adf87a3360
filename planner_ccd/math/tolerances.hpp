#pragma once

#include "planner_ccd/math/rounding.hpp"

/// Pads of certified numbers: unit, derivation, and the direction in which each errs.
///
/// A bound of an algorithm's own rounding is written where it is derived, as a multiple of a constant from here: 64.0 *
/// kUnitRoundoff. Those constants, and every factor that covers a whole chain of operations, are defined here and
/// nowhere else; tests/lint/constants.py rejects powers of two written elsewhere. A constant that only steers the
/// search (how deep, in which order) belongs to the algorithm and is written as a decimal.
namespace planner_ccd {

/// [relative] The greatest error of one operation in float, as kUnitRoundoff in double.
inline constexpr double kFloatRoundoff = 0x1p-24;

/// [1] Factor that makes an upper bound of a value computed to nearest from non-negative numbers by + * / sqrt, when no
/// term of it went through more than 2^12 roundings: (1 - u)^-4096 < 1 + 2^-40. Errs upwards.
inline constexpr double kRoundUp = 1.0 + 0x1p-40;

/// [1] The same for lower bounds: (1 + u)^-4096 > 1 - 2^-40. Errs downwards.
inline constexpr double kRoundDown = 1.0 - 0x1p-40;

/// [1] The same in float, for up to 15 roundings and the conversion to float: 16 * 2^-24. Errs upwards.
inline constexpr double kFloatRoundUp = 1.0 + 0x1p-20;

/// [1] Factor for a step computed in float by at most 32 roundings, none of which cancels, a root among them. Errs
/// towards shorter steps.
inline constexpr float kFloatStepShare = 1.0f - 0x1p-18f;

/// [ulp of the result] Assumed error bound of std::sin and std::cos in the C library: glibc documents 1 ulp; musl, LLVM
/// and Apple measure below 1; 4 leaves a factor. Errs outwards: enclosures are a little too wide.
inline constexpr double kLibmUlps = 4.0;

/// [relative] The same as a multiple of the result's magnitude: an ulp is at most 2 u |x|.
inline constexpr double kLibmRelative = 2.0 * kLibmUlps * kUnitRoundoff;

/// [1] How far the length of a joint axis (a normalised vector) may be from 1, and an entry of a rotation matrix from
/// its exact value: normalising a vector takes 3 squares, 2 sums, a root and a division, 4.5 u together, and a product
/// of two such matrices 5 u an entry. 16 u bounds both. Added to remainders, so it errs outwards.
inline constexpr double kRotationEntryError = 16.0 * kUnitRoundoff;

}  // namespace planner_ccd
