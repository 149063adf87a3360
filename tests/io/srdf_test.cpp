#include "planner_ccd/io/srdf.hpp"

#include "io/io_support.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/srdf_write.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

RobotModel model_of_three() {
  return RobotModel(parse_urdf(R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="j1" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/></joint>
    <joint name="j2" type="planar"><parent link="b"/><child link="c"/></joint></robot>)",
                               "r.urdf", "")
                        .value);
}

Loaded<Srdf> parse(const std::string& inside) {
  return parse_srdf("<robot name='r'>\n" + inside + "</robot>", "r.srdf", model_of_three());
}

TEST(Srdf, PairsGroupsAndStatesAreRead) {
  const auto srdf = parse(R"(<virtual_joint name="world_joint" type="fixed" parent_frame="world" child_link="a"/>
    <group name="arm"><chain base_link="a" tip_link="c"/><joint name="j1"/><link name="b"/></group>
    <group name="all"><group name="arm"/></group>
    <group_state name="home" group="arm"><joint name="j1" value="0.5"/><joint name="j2" value="1 2 3"/><joint name="world_joint" value="1"/></group_state>
    <end_effector name="e" parent_link="c" group="arm"/><passive_joint name="j2"/>
    <disable_collisions link1="a" link2="c" reason="Never"/>
    <disable_default_collisions link="b"/><enable_collisions link1="b" link2="c"/>)");
  EXPECT_TRUE(srdf.warnings.empty()) << srdf.warnings.front().text;
  ASSERT_EQ(srdf.value.disabled.size(), 1u);
  EXPECT_EQ(srdf.value.disabled[0].reason, "Never");
  EXPECT_EQ(srdf.value.disabled_default, std::vector<std::string>{"b"});
  EXPECT_EQ(srdf.value.enabled.size(), 1u);
  ASSERT_EQ(srdf.value.groups.size(), 2u);
  EXPECT_EQ(srdf.value.groups[0].chains[0].second, "c");
  EXPECT_EQ(srdf.value.groups[1].subgroups[0], "arm");
  const RobotModel model = model_of_three();
  const Eigen::VectorXd q = apply_group_state(srdf.value, "arm", "home", model, model.neutral());
  EXPECT_EQ(q, (Eigen::VectorXd(4) << 0.5, 1, 2, 3).finished());
}

TEST(Srdf, NamesThatTheRobotDoesNotHaveAreListedInAWarning) {
  const auto srdf = parse(
      "<disable_collisions link1='a' link2='x'/><disable_collisions link1='y' link2='z'/>"
      "<disable_collisions link1='a' link2='b'/><group name='g'><joint name='k'/></group>");
  EXPECT_EQ(srdf.value.disabled.size(), 1u);
  EXPECT_TRUE(any_contains(srdf.warnings, "names links that the robot does not have (left out): x, y, z"));
  EXPECT_TRUE(any_contains(srdf.warnings, "names joints that the robot does not have (left out): k"));
}

TEST(Srdf, TheFileOfAnotherRobotIsWarnedOf) {
  const auto srdf = parse_srdf("<robot name='other'/>", "r.srdf", model_of_three());
  EXPECT_TRUE(any_contains(srdf.warnings, "is for robot \"other\", the model is \"r\""));
}

TEST(Srdf, FaultsNameTheLine) {
  expect_input_error([] { parse("<disable_collisions link1='a'/>"); },
                     {"r.srdf:2: <disable_collisions>", "'link2' is missing"});
  expect_input_error([] { parse("<disable_collisions link1='a' link2='a'/>"); }, {"r.srdf:2", "the same link"});
  expect_input_error([] { parse("<group_state name='s' group='g'><joint name='j1' value='a lot'/></group_state>"); },
                     {"r.srdf:2", "finite decimal number"});
  expect_input_error([] { parse("<link name='a'/>"); }, {"this is a URDF"});
  expect_input_error([] { parse_srdf("<robot", "r.srdf", model_of_three()); }, {"r.srdf", "not well-formed XML"});
  const RobotModel model = model_of_three();
  const auto srdf = parse("<group_state name='s' group='g'><joint name='j2' value='1'/></group_state>");
  expect_input_error([&] { apply_group_state(srdf.value, "g", "t", model, model.neutral()); }, {"no state \"t\""});
  expect_input_error([&] { apply_group_state(srdf.value, "g", "s", model, model.neutral()); }, {"needs 3 values"});
}

TEST(Srdf, OfSeveralRobotsKeepToTheirOwnLinks) {
  const RobotModel one = model_of_three();
  const auto own = parse(R"(<disable_default_collisions link="b"/><enable_collisions link1="b" link2="c"/>
    <group name="arm"><chain base_link="a" tip_link="c"/><joint name="j1"/></group>
    <group_state name="home" group="arm"><joint name="j1" value="0.5"/></group_state>)")
                       .value;
  const auto other = parse("<disable_collisions link1='a' link2='c' reason='Never'/>").value;
  const RobotSpec spec =
      parse_urdf(R"(<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>
    </collision></link><link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link>
    <link name="c"><collision><geometry><sphere radius="1"/></geometry></collision></link>
    <joint name="j1" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/></joint>
    <joint name="j2" type="planar"><parent link="b"/><child link="c"/></joint></robot>)",
                 "r.urdf", "")
          .value;
  const RobotModel both(combine(std::vector<PlacedRobot>{{spec, "l_"}, {spec, "r_"}}));
  const Srdf rules = combine(std::vector<Srdf>{with_prefix(own, "l_", one), with_prefix(other, "r_", one)});
  EXPECT_EQ(rules.robot, "l_r+r_r");
  const CollisionMatrix matrix = build_collision_matrix(both, rules);
  const auto reason = [&](const std::string& a, const std::string& b) {
    const Exclusion* e = matrix.find(a, b);
    return e ? to_string(e->reason) : "checked";
  };
  EXPECT_STREQ(reason("l_a", "l_b"), "adjacent");
  EXPECT_STREQ(reason("l_b", "l_c"), "checked") << "enabled";
  EXPECT_STREQ(reason("l_a", "l_c"), "checked") << "only the other robot's file disables it";
  EXPECT_STREQ(reason("r_a", "r_c"), "disabled");
  for (const char* mine : {"l_a", "l_b", "l_c"}) {
    for (const char* others : {"r_b", "r_c"}) EXPECT_STREQ(reason(mine, others), "checked");
  }
  EXPECT_STREQ(reason("l_a", "r_a"), "same body") << "both stand in the world";
  const Eigen::VectorXd q = apply_group_state(rules, "l_arm", "l_home", both, both.neutral());
  EXPECT_EQ(q[both.find_coordinate("l_j1")], 0.5);
  EXPECT_EQ(q[both.find_coordinate("r_j1")], 0.0);
}

TEST(Srdf, AddedPairsComeOnTopOfAllThatWasThere) {
  const std::string given =
      "<?xml version='1.0'?>\n<!-- kept -->\n<robot name='r'><group name='g'><joint name='j1'/></group>"
      "<disable_collisions link1='b' link2='a' reason='User'/><odd thing='&amp;'/></robot>";
  const std::string text = add_disabled_pairs(given, "r.srdf", "r", {{"a", "b", "Adjacent"}, {"a", "c", "Never"}});
  for (const char* part : {"<!-- kept -->", "<group name=\"g\">", "<odd thing=\"&amp;\"/>"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  const Srdf read = parse_srdf(text, "new.srdf", model_of_three()).value;
  ASSERT_EQ(read.disabled.size(), 2u);
  EXPECT_EQ(read.disabled[0].reason, "User");
  EXPECT_EQ(read.disabled[1].reason, "Never");
  EXPECT_EQ(add_disabled_pairs(text, "new.srdf", "r", {{"c", "a", "Never"}}), text)
      << "what is there is not added again";
  const auto fresh = parse_srdf(add_disabled_pairs("", "", "r", {{"a", "c", "Default"}}), "f.srdf", model_of_three());
  EXPECT_TRUE(fresh.warnings.empty());
  EXPECT_EQ(fresh.value.disabled.size(), 1u);
  expect_input_error([] { add_disabled_pairs("<robot", "r.srdf", "r", {}); }, {"r.srdf", "not well-formed XML"});
}

}  // namespace
}  // namespace planner_ccd::test
