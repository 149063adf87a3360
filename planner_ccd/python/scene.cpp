#include <algorithm>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/scene_write.hpp"
#include "planner_ccd/python/options.hpp"

namespace planner_ccd::python {
namespace {

SceneFileOptions options_of(const Robot* robot, const std::map<std::string, py::object>& packages,
                            const std::string& dae_up_axis) {
  SceneFileOptions options;
  options.resources = resources_of(packages, {}, dae_up_axis);
  if (robot) options.robot = robot->model.get();
  return options;
}

PyScene make_scene(Loaded<Scene> scene) {
  return {std::move(scene.value), std::move(scene.warnings), std::move(scene.assumptions)};
}

PyScene load(const py::object& file, const Robot* robot, const std::map<std::string, py::object>& packages,
             const std::string& dae_up_axis) {
  std::vector<InputFile> inputs;
  const FilesRead noted(inputs, "scene");
  PyScene scene = make_scene(load_scene(path_of(file), options_of(robot, packages, dae_up_axis)));
  scene.inputs = std::move(inputs);
  return scene;
}

PyScene parse(const std::string& text, const Robot* robot, const py::object& folder,
              const std::map<std::string, py::object>& packages, const std::string& dae_up_axis) {
  return make_scene(parse_scene(text, "scene", path_of(folder), options_of(robot, packages, dae_up_axis)));
}

std::vector<std::string> names(const PyScene& s) {
  std::vector<std::string> out;
  for (const SceneObject& o : s.scene.objects) out.push_back(o.name);
  for (const AttachedObject& a : s.scene.attached) out.push_back(a.object.name);
  return out;
}

Eigen::Matrix4d pose(const PyScene& s, const std::string& name) {
  if (const SceneObject* object = s.scene.objects.find(name)) return object->pose.matrix();
  for (const AttachedObject& held : s.scene.attached) {
    if (held.object.name == name) return held.object.pose.matrix();
  }
  throw InputError("the scene has no object '" + name + "'");
}

/// Read and written, and what is in it.
void bind_files(py::class_<PyScene>& scene) {
  scene.def(py::init<>(), "An empty scene.")
      .def_static(
          "load", &load, py::arg("file"), py::arg("robot") = nullptr, py::kw_only(), py::arg("packages") = py::dict(),
          py::arg("dae_up_axis") = "ignore",
          "Load a scene from YAML. With a robot, names of links in it are checked. dae_up_axis: 'ignore' that of\n"
          "DAE files, or 'honour' it.\n\n"
          "    >>> planner_ccd.Scene.load(root / 'models/scenes/puma_car.yaml', robot).names\n"
          "    ['car', 'pedestal', 'floor']")
      .def_static("from_string", &parse, py::arg("text"), py::arg("robot") = nullptr, py::kw_only(),
                  py::arg("folder") = ".", py::arg("packages") = py::dict(), py::arg("dae_up_axis") = "ignore",
                  "The same from the text itself. folder: where relative mesh files lie.\n\n"
                  "    >>> planner_ccd.Scene.from_string('objects: [{name: ball, sphere: {radius: 0.1}}]').names\n"
                  "    ['ball']")
      .def(
          "save", [](const PyScene& s, const py::object& file) { save_scene(path_of(file), s.scene); }, py::arg("file"),
          "Write the scene as YAML that `load` reads back, to the bit. Meshes, clouds and maps go to files in the "
          "folder\n"
          "STEM_files beside it; a file that is there already is never changed.\n\n"
          "    >>> scene.save('cell.yaml')\n"
          "    >>> planner_ccd.Scene.load('cell.yaml', robot).names == scene.names\n"
          "    True")
      .def("pose", &pose, py::arg("name"),
           "Where an object is: its 4 x 4 pose in the world, in metres; of an attached one in its link's frame.\n\n"
           "    >>> scene.pose('pedestal')[:3, 3]\n"
           "    array([...])")
      .def_property_readonly("names", &names, "Names of the objects, attached ones last.")
      .def_property_readonly(
          "warnings", [](const PyScene& s) { return s.warnings; }, "What loading remarked.");
}

/// What is done to an object.
void bind_changes(py::class_<PyScene>& scene) {
  scene
      .def(
          "move",
          [](PyScene& s, const std::string& name, const py::object& pose) {
            const Eigen::Isometry3d X = pose_of(pose, "pose of '" + name + "'");
            validate(X, "pose of '" + name + "'");
            s.scene.objects.move(name, X);
          },
          py::arg("name"), py::arg("pose"),
          "Put an object at a 4 x 4 pose.\n\n"
          "    >>> scene.move('car', np.eye(4))")
      .def(
          "set_pose_error",
          [](PyScene& s, const std::string& name, double position, double angle, const py::kwargs& old) {
            PoseError error{.position = position, .angle = angle};
            allow_keywords(old, {"xyz"});
            if (!old.empty()) {
              warn_old("set_pose_error(xyz=...) is now position=...");
              error.position = old["xyz"].cast<double>();
            }
            validate(error, "pose error of '" + name + "'");
            for (AttachedObject& held : s.scene.attached) {
              if (held.object.name != name) continue;
              held.object.pose_error = error;
              return;
            }
            const SceneObject* found = s.scene.objects.find(name);
            if (found == nullptr) throw InputError("the scene has no object '" + name + "'");
            SceneObject object = *found;
            object.pose_error = error;
            s.scene.objects.replace(std::move(object));
          },
          py::arg("name"), py::arg("position") = 0.0, py::arg("angle") = 0.0,
          "How far an object may be from its pose: in metres, and turned by so many radians. Motions are then proved\n"
          "free wherever it stands within that. What is held keeps the error of its pose in the link.\n\n"
          "    >>> scene.set_pose_error('car', position=0.003, angle=0.01)")
      .def(
          "remove",
          [](PyScene& s, const std::string& name) {
            s.scene.objects.erase(name);
            s.forget(name);
          },
          py::arg("name"),
          "Take an object away.\n\n"
          "    >>> scene.remove('car')\n"
          "    >>> 'car' in scene\n"
          "    False");
}

/// What links hold.
void bind_holding(py::class_<PyScene>& scene) {
  scene
      .def(
          "attach",
          [](PyScene& s, const std::string& name, const std::string& link, const py::object& pose,
             const std::vector<std::string>& touch_links) {
            s.scene.attach(name, link, pose_of(pose, "pose of '" + name + "'"), touch_links);
          },
          py::arg("name"), py::arg("link"), py::arg("pose") = py::none(),
          py::arg("touch_links") = std::vector<std::string>{},
          "Let a link hold an object, at this pose in the link's frame; it may touch that link and touch_links.\n\n"
          "    >>> scene.add_box('tool', [0.05, 0.05, 0.2])\n"
          "    >>> scene.attach('tool', 'gripper', touch_links=['flange'])")
      .def(
          "detach",
          [](PyScene& s, const std::string& name, const py::object& pose) {
            s.scene.detach(name, pose_of(pose, "pose of '" + name + "'"));
          },
          py::arg("name"), py::arg("pose"),
          "Put a held object back, at this pose in the world.\n\n"
          "    >>> scene.add_sphere('ball', 0.05)\n"
          "    >>> scene.attach('ball', 'gripper')\n"
          "    >>> scene.detach('ball', np.eye(4))");
}

/// What is demanded of pairs.
void bind_rules(py::class_<PyScene>& scene) {
  scene
      .def(
          "allow",
          [](PyScene& s, const std::string& a, const std::string& b) {
            s.scene.allow.push_back({a, b});
          },
          py::arg("a"), py::arg("b"),
          "Let two bodies touch; '*' stands for all.\n\n"
          "    >>> scene.allow('base_link', 'car')")
      .def(
          "set_margin",
          [](PyScene& s, const std::string& a, const std::string& b, double margin) {
            std::erase_if(s.scene.margins,
                          [&](const PairMargin& m) { return std::minmax(m.a, m.b) == std::minmax(a, b); });
            s.scene.margins.push_back({a, b, margin});
          },
          py::arg("a"), py::arg("b"), py::arg("margin"),
          "Demand a clearance of a pair, in metres, in place of the one before; '*' stands for all that is not "
          "of the same robot.\n\n"
          "    >>> scene.set_margin('gripper', 'car', 0.02)")
      .def(
          "set_padding",
          [](PyScene& s, const std::string& name, double padding) {
            std::erase_if(s.scene.padding, [&](const Padding& p) { return p.name == name; });
            s.scene.padding.push_back({name, padding});
          },
          py::arg("name"), py::arg("padding"),
          "Take a link, or what is held, to be so much thicker, in metres, against all that is not of its own "
          "robot.\n\n"
          "    >>> scene.set_padding('forearm', 0.01)");
}

void bind_names(py::class_<PyScene>& scene) {
  scene
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
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<PyScene> scene(module, "Scene",
                            "Everything around the robot. A PathChecker copies it: change it, then ask\n"
                            "checker.with_scene(scene).");
  scene.attr("__module__") = "planner_ccd";
  bind_files(scene);
  bind_changes(scene);
  bind_holding(scene);
  bind_rules(scene);
  bind_names(scene);
  bind_scene_shapes(scene);
  bind_cloud_filters(module, scene);
  def_content(scene);
  def_digest(scene);
}

}  // namespace planner_ccd::python
