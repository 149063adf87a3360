#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// Numbers of the tables: in single precision, to nearest or outwards.
namespace planner_ccd {

/// To nearest. A bound computed for a rounded number must use the number as rounded: GCC 12 (-O3), where it sees both
/// conversions of a vector's first two coordinates, omits the conversion to float (tests/first_look/covers_test.cpp
/// then fails). A volatile prevents that.
inline float single(double x) {
  volatile float rounded = static_cast<float>(x);
  return rounded;
}

template <int Rows, int Columns>
Eigen::Matrix<float, Rows, Columns> single(const Eigen::Matrix<double, Rows, Columns>& m) {
  Eigen::Matrix<float, Rows, Columns> out;
  for (int i = 0; i < Rows * Columns; ++i) out.data()[i] = single(m.data()[i]);
  return out;
}

/// The next number above or below, as std::nextafter, inlined: queries round a hundred numbers.
inline float float_up(double x) {
  const float f = single(x);
  if (!(f < std::numeric_limits<float>::infinity())) return f;  // or not a number
  if (f == 0.0f) return std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<std::int32_t>(f);
  return std::bit_cast<float>(f > 0.0f ? bits + 1 : bits - 1);
}
inline float float_down(double x) { return -float_up(-x); }

}  // namespace planner_ccd
