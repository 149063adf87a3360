#include "planner_ccd/query/prepared_robot.hpp"

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/prepared_parts.hpp"

namespace planner_ccd {

PreparedParts::PreparedParts(std::shared_ptr<const RobotModel> model, const CollisionMatrix& rules)
    : robot(std::move(model)), matrix(rules) {
  if (robot == nullptr) throw InputError("there is no robot: a null pointer was given");
  trees = link_trees(*robot);
}

PreparedRobot::PreparedRobot(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                             const PrepareOptions& options) {
  auto parts = std::make_shared<PreparedParts>(std::move(robot), matrix);
  parts->margin = options.margin;
  const CollisionWorld alone(*parts->robot, parts->trees, {}, matrix, options.margin);
  parts->cells = RobotCells(alone, options.cell_evaluations);
  parts_ = std::move(parts);
}

const std::shared_ptr<const PreparedParts>& PreparedRobot::parts() const {
  if (parts_ == nullptr) throw InputError("this PreparedRobot was moved from");
  return parts_;
}

const RobotModel& PreparedRobot::robot() const { return *parts()->robot; }
const CollisionMatrix& PreparedRobot::matrix() const { return parts()->matrix; }
double PreparedRobot::margin() const { return parts()->margin; }
std::size_t PreparedRobot::cell_memory() const { return parts()->cells.memory(); }

}  // namespace planner_ccd
