#include "planner_ccd/validation/cloud_filters.hpp"

#include "planner_ccd/python/options.hpp"

namespace planner_ccd::python {
namespace {

/// Replaces the object's cloud by what `filter` leaves of it, or removes the object; returns the number of dropped points.
template <typename Filter>
int drop(PyScene& s, const std::string& name, const Filter& filter) {
  const SceneObject* found = s.scene.objects.find(name);
  const auto* cloud = found == nullptr ? nullptr : std::get_if<CloudPtr>(&found->geometry.front().shape);
  if (cloud == nullptr) throw InputError("scene: there is no cloud '" + name + "'");
  SceneObject object = *found;
  const FilteredCloud kept = filter(*cloud, Pose(object.pose * object.geometry.front().pose));
  if (kept.dropped == 0) return 0;
  if (kept.cloud == nullptr) {
    s.scene.objects.erase(name);
  } else {
    object.geometry.front().shape = kept.cloud;
    s.scene.objects.replace(std::move(object));
  }
  return kept.dropped;
}

}  // namespace

void bind_cloud_filters(py::module_& module, py::class_<PyScene>& scene) {
  py::class_<RobotFilter> filter(
      module, "RobotFilter",
      "Takes out of clouds what a camera saw of the robot itself. Make it once for a robot, and\n"
      "again when it grasps something.");
  filter.attr("__module__") = "planner_ccd";
  filter
      .def(py::init([](const Robot& robot, const PyScene* of) {
             return RobotFilter(robot.model, of ? of->scene.attached : std::vector<AttachedObject>());
           }),
           py::arg("robot"), py::arg("scene") = nullptr,
           "Of this robot, and of what it holds in the scene.\n\n"
           "    >>> robot_filter = planner_ccd.RobotFilter(robot)")
      .def(
          "drop_robot",
          [](const RobotFilter& f, PyScene& s, const std::string& name, const py::object& q, double within) {
            const JointVector at = vector_of(q, "configuration");
            const int dropped =
                drop(s, name, [&](const CloudPtr& cloud, const Pose& X) { return f.drop_robot(cloud, X, at, within); });
            if (dropped > 0) merge(s.assumptions, {points_dropped(dropped, within, name)});
            return dropped;
          },
          py::arg("scene"), py::arg("name"), py::arg("configuration"), py::arg("within") = 0.0,
          "Drop the points of a cloud that lie in the robot at this configuration, or within so many metres of it;\n"
          "returns their number. Every check says that they were dropped. Without any point left the object is "
          "removed.\n\n"
          "    >>> scene.add_cloud('seen', [[0.0, 0.0, 0.1], [3.0, 0.0, 0.0]], radius=0.01)\n"
          "    >>> planner_ccd.RobotFilter(robot).drop_robot(scene, 'seen', path[0], within=0.02)\n"
          "    1");
  def_old_names(filter, {{"drop", "drop_robot"}});
  scene.def(
      "drop_region",
      [](PyScene& s, const std::string& name, const py::object& min, const py::object& max) {
        const Eigen::Vector3d low = vector3_of(min, "min"), high = vector3_of(max, "max");
        const int dropped =
            drop(s, name, [&](const CloudPtr& cloud, const Pose& X) { return drop_region(cloud, X, low, high); });
        if (dropped > 0) merge(s.assumptions, {region_cleared(dropped, name)});
        return dropped;
      },
      py::arg("name"), py::arg("min"), py::arg("max"),
      "Drop the points of a cloud in the box between two corners, in metres and in the world; returns their number.\n"
      "Every check says that they were dropped. Without any point left the object is removed.\n\n"
      "    >>> scene.add_cloud('shelf', [[0.5, 0.1, 0.3], [0.9, 0.1, 0.3]], radius=0.004)\n"
      "    >>> scene.drop_region('shelf', [0.4, 0.0, 0.2], [0.6, 0.2, 0.4])\n"
      "    1");
}

}  // namespace planner_ccd::python
