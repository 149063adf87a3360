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

/// Points somewhere in memory: coordinate k of point i stands `i * point_step + k * coordinate_step` bytes after `first`, at any
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

/// What a depth camera or a laser scanner saw: balls of one radius. Immutable, and shared by all objects and checkers that use
/// it. Takes 16 bytes a point, and a hierarchy over it some 20 more.
///
/// Points are kept in single precision, relative to an origin of the cloud. Where that moves one, all balls grow by as much as
/// any was moved, so that each ball asked for lies in the one that is checked.
class PointCloud {
 public:
  static constexpr std::size_t kMostPoints = 20'000'000;

  /// Points of which a coordinate is NaN or infinite, as cameras give where they saw nothing, are left out and counted. Throws
  /// InputError, naming `name`, when no point is left or kMostPoints are exceeded, for one beyond 1e7 m, and for a
  /// radius that is not a positive number.
  PointCloud(const PointView& points, double radius, const std::string& name);

  double radius() const { return stored_.radius; }            ///< [m] As asked for.
  double ball_radius() const { return stored_.ball_radius; }  ///< [m] And with what rounding moved a point by.
  int size() const { return static_cast<int>(stored_.points.size()); }
  std::size_t left_out() const { return stored_.left_out; }

  /// Points stand in an order of their own, in which neighbours are mostly near.
  Eigen::Vector3d point(int i) const {
    const Point& p = stored_.points[static_cast<std::size_t>(i)];
    return {stored_.origin[0] + static_cast<double>(p.at[0]), stored_.origin[1] + static_cast<double>(p.at[1]),
            stored_.origin[2] + static_cast<double>(p.at[2])};
  }
  /// What its number was among those given, left out ones included.
  int number(int i) const { return stored_.points[static_cast<std::size_t>(i)].number; }
  /// By its number; -1 for one that was left out or never given.
  int find(int number) const;
  /// Where a point lies on the curve that orders them; grows with i. Of 48 bits.
  std::uint64_t place_on_curve(int i) const;

  struct Point {
    std::array<float, 3> at;  ///< [m] From the origin.
    std::int32_t number;

    bool operator==(const Point&) const = default;
  };
  /// All that a cloud consists of, to be written down and read again.
  struct Stored {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double radius = 0.0, ball_radius = 0.0;
    std::uint64_t left_out = 0;
    std::vector<Point> points;

    bool operator==(const Stored&) const = default;
  };
  const Stored& stored() const { return stored_; }
  /// Throws InputError for what is no cloud.
  explicit PointCloud(Stored stored);

  friend bool operator==(const PointCloud& a, const PointCloud& b) { return a.stored_ == b.stored_; }

 private:
  Stored stored_;
  std::array<float, 3> lowest_{};
  double scale_ = 0.0;  ///< Steps of the curve per metre.

  void sort();
};

}  // namespace planner_ccd
#pragma GCC visibility pop
