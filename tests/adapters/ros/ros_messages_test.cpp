// adapters/ros.hpp on Debian's messages of ROS 1 and on look-alikes of ROS 2's.
#include <gtest/gtest.h>

#include <memory>

#include "adapters/ros/messages_like_ros2.hpp"
#include "planner_ccd/adapters/ros.hpp"
#include "planner_ccd/robot/robot_spec.hpp"

#if __has_include(<trajectory_msgs/JointTrajectory.h>) && __has_include(<sensor_msgs/JointState.h>)
#include <sensor_msgs/JointState.h>
#include <trajectory_msgs/JointTrajectory.h>
#define PLANNER_CCD_HAVE_ROS1 1
#endif
#if __has_include(<trajectory_msgs/msg/joint_trajectory.hpp>) && __has_include(<sensor_msgs/msg/joint_state.hpp>)
#include <sensor_msgs/msg/joint_state.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#define PLANNER_CCD_HAVE_ROS2 1
#endif

namespace planner_ccd::test {
namespace {

RobotModel robot() {
  RobotSpec spec;
  spec.name = "r";
  const char* const links[] = {"w", "l1", "l2", "l3"};
  for (const char* const link : links) spec.links.emplace_back().name = link;
  for (int i = 0; i < 3; ++i) {
    JointSpec joint;
    joint.name = std::string(1, static_cast<char>('a' + i));
    joint.type = JointType::Revolute;
    joint.parent = links[i];
    joint.child = links[i + 1];
    joint.lower = -3.0;
    joint.upper = 3.0;
    spec.joints.push_back(joint);
  }
  return RobotModel(spec);
}

const JointVector kRest = (JointVector(3) << 0.1, 0.2, 0.3).finished();

/// ROS 1's headers need std::allocator<void>::rebind, which C++20 removed.
template <class T>
struct RosAllocator : std::allocator<T> {
  RosAllocator() = default;
  template <class U>
  RosAllocator(const RosAllocator<U>&) {}
  template <class U>
  struct rebind {
    using other = RosAllocator<U>;
  };
};

template <class Message, class Point>
Message plan(void (*set_time)(Point&, int, int)) {
  Message message;
  message.joint_names = {"c", "a"};
  message.points.resize(2);
  message.points[0].positions = {0.0, 1.0};
  message.points[1].positions = {1.0, 2.0};
  for (auto& point : message.points) point.velocities = {0.0, 0.0};
  set_time(message.points[0], 0, 0);
  set_time(message.points[1], 1, 500'000'000);
  return message;
}

void expect_plan(const Trajectory& motion) {
  ASSERT_EQ(motion.segments.size(), 1u);
  const TrajectorySegment& s = motion.segments[0];
  EXPECT_EQ(s.t0, 0.0);
  EXPECT_EQ(s.t1, 1.5);
  EXPECT_EQ(s.value[0].degree, 3);
  EXPECT_EQ(s.value[0].value(0.0), 1.0);
  EXPECT_NEAR(s.value[0].value(1.0), 2.0, 1e-15);
  EXPECT_EQ(s.value[1].value(0.4), 0.2);
  EXPECT_NEAR(s.value[2].value(0.5), 0.5, 1e-15);
}

using Ros2Point = like_ros2::JointTrajectoryPoint;

like_ros2::JointTrajectory ros2_plan() {
  return plan<like_ros2::JointTrajectory, Ros2Point>([](Ros2Point& p, int sec, int ns) {
    p.time_from_start = {sec, static_cast<std::uint32_t>(ns)};
  });
}

TEST(RosMessages, Ros2TrajectoriesBecomeMotions) {
  expect_plan(from_message(ros2_plan(), robot(), kRest));
  like_ros2::RobotTrajectory whole;
  whole.joint_trajectory = ros2_plan();
  expect_plan(from_message(whole, robot(), kRest));
  whole.multi_dof_joint_trajectory.points.resize(1);
  EXPECT_THROW((void)from_message(whole, robot(), kRest), InputError);
}

TEST(RosMessages, StatesBecomeConfigurations) {
  like_ros2::JointState state;
  state.name = {"gripper", "b"};
  state.position = {9.0, -1.0};
  EXPECT_EQ(from_message(state, robot(), kRest), (JointVector(3) << 0.1, -1.0, 0.3).finished());
  state.position.pop_back();
  EXPECT_THROW((void)from_message(state, robot(), kRest), InputError);
}

TEST(RosMessages, WhatTheRobotHasNotIsRefused) {
  like_ros2::JointTrajectory message = ros2_plan();
  message.joint_names[0] = "x";
  EXPECT_THROW((void)from_message(message, robot(), kRest), InputError);
  message.joint_names[0] = "a";
  EXPECT_THROW((void)from_message(message, robot(), kRest), InputError) << "there twice";
  message = ros2_plan();
  message.points[1].velocities.pop_back();
  EXPECT_THROW((void)from_message(message, robot(), kRest), InputError);
  message.points.clear();
  EXPECT_THROW((void)from_message(message, robot(), kRest), InputError);
}

#if PLANNER_CCD_HAVE_ROS2  // in a workspace of ROS 2
TEST(RosMessages, Ros2sOwnMessagesAreTakenAlike) {
  using Point = trajectory_msgs::msg::JointTrajectoryPoint;
  expect_plan(from_message(plan<trajectory_msgs::msg::JointTrajectory, Point>([](Point& p, int sec, int ns) {
                             p.time_from_start.sec = sec, p.time_from_start.nanosec = static_cast<std::uint32_t>(ns);
                           }),
                           robot(), kRest));
  sensor_msgs::msg::JointState state;
  state.name = {"b"};
  state.position = {-1.0};
  EXPECT_EQ(from_message(state, robot(), kRest), (JointVector(3) << 0.1, -1.0, 0.3).finished());
}
#endif

TEST(RosMessages, Ros1MessagesOfDebianAreTakenAlike) {
#if PLANNER_CCD_HAVE_ROS1
  using Point = trajectory_msgs::JointTrajectoryPoint_<RosAllocator<void>>;
  expect_plan(
      from_message(plan<trajectory_msgs::JointTrajectory_<RosAllocator<void>>, Point>(
                       [](Point& p, int sec, int ns) { p.time_from_start.sec = sec, p.time_from_start.nsec = ns; }),
                   robot(), kRest));
  sensor_msgs::JointState_<RosAllocator<void>> state;
  state.name = {"b"};
  state.position = {-1.0};
  EXPECT_EQ(from_message(state, robot(), kRest), (JointVector(3) << 0.1, -1.0, 0.3).finished());
#else
  GTEST_SKIP() << "libtrajectory-msgs-dev and libsensor-msgs-dev are not installed";
#endif
}

}  // namespace
}  // namespace planner_ccd::test
