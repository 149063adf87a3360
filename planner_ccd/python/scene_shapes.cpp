#include <cmath>

#include "planner_ccd/geometry/known_mesh.hpp"
#include "planner_ccd/io/cloud_file.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/height_field_file.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/python/bindings.hpp"

namespace planner_ccd::python {
namespace {

/// SceneObjects only checks names of objects in the scene, not of attached ones.
void require_new(const PyScene& s, const std::string& name) {
  for (const AttachedObject& held : s.scene.attached) {
    if (held.object.name == name) {
      throw InputError("scene, object '" + name + "': another object has the same name; rename one");
    }
  }
}

void add(PyScene& s, const std::string& name, std::vector<Geometry> geometry, const py::object& pose) {
  SceneObject object;
  object.name = name;
  object.geometry = std::move(geometry);
  object.pose = pose_of(pose, "pose of '" + name + "'");
  validate(object);
  require_new(s, name);
  s.scene.objects.push_back(std::move(object));
}

void add(PyScene& s, const std::string& name, Shape shape, const py::object& pose, const std::string& source) {
  add(s, name, {{std::move(shape), Eigen::Isometry3d::Identity(), source}}, pose);
}

MeshPtr mesh_of(const std::string& name, const py::object& vertices, const py::object& triangles) {
  const auto v = numbers(vertices, 2, "vertices of '" + name + "'");
  const auto t =
      numbers(triangles, 2, "triangles of '" + name + "'");  // as doubles: a cast to int would round silently
  if (t.shape(1) != 3 || v.shape(1) != 3) {
    throw InputError("mesh '" + name + "': vertices must be n x 3 numbers, triangles m x 3 whole numbers");
  }
  const auto index = [&](double value) {
    if (value >= 0.0 && value < static_cast<double>(v.shape(0)) && value == std::floor(value))
      return static_cast<int>(value);
    throw InputError("mesh '" + name + "': " + std::to_string(value) + " in triangles is not the number of a vertex");
  };
  TriangleMesh mesh;
  for (py::ssize_t i = 0; i < v.shape(0); ++i) mesh.vertices.emplace_back(v.at(i, 0), v.at(i, 1), v.at(i, 2));
  for (py::ssize_t i = 0; i < t.shape(0); ++i) {
    mesh.triangles.emplace_back(index(t.at(i, 0)), index(t.at(i, 1)), index(t.at(i, 2)));
  }
  return share_valid(std::move(mesh), "scene, object '" + name + "', mesh");
}

std::vector<Eigen::Vector3d> points_of(const py::object& argument, const std::string& what) {
  const auto rows = numbers(argument, 2, what);
  if (rows.shape(1) != 3) throw InputError(what + ": must be n x 3 numbers");
  std::vector<Eigen::Vector3d> points;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) points.emplace_back(rows.at(i, 0), rows.at(i, 1), rows.at(i, 2));
  return points;
}

/// The array itself if it is of float32 or float64, with any strides.
CloudPtr cloud_of(const std::string& name, const py::object& points, double radius) {
  const std::string what = "points of '" + name + "'";
  const bool masked = py::hasattr(points, "mask");
  const bool single = !masked && py::isinstance<py::array_t<float>>(points);
  const bool as_is = single || (!masked && py::isinstance<py::array_t<double>>(points));
  const py::array array = as_is ? py::reinterpret_borrow<py::array>(points) : py::array(numbers(points, 2, what));
  if (array.ndim() != 2 || array.shape(1) != 3) throw InputError(what + ": must be n x 3 numbers");
  PointView view;
  view.first = array.data();
  view.count = static_cast<std::size_t>(array.shape(0));
  view.scalar = single ? PointView::Scalar::Float32 : PointView::Scalar::Float64;
  view.point_step = array.strides(0);
  view.coordinate_step = array.strides(1);
  return std::make_shared<const PointCloud>(view, radius, "scene, object '" + name + "'");
}

HeightFieldOptions height_field_options_of(double pixel, std::optional<double> floor, std::optional<double> top,
                                           const std::string& unknown) {
  if (unknown != "occupied" && unknown != "free") throw InputError("unknown: must be 'occupied' or 'free'");
  return {pixel, floor, top, unknown == "free"};
}

Loaded<CellsPtr> height_field_of(const std::string& name, const py::array_t<double>& heights,
                                 const HeightFieldOptions& options) {
  const std::string what = "object '" + name + "'";
  const std::span<const double> all(heights.data(), static_cast<std::size_t>(heights.size()));
  const auto cells = std::make_shared<const CellMap>(
      make_height_field(all, static_cast<std::size_t>(heights.shape(1)), options, what), what);
  return {cells, {}, height_field_means(*cells, name)};
}

OctomapOptions octomap_options_of(const std::string& unknown, const py::object& region) {
  OctomapOptions options;
  if (unknown != "occupied" && unknown != "free") throw InputError("unknown: must be 'occupied' or 'free'");
  options.unknown_is_free = unknown == "free";
  if (region.is_none()) return options;
  const auto corners = numbers(region, 2, "region");
  if (corners.shape(0) != 2 || corners.shape(1) != 3) throw InputError("region: must be two corners, 2 x 3 numbers");
  options.region = OctomapRegion{{corners.at(0, 0), corners.at(0, 1), corners.at(0, 2)},
                                 {corners.at(1, 0), corners.at(1, 1), corners.at(1, 2)}};
  return options;
}

template <typename Scan>
void add_loaded(PyScene& s, const std::string& name, const Loaded<Scan>& loaded, const py::object& pose,
                const std::string& source) {
  add(s, name, loaded.value, pose, source);
  s.warnings.insert(s.warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
  merge(s.assumptions, loaded.assumptions);
}

void bind_clouds(py::class_<PyScene>& scene) {
  const auto pose = py::arg("pose") = py::none();
  scene
      .def(
          "add_cloud",
          [](PyScene& s, const std::string& name, const py::object& points, double radius, const py::object& X) {
            const CloudPtr cloud = cloud_of(name, points, radius);
            add(s, name, cloud, X, "cloud");
            merge(s.assumptions, {cloud_radius(radius, name)});
            if (cloud->left_out() == 0) return;
            s.warnings.push_back({WarningKind::UnknownSpace, "object '" + name +
                                                                 "': " + std::to_string(cloud->left_out()) +
                                                                 " points are not finite and were left out"});
          },
          py::arg("name"), py::arg("points"), py::arg("radius"), pose,
          "Add a cloud: n x 3 points in metres, each a ball of the radius. Arrays of float32 and float64 are read in "
          "place;\n"
          "points that are not finite are left out, which is a warning. Contacts name the row of the array "
          "(triangle_b).\n\n"
          "    >>> scene.add_cloud('shelf', [[0.5, 0.1, 0.3], [0.5, 0.1, 0.31]], radius=0.004)")
      .def(
          "add_cloud_file",
          [](PyScene& s, const std::string& name, const py::object& file, double radius, const py::object& X) {
            const std::string path = path_of(file);
            const FilesRead noted(s.inputs, "scan");
            add_loaded(s, name, load_cloud(path, radius), X, path);
          },
          py::arg("name"), py::arg("file"), py::arg("radius"), pose,
          "Add the points of an XYZ, CSV, PCD, PLY or NPY file, each as a ball of the radius, in metres.\n\n"
          "    >>> open('scan.xyz', 'w').write('0.5 0.1 0.3\\n0.5 0.1 0.31\\n')\n"
          "    25\n"
          "    >>> scene.add_cloud_file('scan', 'scan.xyz', radius=0.004)")
      .def(
          "add_octomap",
          [](PyScene& s, const std::string& name, const py::object& file, const std::string& unknown,
             const py::object& region, const py::object& X) {
            const std::string path = path_of(file);
            const FilesRead noted(s.inputs, "scan");
            add_loaded(s, name, load_octomap(path, octomap_options_of(unknown, region)), X, path);
          },
          py::arg("name"), py::arg("file"), py::arg("unknown") = "occupied", py::arg("region") = py::none(), pose,
          "Add the occupied cells of a .bt or .ot, and the unknown ones within the region (two opposite corners, in\n"
          "metres) unless unknown is 'free', which every check then says.\n\n"
          "    >>> header = b'# Octomap OcTree binary file\\nid OcTree\\nsize 0\\nres 0.1\\ndata\\n'\n"
          "    >>> open('nothing_seen.bt', 'wb').write(header)\n"
          "    59\n"
          "    >>> scene.add_octomap('room', 'nothing_seen.bt', region=[[0, 0, 0], [1, 1, 2]])");
}

void bind_height_fields(py::class_<PyScene>& scene) {
  const auto pose = py::arg("pose") = py::none();
  scene
      .def(
          "add_height_field",
          [](PyScene& s, const std::string& name, const py::object& heights, double pixel, std::optional<double> floor,
             std::optional<double> top, const std::string& unknown, const py::object& X) {
            const auto options = height_field_options_of(pixel, floor, top, unknown);
            add_loaded(s, name, height_field_of(name, numbers(heights, 2, "heights of '" + name + "'"), options), X,
                       "height field");
          },
          py::arg("name"), py::arg("heights"), py::arg("pixel"), py::arg("floor") = py::none(),
          py::arg("top") = py::none(), py::arg("unknown") = "occupied", pose,
          "Add heights over a grid, in metres: heights[row, column] at x = column * pixel, y = row * pixel. Between "
          "four\n"
          "neighbours the solid reaches from the floor up to the highest of them; where one is not finite, up to the "
          "top\n"
          "unless unknown is 'free'. Unless given, floor and top lie beyond the heights by the longer side.\n\n"
          "    >>> scene.add_height_field('bin', [[0.0, 0.1, 0.1], [0.0, 0.1, 0.2]], pixel=0.005)")
      .def(
          "add_height_field_file",
          [](PyScene& s, const std::string& name, const py::object& file, double pixel, std::optional<double> floor,
             std::optional<double> top, const std::string& unknown, const py::object& X) {
            const std::string path = path_of(file);
            const FilesRead noted(s.inputs, "scan");
            add_loaded(s, name, load_height_field(path, height_field_options_of(pixel, floor, top, unknown)), X, path);
          },
          py::arg("name"), py::arg("file"), py::arg("pixel"), py::arg("floor") = py::none(),
          py::arg("top") = py::none(), py::arg("unknown") = "occupied", pose,
          "The same from an NPY file.\n\n"
          "    >>> np.save('bin.npy', np.zeros((4, 5)))\n"
          "    >>> scene.add_height_field_file('bin_file', 'bin.npy', pixel=0.005, floor=-0.1)");
}

void bind_primitives(py::class_<PyScene>& scene) {
  const auto pose = py::arg("pose") = py::none();
  scene
      .def(
          "add_box",
          [](PyScene& s, const std::string& name, const py::object& size, const py::object& X) {
            add(s, name, Box{vector3_of(size, "size of '" + name + "'")}, X, "box");
          },
          py::arg("name"), py::arg("size"), pose,
          "Add a box with these full edge lengths, in metres.\n\n"
          "    >>> scene.add_box('table', [1, 1, 0.1])")
      .def(
          "add_sphere",
          [](PyScene& s, const std::string& name, double radius, const py::object& X) {
            add(s, name, Sphere{radius}, X, "sphere");
          },
          py::arg("name"), py::arg("radius"), pose,
          "Add a sphere; radius in metres.\n\n"
          "    >>> scene.add_sphere('ball', 0.1)")
      .def(
          "add_cylinder",
          [](PyScene& s, const std::string& name, double radius, double length, const py::object& X) {
            add(s, name, Cylinder{radius, length}, X, "cylinder");
          },
          py::arg("name"), py::arg("radius"), py::arg("length"), pose,
          "Add a cylinder along its z axis; radius and length in metres.\n\n"
          "    >>> scene.add_cylinder('post', 0.05, 1.2)")
      .def(
          "add_capsule",
          [](PyScene& s, const std::string& name, double radius, double length, const py::object& X) {
            add(s, name, Capsule{radius, length}, X, "capsule");
          },
          py::arg("name"), py::arg("radius"), py::arg("length"), pose,
          "Add a capsule along its z axis; length is that of the axis, without the round ends. Both in metres.\n\n"
          "    >>> scene.add_capsule('hose', 0.02, 0.8)");
}

void bind_meshes(py::class_<PyScene>& scene) {
  const auto pose = py::arg("pose") = py::none();
  scene
      .def(
          "add_convex",
          [](PyScene& s, const std::string& name, const py::object& points, const py::object& X) {
            add(s, name, ConvexHull{points_of(points, "points of '" + name + "'")}, X, "convex");
          },
          py::arg("name"), py::arg("points"), pose,
          "Add the convex hull of n x 3 points in metres, as a solid.\n\n"
          "    >>> scene.add_convex('wedge', [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])")
      .def(
          "add_mesh",
          [](PyScene& s, const std::string& name, const py::object& vertices, const py::object& triangles,
             const py::object& X) { add(s, name, mesh_of(name, vertices, triangles), X, "mesh"); },
          py::arg("name"), py::arg("vertices"), py::arg("triangles"), pose,
          "Add a mesh: n x 3 vertices in metres, m x 3 indices, counter-clockwise seen from outside.\n\n"
          "    >>> scene.add_mesh('sheet', [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])")
      .def(
          "add_mesh_file",
          [](PyScene& s, const std::string& name, const py::object& file, double scale, const py::object& X,
             const std::string& dae_up_axis) {
            const DaeUpAxis up_axis = dae_up_axis_of(dae_up_axis);
            const std::string path = path_of(file);
            MeshCache meshes;
            const FilesRead noted(s.inputs, "mesh");
            add(s, name, meshes.load(path, Eigen::Vector3d::Constant(scale), up_axis), X, path);
            const std::vector<Assumption> assumed = meshes.assumptions(path, up_axis);
            for (const Assumption& a : assumed) {
              s.warnings.push_back({WarningKind::MeshFile, "object '" + name + "': " + to_line(a, 1)});
            }
            merge(s.assumptions, assumed);
          },
          py::arg("name"), py::arg("file"), py::arg("scale") = 1.0, pose, py::arg("dae_up_axis") = "ignore",
          "Add the mesh of an STL, OBJ, PLY, OFF, DAE or GLB, or of another kind through Assimp. dae_up_axis: 'ignore' "
          "or "
          "'honour' that of a DAE.\n\n"
          "    >>> open('sheet.obj', 'w').write('v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n')\n"
          "    32\n"
          "    >>> scene.add_mesh_file('sheet', 'sheet.obj', scale=0.5)");
}

}  // namespace

void bind_scene_shapes(py::class_<PyScene>& scene) {
  bind_primitives(scene);
  bind_meshes(scene);
  bind_clouds(scene);
  bind_height_fields(scene);
}

}  // namespace planner_ccd::python
