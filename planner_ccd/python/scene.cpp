#include <algorithm>
#include <cmath>

#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/python/bindings.hpp"

namespace planner_ccd::python {
namespace {

PyScene load(const py::object& file, const Robot* robot, const std::map<std::string, py::object>& packages,
             const std::string& dae_up_axis) {
  SceneFileOptions options;
  options.resources.dae_up_axis = dae_up_axis_of(dae_up_axis);
  for (const auto& [name, folder] : packages) options.resources.packages[name] = path_of(folder);
  if (robot) options.robot = robot->model.get();
  Loaded<Scene> scene = load_scene(path_of(file), options);
  return {std::move(scene.value), std::move(scene.warnings), std::move(scene.assumptions)};
}

/// SceneObjects knows of those that stand in the scene, not of those that are held.
void require_new(const PyScene& s, const std::string& name) {
  for (const AttachedObject& held : s.scene.attached) {
    if (held.object.name == name) {
      throw InputError("scene, object '" + name + "': another object has the same name; rename one");
    }
  }
}

void add(PyScene& s, const std::string& name, Shape shape, const py::object& pose, const std::string& source) {
  SceneObject object;
  object.name = name;
  object.geometry.push_back({std::move(shape), Eigen::Isometry3d::Identity(), source});
  object.pose = pose_of(pose, "pose of '" + name + "'");
  validate(object);
  require_new(s, name);
  s.scene.objects.push_back(std::move(object));
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
  auto mesh = std::make_shared<TriangleMesh>();
  for (py::ssize_t i = 0; i < v.shape(0); ++i) mesh->vertices.emplace_back(v.at(i, 0), v.at(i, 1), v.at(i, 2));
  for (py::ssize_t i = 0; i < t.shape(0); ++i) {
    mesh->triangles.emplace_back(index(t.at(i, 0)), index(t.at(i, 1)), index(t.at(i, 2)));
  }
  return mesh;
}

std::vector<std::string> names(const PyScene& s) {
  std::vector<std::string> out;
  for (const SceneObject& o : s.scene.objects) out.push_back(o.name);
  for (const AttachedObject& a : s.scene.attached) out.push_back(a.object.name);
  return out;
}

void bind_shapes(py::class_<PyScene>& scene) {
  const auto pose = py::arg("pose") = py::none();
  scene
      .def(
          "add_box",
          [](PyScene& s, const std::string& name, const py::object& size, const py::object& X) {
            add(s, name, Box{vector3_of(size, "size of '" + name + "'")}, X, "box");
          },
          py::arg("name"), py::arg("size"), pose, "Add a box with these full edge lengths, in metres.")
      .def(
          "add_sphere",
          [](PyScene& s, const std::string& name, double radius, const py::object& X) {
            add(s, name, Sphere{radius}, X, "sphere");
          },
          py::arg("name"), py::arg("radius"), pose, "Add a sphere.")
      .def(
          "add_cylinder",
          [](PyScene& s, const std::string& name, double radius, double length, const py::object& X) {
            add(s, name, Cylinder{radius, length}, X, "cylinder");
          },
          py::arg("name"), py::arg("radius"), py::arg("length"), pose, "Add a cylinder along its z axis.")
      .def(
          "add_capsule",
          [](PyScene& s, const std::string& name, double radius, double length, const py::object& X) {
            add(s, name, Capsule{radius, length}, X, "capsule");
          },
          py::arg("name"), py::arg("radius"), py::arg("length"), pose,
          "Add a capsule along its z axis; length is that of the axis, without the round ends.")
      .def(
          "add_mesh",
          [](PyScene& s, const std::string& name, const py::object& vertices, const py::object& triangles,
             const py::object& X) { add(s, name, mesh_of(name, vertices, triangles), X, "mesh"); },
          py::arg("name"), py::arg("vertices"), py::arg("triangles"), pose,
          "Add a mesh: n x 3 vertices in metres, m x 3 indices, counter-clockwise seen from outside.")
      .def(
          "add_mesh_file",
          [](PyScene& s, const std::string& name, const py::object& file, double scale, const py::object& X,
             const std::string& dae_up_axis) {
            const DaeUpAxis up_axis = dae_up_axis_of(dae_up_axis);
            const std::string path = path_of(file);
            MeshCache meshes;
            add(s, name, meshes.load(path, Eigen::Vector3d::Constant(scale), up_axis), X, path);
            const std::vector<Assumption> assumed = meshes.assumptions(path, up_axis);
            for (const Assumption& a : assumed) s.warnings.push_back("object '" + name + "': " + to_line(a, 1));
            merge(s.assumptions, assumed);
          },
          py::arg("name"), py::arg("file"), py::arg("scale") = 1.0, pose, py::arg("dae_up_axis") = "ignore",
          "Add the mesh of an STL, OBJ, PLY, OFF, DAE or GLB. dae_up_axis: 'ignore' or 'honour' that of a DAE.");
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<PyScene> scene(
      module, "Scene", "Everything around the robot. A PathChecker copies it: change it, then make a new checker.");
  scene.attr("__module__") = "planner_ccd";
  scene.def(py::init<>(), "An empty scene.")
      .def_static(
          "load", &load, py::arg("file"), py::arg("robot") = nullptr, py::kw_only(), py::arg("packages") = py::dict(),
          py::arg("dae_up_axis") = "ignore",
          "Load a scene from YAML. With a robot, names of links in it are checked. dae_up_axis: 'ignore' that of\n"
          "DAE files, or 'honour' it.")
      .def_property_readonly("names", &names, "Names of the objects, attached ones last.")
      .def_property_readonly(
          "warnings", [](const PyScene& s) { return s.warnings; }, "What loading remarked.")
      .def(
          "move",
          [](PyScene& s, const std::string& name, const py::object& pose) {
            const Eigen::Isometry3d X = pose_of(pose, "pose of '" + name + "'");
            validate(X, "pose of '" + name + "'");
            s.scene.objects.move(name, X);
          },
          py::arg("name"), py::arg("pose"), "Put an object at a 4 x 4 pose.")
      .def(
          "remove", [](PyScene& s, const std::string& name) { s.scene.objects.erase(name); }, py::arg("name"),
          "Take an object away.")
      .def(
          "attach",
          [](PyScene& s, const std::string& name, const std::string& link, const py::object& pose,
             const std::vector<std::string>& touch_links) {
            s.scene.attach(name, link, pose_of(pose, "pose of '" + name + "'"), touch_links);
          },
          py::arg("name"), py::arg("link"), py::arg("pose") = py::none(),
          py::arg("touch_links") = std::vector<std::string>{},
          "Let a link hold an object, at this pose in the link's frame; it may touch that link and touch_links.")
      .def(
          "detach",
          [](PyScene& s, const std::string& name, const py::object& pose) {
            s.scene.detach(name, pose_of(pose, "pose of '" + name + "'"));
          },
          py::arg("name"), py::arg("pose"), "Put a held object back, at this pose in the world.")
      .def(
          "allow",
          [](PyScene& s, const std::string& a, const std::string& b) {
            s.scene.allow.push_back({a, b});
          },
          py::arg("a"), py::arg("b"), "Let two bodies touch; '*' stands for all.")
      .def(
          "set_margin",
          [](PyScene& s, const std::string& a, const std::string& b, double margin) {
            std::erase_if(s.scene.margins,
                          [&](const PairMargin& m) { return std::minmax(m.a, m.b) == std::minmax(a, b); });
            s.scene.margins.push_back({a, b, margin});
          },
          py::arg("a"), py::arg("b"), py::arg("margin"),
          "Demand a clearance of a pair, in metres, in place of the one before; '*' stands for all that is not "
          "of the same robot.")
      .def(
          "set_padding",
          [](PyScene& s, const std::string& name, double padding) {
            std::erase_if(s.scene.padding, [&](const Padding& p) { return p.name == name; });
            s.scene.padding.push_back({name, padding});
          },
          py::arg("name"), py::arg("padding"),
          "Take a link, or what is held, to be so much thicker, in metres, against all that is not of its own robot.")
      .def(
          "__contains__",
          [](const PyScene& s, const std::string& name) {
            return s.scene.objects.find(name) != nullptr ||
                   std::any_of(s.scene.attached.begin(), s.scene.attached.end(),
                               [&](const AttachedObject& a) { return a.object.name == name; });
          },
          py::arg("name"), "Whether there is an object of this name, attached ones included.")
      .def("__len__", [](const PyScene& s) { return s.scene.objects.size() + s.scene.attached.size(); })
      .def("__repr__", [](const PyScene& s) {
        std::string text = "<planner_ccd.Scene: " + std::to_string(s.scene.objects.size()) + " objects";
        if (!s.scene.attached.empty()) text += ", " + std::to_string(s.scene.attached.size()) + " attached";
        return text + ">";
      });
  bind_shapes(scene);
}

}  // namespace planner_ccd::python
