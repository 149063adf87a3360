#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace planner_ccd::test {
namespace {

using nlohmann::json;

std::vector<std::string> puma(const std::string& path, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--path", path});
  return check_puma(std::move(more));
}

TEST(Check, FreePathExitsWithZeroAndSaysProved) {
  const CommandResult text = run_command(puma(source("models/paths/puma_window.csv")));
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("free: proved everywhere on all 14 segments"), std::string::npos) << text.out;
  const CommandResult result = run_command(puma(source("models/paths/puma_window.csv"), {"--json"}));
  const json out = json::parse(result.out);
  EXPECT_EQ(out["verdict"], "free");
  EXPECT_EQ(out["segments"], 14);
  EXPECT_TRUE(out["t_free"].is_null());
  EXPECT_TRUE(out["segment"].is_null());
  EXPECT_TRUE(out["contact"].is_null());
  EXPECT_GT(out["evaluations"], 0);
}

// Sampling with FCL, refined by bisection, found this contact at t = 0.573093 of segment 3 (models/README.md).
TEST(Check, ContactExitsWithOneAndSaysWhatMeetsWhere) {
  const CommandResult result = run_command(puma(source("models/paths/puma_fender.csv"), {"--json"}));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["verdict"], "contact");
  EXPECT_EQ(out["segment"], 3);
  const json& contact = out["contact"];
  EXPECT_EQ(contact["a"], "gripper");
  EXPECT_EQ(contact["b"], "car");
  EXPECT_NEAR(contact["t"][1], 0.573093, 2e-4);
  EXPECT_LE(contact["t"][0], contact["t"][1]);
  EXPECT_EQ(contact["t"][0], out["t_free"]);
  EXPECT_LE(contact["distance"], 1e-4);
  EXPECT_EQ(contact["joints"].size(), 6u);
  EXPECT_FALSE(contact["inside"]);
  double squared = 0.0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(contact["point_a"][i], contact["point_b"][i], 1.01e-4);
    squared += contact["normal"][i].get<double>() * contact["normal"][i].get<double>();
  }
  EXPECT_NEAR(squared, 1.0, 1e-9);
}

TEST(Check, MethodsOfThePapersAgree) {
  for (const char* method : {"c2a", "hca", "catch", "undirected"}) {
    const CommandResult result = run_command(
        puma(source("models/paths/puma_fender.csv"), {"--method", method, "--tolerance", "1e-5", "--json"}));
    EXPECT_EQ(result.exit_code, 1) << method << result.err;
    const json out = json::parse(result.out);
    EXPECT_EQ(out["segment"], 3) << method;
    EXPECT_NEAR(out["contact"]["t"][1], 0.573093, 2e-4) << method;
    EXPECT_EQ(out["options"]["method"], method);
  }
}

TEST(Check, MarginTurnsANearPassIntoAContact) {
  const std::string path = source("models/paths/puma_window.csv");
  EXPECT_EQ(run_command(puma(path, {"--margin", "0.02"})).exit_code, 0);
  EXPECT_EQ(run_command(puma(path, {"--margin", "0.2"})).exit_code, 1);
}

TEST(Check, SpentBudgetExitsWithThree) {
  const CommandResult result =
      run_command(puma(source("models/paths/puma_fender.csv"), {"--max-evaluations", "5", "--json"}));
  EXPECT_EQ(result.exit_code, 3);
  const json out = json::parse(result.out);
  EXPECT_EQ(out["verdict"], "undecided");
  EXPECT_TRUE(out["contact"].is_null());
  EXPECT_GE(out["t_free"], 0.0);
  EXPECT_LT(out["t_free"], 1.0);
}

TEST(Check, SingleWaypointIsCheckedWhereItIs) {
  const TempFolder folder;
  const std::string path = folder.write("p.csv", "joint1,joint2,joint3,joint4,joint5,joint6\n0,0,0,0,0,0\n");
  const CommandResult result =
      run_command({"check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"), "--path", path});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

// The shelf as it is, and as one camera saw it.
TEST(Check, WhatTheCameraDidNotSeeIsInTheWay) {
  const auto check = [&](const std::string& scene, const std::string& path) {
    return json::parse(run_command({"check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"),
                                    "--scene", scene, "--path", source("models/paths/" + path), "--json"})
                           .out);
  };
  const std::string truth = source("models/scenes/puma_shelf.yaml"),
                    scan = source("models/scenes/puma_shelf_scan.yaml");
  EXPECT_EQ(check(truth, "puma_shelf_pick.csv")["verdict"], "free");
  EXPECT_EQ(check(truth, "puma_shelf_behind.csv")["verdict"], "free");
  EXPECT_EQ(check(scan, "puma_shelf_pick.csv")["verdict"], "free");
  const json blocked = check(scan, "puma_shelf_behind.csv");
  EXPECT_EQ(blocked["verdict"], "contact");
  EXPECT_EQ(blocked["contact"]["a"], "gripper");
  EXPECT_EQ(blocked["contact"]["b"], "map");
  EXPECT_EQ(blocked["segment"], 2);

  std::ifstream file(scan);
  std::stringstream text;
  text << file.rdbuf();
  std::string other = text.str();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
  };
  replace("unknown: occupied, region: {min: [0.6, -0.58, 0.46], max: [1.0, 0.4, 1.0]}", "unknown: free");
  for (const char* name : {"shelf.npy", "shelf.bt"})
    replace(std::string("../scans/") + name, source("models/scans/") + name);
  const TempFolder folder;
  const json passed = check(folder.write("scene.yaml", other), "puma_shelf_behind.csv");
  EXPECT_EQ(passed["verdict"], "free");
  int said = 0;
  for (const json& assumption : passed["assumptions"]) said += assumption["kind"] == "unknown_is_free";
  EXPECT_EQ(said, 1);
}

#ifdef PLANNER_CCD_HAS_ASSIMP
TEST(Check, MeshesReadThroughAssimpAreNamedAndBrokenOnesAreBadInput) {
  const TempFolder folder;
  folder.write("sheet.x3d",
               "<X3D><Scene><Transform translation='50 0 0'><Shape><IndexedFaceSet coordIndex='0 1 2 -1'>"
               "<Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape></Transform></Scene></X3D>");
  folder.write("broken.fbx", "Kaydara FBX Binary  ");
  const auto check = [&](const std::string& mesh, std::vector<std::string> more) {
    more.insert(more.begin(), {"check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"),
                               "--path", source("models/paths/puma_window.csv"), "--scene",
                               folder.write("scene.yaml", "objects: [{name: thing, mesh: " + mesh + "}]\n")});
    return more;
  };
  const CommandResult result = run_command(check("sheet.x3d", {"--json"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  int named = 0;
  const json out = json::parse(result.out);
  for (const json& assumption : out["assumptions"]) {
    if (assumption["kind"] != "mesh_reader") continue;
    ++named;
    EXPECT_NE(assumption["names"][0].get<std::string>().find("sheet.x3d"), std::string::npos);
  }
  EXPECT_EQ(named, 1);
  expect_bad_input(check("broken.fbx", {}), {"scene.yaml:1", "broken.fbx", "Assimp cannot read it"});
  expect_bad_input(check("thing.docx", {}), {"thing.docx"});
}
#endif

TEST(Check, BadInputIsNamed) {
  const std::string path = source("models/paths/puma_window.csv");
  const TempFolder folder;
  expect_bad_input({"check", "--path", path}, {"--robot"});
  expect_bad_input(puma(folder.path("none.csv")), {"none.csv"});
  expect_bad_input(puma(folder.write("p.csv", "joint1,joint9\n0,0\n")), {"p.csv", "joint9"});
  expect_bad_input(puma(path, {"--margin", "-1"}), {"--margin"});
  expect_bad_input(puma(path, {"--margin", "far"}), {"margin"});
  expect_bad_input(puma(path, {"--tolerance", "0"}), {"--tolerance"});
  expect_bad_input(puma(path, {"--max-evaluations", "0"}), {"--max-evaluations"});
  expect_bad_input(puma(path, {"--method", "magic"}), {"magic"});
}

}  // namespace
}  // namespace planner_ccd::test
