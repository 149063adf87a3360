#include "planner_ccd/io/collision_rules.hpp"

#include "io/io_support.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

std::string ball(const std::string& name) {
  return "<link name='" + name + "'><collision><geometry><sphere radius='1'/></geometry></collision></link>";
}
std::string frame(const std::string& name) { return "<link name='" + name + "'/>"; }
std::string joint(const std::string& type, const std::string& from, const std::string& to,
                  const std::string& origin = "0 0 0") {
  return "<joint name='" + from + "_" + to + "' type='" + type + "'><origin xyz='" + origin + "'/><parent link='" +
         from + "'/><child link='" + to + "'/><limit upper='1'/></joint>";
}
RobotModel model(const std::string& inside) {
  return RobotModel(parse_urdf("<robot name='r'>" + inside + "</robot>", "r.urdf", "").value);
}

// "checked", or the reason.
std::string verdict(const CollisionMatrix& matrix, const std::string& a, const std::string& b) {
  const Exclusion* exclusion = matrix.find(a, b);
  return exclusion ? to_string(exclusion->reason) : "checked";
}

TEST(CollisionRules, NeighboursAreAdjacentAndOthersAreChecked) {
  const auto matrix = build_collision_matrix(
      model(ball("a") + ball("b") + ball("c") + joint("revolute", "a", "b") + joint("prismatic", "b", "c")));
  EXPECT_EQ(verdict(matrix, "a", "b"), "adjacent");
  EXPECT_EQ(verdict(matrix, "c", "b"), "adjacent");
  EXPECT_EQ(verdict(matrix, "a", "c"), "checked");
  EXPECT_EQ(matrix.find("a", "b")->detail, "through a_b");
}

TEST(CollisionRules, LinksOfOneBodyAndLinksWithoutGeometryAreLeftOut) {
  const auto matrix =
      build_collision_matrix(model(ball("a") + ball("b") + frame("f") + ball("c") + joint("fixed", "a", "b") +
                                   joint("fixed", "b", "f") + joint("revolute", "b", "c")));
  EXPECT_EQ(verdict(matrix, "a", "b"), "same body");
  EXPECT_EQ(verdict(matrix, "a", "f"), "no geometry");
  EXPECT_EQ(verdict(matrix, "a", "c"), "checked") << "the joint holds c to b, not to a";
}

TEST(CollisionRules, EmptyLinksBetweenDoNotHideWhoIsHeldByAJoint) {
  const auto matrix = build_collision_matrix(
      model(ball("a") + frame("f") + ball("b") + joint("fixed", "a", "f", "0 0 1") + joint("revolute", "f", "b")));
  EXPECT_EQ(verdict(matrix, "a", "b"), "adjacent");
}

TEST(CollisionRules, ABallJointMadeOfHingesHoldsButADisplacedOrSlidingChainDoesNot) {
  const std::string links = ball("a") + frame("x") + frame("y") + ball("b");
  const auto hinges = [&](const std::string& type, const std::string& origin) {
    return model(links + joint("revolute", "a", "x", "0 0 1") + joint(type, "x", "y") +
                 joint("revolute", "y", "b", origin));
  };
  EXPECT_EQ(verdict(build_collision_matrix(hinges("revolute", "0 0 0")), "a", "b"), "adjacent");
  EXPECT_EQ(verdict(build_collision_matrix(hinges("revolute", "0 0.1 0")), "a", "b"), "checked");
  EXPECT_EQ(verdict(build_collision_matrix(hinges("prismatic", "0 0 0")), "a", "b"), "checked");
}

TEST(CollisionRules, SiblingsOnAnEmptyLinkAndFreeBodiesAreChecked) {
  const auto legs =
      build_collision_matrix(model(frame("base") + ball("left") + ball("right") + joint("revolute", "base", "left") +
                                   joint("revolute", "base", "right")));
  EXPECT_EQ(verdict(legs, "left", "right"), "checked");
  const auto free = build_collision_matrix(model(ball("floor") + ball("body") + joint("floating", "floor", "body")));
  EXPECT_EQ(verdict(free, "floor", "body"), "checked");
  const auto planar = build_collision_matrix(model(ball("floor") + ball("body") + joint("planar", "floor", "body")));
  EXPECT_EQ(verdict(planar, "floor", "body"), "checked");
}

TEST(CollisionRules, TheSrdfIsHonouredWithItsReasons) {
  const auto robot = model(ball("a") + ball("b") + ball("c") + ball("d") + joint("revolute", "a", "b") +
                           joint("revolute", "b", "c") + joint("revolute", "c", "d"));
  const auto srdf = parse_srdf(
      "<robot name='r'><disable_collisions link1='c' link2='a' reason='Never'/>"
      "<disable_default_collisions link='d'/><enable_collisions link1='a' link2='d'/></robot>",
      "r.srdf", robot);
  const auto matrix = build_collision_matrix(robot, srdf.value);
  EXPECT_EQ(verdict(matrix, "a", "c"), "disabled");
  EXPECT_EQ(matrix.find("a", "c")->detail, "SRDF: Never");
  EXPECT_EQ(verdict(matrix, "b", "d"), "disabled");
  EXPECT_EQ(verdict(matrix, "a", "d"), "checked");
  const auto enabling = parse_srdf("<robot name='r'><enable_collisions link1='a' link2='b'/></robot>", "r.srdf", robot);
  EXPECT_EQ(verdict(build_collision_matrix(robot, enabling.value), "a", "b"), "checked");
  CollisionRules rules;
  rules.exclude_adjacent = false;
  EXPECT_EQ(verdict(build_collision_matrix(robot, {}, rules), "a", "b"), "checked");
}

}  // namespace
}  // namespace planner_ccd::test
