#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "planner_ccd/geometry/convex_hull.hpp"
#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// Converts FCL types (0.6, 0.7) to planner_ccd types and back. Header only: the including program links FCL;
/// planner_ccd does not. Vertices, triangles, dimensions and poses are copied bit for bit. Throws InputError, naming
/// it, for anything without a counterpart.

static_assert(std::is_same_v<fcl::Transform3d, Eigen::Isometry3d>,
              "poses of FCL are poses of planner_ccd, as they are");

/// The triangles of a model, whatever its bounding volume type.
template <class Volume>
MeshPtr mesh_from_fcl(const fcl::BVHModel<Volume>& model) {
  static_assert(std::is_same_v<typename Volume::S, double>, "planner_ccd computes in double precision");
  if (model.num_tris == 0)
    throw InputError("FCL model: has no triangles (a point cloud, or endModel() was not called)");
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices.assign(model.vertices, model.vertices + model.num_vertices);
  for (int i = 0; i < model.num_tris; ++i) {
    const fcl::Triangle& t = model.tri_indices[i];
    mesh->triangles.emplace_back(static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2]));
  }
  validate(*mesh, "FCL model");
  return mesh;
}

template <class Volume = fcl::OBBRSSd>
std::shared_ptr<fcl::BVHModel<Volume>> mesh_to_fcl(const TriangleMesh& mesh) {
  std::vector<fcl::Triangle> triangles;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                           static_cast<std::size_t>(t[2]));
  }
  auto model = std::make_shared<fcl::BVHModel<Volume>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(mesh.vertices.size()));
  model->addSubModel(mesh.vertices, triangles);
  model->endModel();
  return model;
}

/// Takes meshes, boxes, spheres, cylinders, capsules and convex hulls.
inline Geometry geometry_from_fcl(const fcl::CollisionGeometryd& geometry) {
  const auto as = [&]<class T>(const T*) -> const T& { return static_cast<const T&>(geometry); };
  const auto mesh = [&]<class Volume>(const Volume*) {
    return Geometry{mesh_from_fcl(static_cast<const fcl::BVHModel<Volume>&>(geometry)), {}, "FCL model"};
  };
  const auto solid = [](Shape shape, const char* name) {
    return Geometry{std::move(shape), Eigen::Isometry3d::Identity(), name};
  };
  Geometry out;
  switch (geometry.getNodeType()) {
    case fcl::BV_AABB: out = mesh(static_cast<fcl::AABBd*>(nullptr)); break;
    case fcl::BV_OBB: out = mesh(static_cast<fcl::OBBd*>(nullptr)); break;
    case fcl::BV_RSS: out = mesh(static_cast<fcl::RSSd*>(nullptr)); break;
    case fcl::BV_kIOS: out = mesh(static_cast<fcl::kIOSd*>(nullptr)); break;
    case fcl::BV_OBBRSS: out = mesh(static_cast<fcl::OBBRSSd*>(nullptr)); break;
    case fcl::BV_KDOP16: out = mesh(static_cast<fcl::KDOP<double, 16>*>(nullptr)); break;
    case fcl::BV_KDOP18: out = mesh(static_cast<fcl::KDOP<double, 18>*>(nullptr)); break;
    case fcl::BV_KDOP24: out = mesh(static_cast<fcl::KDOP<double, 24>*>(nullptr)); break;
    case fcl::GEOM_BOX: out = solid(Box{as(static_cast<fcl::Boxd*>(nullptr)).side}, "FCL box"); break;
    case fcl::GEOM_SPHERE: out = solid(Sphere{as(static_cast<fcl::Sphered*>(nullptr)).radius}, "FCL sphere"); break;
    case fcl::GEOM_CYLINDER: {
      const auto& c = as(static_cast<fcl::Cylinderd*>(nullptr));
      out = solid(Cylinder{c.radius, c.lz}, "FCL cylinder");
      break;
    }
    case fcl::GEOM_CAPSULE: {
      const auto& c = as(static_cast<fcl::Capsuled*>(nullptr));
      out = solid(Capsule{c.radius, c.lz}, "FCL capsule");
      break;
    }
    case fcl::GEOM_CONVEX:
      out = solid(ConvexHull{as(static_cast<fcl::Convexd*>(nullptr)).getVertices()}, "FCL convex");
      break;
    default:
      throw InputError("FCL geometry: planner_ccd has no counterpart of node type " +
                       std::to_string(geometry.getNodeType()) +
                       "; give a mesh, a box, a sphere, a cylinder, a capsule "
                       "or a convex instead");
  }
  out.pose = Eigen::Isometry3d::Identity();
  validate(out, out.source);
  return out;
}

/// The shape alone; apply Geometry::pose to the collision object's transform, see objects_to_fcl.
inline std::shared_ptr<fcl::CollisionGeometryd> geometry_to_fcl(const Geometry& geometry) {
  struct Visitor {
    using Result = std::shared_ptr<fcl::CollisionGeometryd>;
    Result operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
    Result operator()(const Box& b) const { return std::make_shared<fcl::Boxd>(b.size); }
    Result operator()(const Cylinder& c) const { return std::make_shared<fcl::Cylinderd>(c.radius, c.length); }
    Result operator()(const Capsule& c) const { return std::make_shared<fcl::Capsuled>(c.radius, c.length); }
    Result operator()(const MeshPtr& m) const { return mesh_to_fcl(*m); }
    Result operator()(const CloudPtr&) const { throw InputError("FCL has no counterpart of a cloud of balls"); }
    Result operator()(const CellsPtr&) const { throw InputError("FCL has no counterpart of a map of cells"); }
    Result operator()(const ConvexHull& h) const {
      const TriangleMesh hull = convex_hull(h.points);
      auto faces = std::make_shared<std::vector<int>>();
      for (const Eigen::Vector3i& t : hull.triangles) faces->insert(faces->end(), {3, t[0], t[1], t[2]});
      return std::make_shared<fcl::Convexd>(std::make_shared<const std::vector<Eigen::Vector3d>>(hull.vertices),
                                            static_cast<int>(hull.triangles.size()), faces);
    }
  };
  return std::visit(Visitor{}, geometry.shape);
}

/// An FCL collision object as an obstacle.
inline SceneObject object_from_fcl(const std::string& name, const fcl::CollisionObjectd& object) {
  SceneObject out;
  out.name = name;
  out.geometry.push_back(geometry_from_fcl(*object.collisionGeometry()));
  out.pose = object.getTransform();
  return out;
}

/// An obstacle as FCL collision objects, one for each of its shapes.
inline std::vector<std::shared_ptr<fcl::CollisionObjectd>> objects_to_fcl(const SceneObject& object) {
  std::vector<std::shared_ptr<fcl::CollisionObjectd>> out;
  for (const Geometry& g : object.geometry) {
    out.push_back(std::make_shared<fcl::CollisionObjectd>(geometry_to_fcl(g), object.pose * g.pose));
  }
  return out;
}

}  // namespace planner_ccd
