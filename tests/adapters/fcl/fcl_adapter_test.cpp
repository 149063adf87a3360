#include <fcl/geometry/shape/cone.h>
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include "planner_ccd/adapters/fcl.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 6;

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

template <class Volume>
void expect_round_trip() {
  const TriangleMesh mesh = tetrahedron();
  const auto model = mesh_to_fcl<Volume>(mesh);
  const Geometry back = geometry_from_fcl(*model);
  const auto* result = std::get_if<MeshPtr>(&back.shape);
  ASSERT_NE(result, nullptr);
  EXPECT_EQ((*result)->vertices, mesh.vertices);
  // FCL may reorder triangles, but not rotate their corners.
  const auto sorted = [](std::vector<Eigen::Vector3i> t) {
    std::sort(t.begin(), t.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    return t;
  };
  EXPECT_EQ(sorted((*result)->triangles), sorted(mesh.triangles));
}

TEST(FclAdapter, MeshesOfAllVolumesComeBackAsTheyWent) {
  expect_round_trip<fcl::AABBd>();
  expect_round_trip<fcl::OBBd>();
  expect_round_trip<fcl::RSSd>();
  expect_round_trip<fcl::kIOSd>();
  expect_round_trip<fcl::OBBRSSd>();
  expect_round_trip<fcl::KDOP<double, 16>>();
  expect_round_trip<fcl::KDOP<double, 18>>();
  expect_round_trip<fcl::KDOP<double, 24>>();
}

std::vector<Geometry> shapes() {
  const Eigen::Isometry3d same = Eigen::Isometry3d::Identity();
  return {{Sphere{0.3}, same, ""},
          {Box{{0.4, 0.6, 0.8}}, same, ""},
          {Cylinder{0.2, 0.7}, same, ""},
          {Capsule{0.2, 0.7}, same, ""},
          {ConvexHull{tetrahedron().vertices}, same, ""},
          {std::make_shared<const TriangleMesh>(tetrahedron()), same, ""}};
}

/// FCL and planner_ccd must measure the same distances: a wrong dimension or pose would change them.
TEST(FclAdapter, ShapesAndPosesMeanTheSameToBoth) {
  std::printf("seed %u\n", kSeed);
  testing::Draw draw(kSeed);
  for (const Geometry& a : shapes()) {
    for (const Geometry& b : shapes()) {
      if (std::get_if<MeshPtr>(&a.shape) != nullptr || std::get_if<MeshPtr>(&b.shape) != nullptr) {
        if (a.shape.index() != b.shape.index()) continue;  // FCL's mesh distances are mesh to mesh only
      }
      SceneObject object{"b", {b}, draw.pose(0.1)};
      object.geometry[0].pose = draw.pose(0.2);
      object.pose.translation() += 3.0 * draw.direction();
      const auto at = objects_to_fcl(object);
      ASSERT_EQ(at.size(), 1u);
      const fcl::CollisionObjectd origin(geometry_to_fcl(a));
      fcl::DistanceRequestd request;
      request.distance_tolerance = 1e-8;
      fcl::DistanceResultd result;
      fcl::distance(&origin, at[0].get(), request, result);
      const Eigen::Isometry3d same = Eigen::Isometry3d::Identity();
      const SceneObject back = object_from_fcl("b", *at[0]);
      const auto ours = distance(SsvTree::build({a}, "a"), same, SsvTree::build(back.geometry, "b"), back.pose);
      EXPECT_NEAR(ours.upper, result.min_distance, 1e-4) << a.shape.index() << " " << b.shape.index();
      EXPECT_EQ(back.geometry[0].shape.index(), b.shape.index());
    }
  }
}

TEST(FclAdapter, WhatHasNoCounterpartIsAnError) {
  EXPECT_THROW(geometry_from_fcl(fcl::Coned(1.0, 1.0)), InputError);
  EXPECT_THROW(geometry_from_fcl(fcl::Sphered(0.0)), InputError);
  fcl::BVHModel<fcl::OBBRSSd> empty;
  EXPECT_THROW(mesh_from_fcl(empty), InputError);
}

}  // namespace
}  // namespace planner_ccd
