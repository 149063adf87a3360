#pragma once

#include <Eigen/Core>
#include <cmath>
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

inline float float_up(double x) { return std::nextafter(single(x), std::numeric_limits<float>::infinity()); }
inline float float_down(double x) { return std::nextafter(single(x), -std::numeric_limits<float>::infinity()); }

}  // namespace planner_ccd
