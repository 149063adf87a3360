#include "planner_ccd/robot/kinematics.hpp"

#include "planner_ccd/python/bindings.hpp"

namespace planner_ccd::python {
namespace {

using RowMajorPose = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;

/// ... x 4 x 4 poses of these links at one configuration, or at each row.
py::array_t<double> poses(const Robot& robot, const py::object& q, const std::vector<int>& links, bool alone) {
  const RobotModel& model = *robot.model;
  const auto at = numbers(q, "q");
  if (at.ndim() != 1 && at.ndim() != 2) throw InputError("q: must have 1 or 2 dimensions");
  const py::ssize_t rows = at.ndim() == 1 ? 1 : at.shape(0), size = at.shape(at.ndim() - 1);
  std::vector<py::ssize_t> shape;
  if (at.ndim() == 2) shape.push_back(rows);
  if (!alone) shape.push_back(static_cast<py::ssize_t>(links.size()));
  shape.insert(shape.end(), {4, 4});
  py::array_t<double> out(shape);
  double* to = out.mutable_data();
  for (py::ssize_t i = 0; i < rows; ++i) {
    const Kinematics k = kinematics(model, Eigen::Map<const Eigen::VectorXd>(at.data() + i * size, size));
    for (const int l : links) {
      const Link& link = model.links()[static_cast<std::size_t>(l)];
      const Eigen::Isometry3d X_WL = k.bodies[static_cast<std::size_t>(link.body)].pose() * link.X_BodyLink;
      Eigen::Map<RowMajorPose>(to, 4, 4) = X_WL.matrix();
      to += 16;
    }
  }
  return out;
}

}  // namespace

void bind_kinematics(py::class_<Robot>& robot) {
  robot.def(
      "forward_kinematics",
      [](const Robot& r, const py::object& q, const std::optional<std::string>& link) {
        std::vector<int> links;
        if (link) {
          links.push_back(r.model->find_link(*link));
          if (links[0] < 0) throw InputError("forward_kinematics: the robot has no link '" + *link + "'");
        } else {
          for (int i = 0; i < static_cast<int>(r.model->links().size()); ++i) links.push_back(i);
        }
        return poses(r, q, links, link.has_value());
      },
      py::arg("q"), py::arg("link") = py::none(),
      "Where links are: 4 x 4 poses in the world, in metres, in the order of `links`, or of one link alone.\n"
      "q: a configuration, or one a row; then the first axis of the array is that of the rows.\n\n"
      "    >>> robot.forward_kinematics(path[0], 'gripper').shape\n"
      "    (4, 4)\n"
      "    >>> robot.forward_kinematics(path).shape\n"
      "    (6, 8, 4, 4)");
}

}  // namespace planner_ccd::python
