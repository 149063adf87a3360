#include <memory>
#include <moveit/planning_interface/planning_response_adapter.hpp>
#include <moveit/robot_state/conversions.hpp>
#include <planner_ccd/adapters/ros.hpp>
#include <planner_ccd/planner_ccd.hpp>
#include <pluginlib/class_list_macros.hpp>

class ProveSolution : public planning_interface::PlanningResponseAdapter {
 public:
  void initialize(const rclcpp::Node::SharedPtr& node, const std::string&) override {
    using namespace planner_ccd;
    const auto text = [&](const char* name) { return node->get_parameter(name).as_string(); };
    robot_ = std::make_shared<const RobotModel>(parse_urdf(text("robot_description"), "robot_description", "").value);
    const Srdf srdf = parse_srdf(text("robot_description_semantic"), "robot_description_semantic", *robot_).value;
    const Scene scene = load_scene(text("planner_ccd_scene")).value;  // the robot's surroundings
    checker_ = std::make_unique<PathChecker>(robot_, scene, build_collision_matrix(*robot_, srdf));
  }

  std::string getDescription() const override { return "ProveSolution"; }

  void adapt(const planning_scene::PlanningSceneConstPtr& world, const planning_interface::MotionPlanRequest&,
             planning_interface::MotionPlanResponse& response) const override {
    if (!response.trajectory) return;
    moveit_msgs::msg::RobotState state;
    moveit::core::robotStateToRobotStateMsg(world->getCurrentState(), state);
    moveit_msgs::msg::RobotTrajectory message;
    response.trajectory->getRobotTrajectoryMsg(message);
    const auto rest = planner_ccd::from_message(state.joint_state, *robot_, robot_->neutral());
    planner_ccd::Workspace workspace(*checker_);
    const auto report =
        planner_ccd::check_trajectory(*checker_, planner_ccd::from_message(message, *robot_, rest), workspace);
    if (report.verdict == planner_ccd::Verdict::Free) return;
    response.error_code.val = moveit_msgs::msg::MoveItErrorCodes::INVALID_MOTION_PLAN;
    for (const auto& finding : report.findings) {
      RCLCPP_ERROR(rclcpp::get_logger("planner_ccd"), "%s at %.3f s", finding.message.c_str(), finding.begin.to);
    }
  }

 private:
  std::shared_ptr<const planner_ccd::RobotModel> robot_;
  std::unique_ptr<planner_ccd::PathChecker> checker_;
};

PLUGINLIB_EXPORT_CLASS(ProveSolution, planning_interface::PlanningResponseAdapter)
