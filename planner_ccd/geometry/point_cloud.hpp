#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Points in memory: coordinate k of point i is `i * point_step + k * coordinate_step` bytes after `first`, at any
/// alignment.
struct PointView {
  enum class Scalar : std::uint8_t { Float32, Float64 };

  const void* first = nullptr;
  std::size_t count = 0;
  Scalar scalar = Scalar::Float32;
  std::ptrdiff_t point_step = 0;
  std::ptrdiff_t coordinate_step = 0;

  PointView() = default;
  PointView(std::span<const Eigen::Vector3f> points)
      : first(points.data()), count(points.size()), point_step(sizeof(Eigen::Vector3f)), coordinate_step(4) {}
  PointView(std::span<const Eigen::Vector3d> points)
      : first(points.data()),
        count(points.size()),
        scalar(Scalar::Float64),
        point_step(sizeof(Eigen::Vector3d)),
        coordinate_step(8) {}

  PointView(const std::vector<Eigen::Vector3f>& points) : PointView(std::span<const Eigen::Vector3f>(points)) {}
  PointView(const std::vector<Eigen::Vector3d>& points) : PointView(std::span<const Eigen::Vector3d>(points)) {}

  Eigen::Vector3d operator[](std::size_t i) const;
};

/// Points seen by a depth camera or a laser scanner, as balls of one radius. Immutable, shared by all objects and
/// checkers that use it. Takes 16 bytes a point, plus some 20 for the hierarchy over it.
///
/// Points are stored in single precision relative to the cloud's origin. All balls grow by the largest displacement
/// this rounding causes, so each checked ball contains the requested one.
class PointCloud {
 public:
  static constexpr std::size_t kMostPoints = 20'000'000;

  /// Points with a NaN or infinite coordinate, which cameras give for missing measurements, are dropped and counted.
  /// Throws InputError, naming `name`, when no point is left or there are more than kMostPoints, for a coordinate
  /// beyond 1e7 m, and for a radius that is not positive.
  PointCloud(const PointView& points, double radius, const std::string& name);

  double radius() const { return stored_.radius; }            ///< [m] As requested.
  double ball_radius() const { return stored_.ball_radius; }  ///< [m] Increased by the largest rounding displacement.
  int size() const { return static_cast<int>(stored_.points.size()); }
  std::size_t left_out() const { return stored_.left_out; }

  /// Points are reordered: neighbours in space mostly have near indices.
  Eigen::Vector3d point(int i) const {
    const Point& p = stored_.points[i];
    return {stored_.origin[0] + static_cast<double>(p.at[0]), stored_.origin[1] + static_cast<double>(p.at[1]),
            stored_.origin[2] + static_cast<double>(p.at[2])};
  }
  /// Its index in the input, dropped points included.
  int number(int i) const { return stored_.points[i].number; }
  /// The index of input point `number`; -1 if it was dropped or does not exist.
  int find(int number) const;
  /// 48-bit position of a point on the curve that orders them; grows with i.
  std::uint64_t place_on_curve(int i) const;

  struct Point {
    std::array<float, 3> at;  ///< [m] Relative to the origin.
    std::int32_t number;

    bool operator==(const Point&) const = default;
  };
  /// All data of a cloud, for serialisation.
  struct Stored {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double radius = 0.0, ball_radius = 0.0;
    std::uint64_t left_out = 0;
    std::vector<Point> points;

    bool operator==(const Stored&) const = default;
  };
  const Stored& stored() const { return stored_; }
  /// Throws InputError for data that is not a valid cloud.
  explicit PointCloud(Stored stored);

  friend bool operator==(const PointCloud& a, const PointCloud& b) { return a.stored_ == b.stored_; }

 private:
  Stored stored_;
  std::array<float, 3> lowest_{};
  double scale_ = 0.0;  ///< Curve steps per metre.

  void sort();
};

}  // namespace planner_ccd
#pragma GCC visibility pop
