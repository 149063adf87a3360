#include "planner_ccd/query/prepared_robot.hpp"

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/prepared_parts.hpp"

namespace planner_ccd {

PreparedParts::PreparedParts(std::shared_ptr<const RobotModel> model, const CollisionMatrix& rules)
    : robot(std::move(model)), matrix(rules) {
  if (robot == nullptr) throw InputError("there is no robot: a null pointer was given");
  trees = link_trees(*robot);
  covers = link_covers(trees);
}

PreparedRobot::PreparedRobot(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                             const PrepareOptions& options) {
  auto parts = std::make_shared<PreparedParts>(std::move(robot), matrix);
  parts->alone = std::make_shared<const CollisionWorld>(*parts->robot, parts->trees, Scene{}, matrix,
                                                        Margins(options.margin, options.self_margin));
  parts->cells = RobotCells(*parts->alone, options.cell_evaluations);
  parts_ = std::move(parts);
}

const std::shared_ptr<const PreparedParts>& PreparedRobot::parts() const {
  if (parts_ == nullptr) throw InputError("this PreparedRobot was moved from");
  return parts_;
}

PreparedRobot PreparedRobot::with_proofs(std::string_view bytes, const std::string& name) const {
  auto with = std::make_shared<PreparedParts>(*parts());
  with->cells = RobotCells::parse(bytes, *with->alone, name);
  return PreparedRobot(std::move(with));
}

PreparedRobot PreparedRobot::proved(std::int64_t cell_evaluations) const {
  auto with = std::make_shared<PreparedParts>(*parts());
  with->cells = RobotCells(*with->alone, cell_evaluations);
  return PreparedRobot(std::move(with));
}

const RobotModel& PreparedRobot::robot() const { return *parts()->robot; }
const CollisionMatrix& PreparedRobot::matrix() const { return parts()->matrix; }
double PreparedRobot::margin() const { return parts()->alone->margins().outside; }
double PreparedRobot::self_margin() const { return parts()->alone->margins().within; }
std::int64_t PreparedRobot::cell_evaluations() const { return parts()->cells.evaluations(); }
std::size_t PreparedRobot::cell_memory() const { return parts()->cells.memory(); }
std::string PreparedRobot::key() const { return to_hex(RobotCells::key(*parts()->alone)); }
std::string PreparedRobot::proofs() const { return parts()->cells.format(*parts()->alone); }

std::vector<PreparedPair> PreparedRobot::pairs() const {
  std::vector<PreparedPair> pairs;
  for (const RobotCells::Entry& e : parts()->cells.entries()) {
    pairs.push_back({e.a, e.b, static_cast<int>(e.cells->axes().size()), e.cells->free_share(), e.cells->memory()});
  }
  return pairs;
}

}  // namespace planner_ccd
