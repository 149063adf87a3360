#include <fstream>
#include <sstream>

#include "cli/command.hpp"

namespace planner_ccd::test {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Pages, CheckWritesOneAndKeepsItsExitCodeAndText) {
  const TempFolder folder;
  std::vector<std::string> arguments = check_puma({"--path", source("models/paths/puma_fender.csv")});
  const CommandResult plain = run_command(arguments);
  arguments.insert(arguments.end(), {"--html", folder.path("p.html")});
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out.substr(0, result.out.find("cost")), plain.out.substr(0, plain.out.find("cost")));
  const std::string page = text_of(folder.path("p.html"));
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
  EXPECT_NE(page.find("</html>"), std::string::npos);
  EXPECT_GT(page.size(), 100'000u);
  EXPECT_NE(page.find("data-verdict=\"contact\""), std::string::npos);
  EXPECT_NE(page.find("gripper meets car"), std::string::npos) << "to be read without a script";
  arguments.back() = "/nonexistent/p.html";
  expect_bad_input(arguments, {"/nonexistent/p.html"});
}

TEST(Pages, ViewShowsRobotSceneAndPath) {
  const TempFolder folder;
  const CommandResult result = run_command({"view", source("urdf/puma.urdf"), "--scene",
                                            source("models/scenes/puma_car.yaml"), "--html", folder.path("v.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("v.html"), std::string::npos);
  EXPECT_NE(text_of(folder.path("v.html")).find("Nothing was checked"), std::string::npos);
  const auto robot_and_scene = text_of(folder.path("v.html")).size();
  EXPECT_EQ(run_command({"view", source("urdf/puma.urdf"), "--html", folder.path("r.html")}).exit_code, 0);
  EXPECT_GT(robot_and_scene, text_of(folder.path("r.html")).size()) << "the scene takes room";
  EXPECT_EQ(run_command({"view", source("urdf/puma.urdf"), "--path", source("models/paths/puma_window.csv"), "--html",
                         folder.path("m.html")})
                .exit_code,
            0);
  expect_bad_input({"view", source("urdf/puma.urdf")}, {"--html"});
}

}  // namespace
}  // namespace planner_ccd::test
