#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/first_look/look_tables.hpp"

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

inline void put(const Eigen::Vector3d& v, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}
inline void put(const Eigen::Vector3f& v, float* out) { std::copy(v.data(), v.data() + 3, out); }

/// Entries within 1e-9, far less than u, of 1 or 0 are rounded to it: sines of quarter turns come out as 6e-17.
inline void set_turn(const Eigen::Matrix3d& R, look::Body& out) {
  bool quarters = true;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double entry = R(k, i), whole = std::round(entry);
      const bool is_whole = std::abs(entry - whole) < 1e-9;
      quarters = quarters && is_whole;
      out.rotation[3 * i + k] = static_cast<float>(is_whole ? whole : entry);
      if (is_whole && whole != 0.0) {
        out.source[i] = k;
        out.sign[i] = static_cast<float>(whole);
      }
    }
  }
  out.quarters = quarters;
}

}  // namespace planner_ccd
