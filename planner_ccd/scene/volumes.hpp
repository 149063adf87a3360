#pragma once

#include <cstdint>
#include <vector>

/// Bodies at rest as the lanes read them: single precision, rounded to the safe side. Vectors are three numbers, matrices three columns.
namespace planner_ccd::look {

/// A part of an obstacle: all points within `radius` of a box or a cylinder (RoundVolume).
struct Volume {
  float axes[9], center[3], half[3], radius;
  float rind;   ///< Twice RoundVolume's, so that it bounds distances as well; < 0: none.
  float grain;  ///< Rounding of places in its frame: 64 u times its distance and size.
  bool cylinder;
};

/// Lower bounds of the distance from the grains of a cloud or a map, without the radius that is common to all: one for
/// each cube of a grid whose box holds the grains' centres. A cube's bound holds for all points of it.
struct Field {
  float lower[3];                     ///< [m] Where the grid begins.
  float extent[3];                    ///< [m]
  float last[3];                      ///< Along each axis, the number of the last cube.
  float per_metre;                    ///< Cubes.
  float unit;                         ///< [m] Of the bounds.
  float bricks[2];                    ///< Along x and y: neighbours are stored together, in bricks of 4 x 4 x 4.
  std::vector<std::uint32_t> bounds;  ///< Four in a word, the first in its lowest bits.
};

/// Sixteen boxes in the world, by coordinate: those that are not used meet nothing.
struct Boxes {
  static constexpr int kCount = 16;
  alignas(64) float lower[3][kCount];
  float upper[3][kCount];

  Boxes();
  void set(int i, const float (&low)[3], const float (&high)[3]);
  void clear(int i);
};

}  // namespace planner_ccd::look
