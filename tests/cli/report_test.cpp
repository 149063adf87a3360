#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "planner_ccd/report/report.hpp"
#include "planner_ccd/validation/input_file.hpp"
#include "planner_ccd/validation/input_warning.hpp"

/// What the command tells about what was asked: files and hashes, warnings that end a pipeline, many motions in one report.
namespace planner_ccd::test {
namespace {

using nlohmann::json;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string kFender = "models/paths/puma_fender.csv", kWindow = "models/paths/puma_window.csv";

TEST(CheckReport, NamesEveryFileWithTheHashOfItsBytes) {
  const CommandResult result = run_command(check_puma({"--path", source(kWindow), "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  std::map<std::string, int> roles;
  for (const json& file : report["inputs"]) {
    const std::string path = file["path"], bytes = read(path);
    ++roles[file["role"]];
    EXPECT_FALSE(bytes.empty()) << path;
    EXPECT_EQ(file["bytes"], bytes.size());
    EXPECT_EQ(file["sha256"], input_file("", path, bytes).sha256_hex()) << path;
  }
  for (const char* role : {"robot", "srdf", "scene", "path"}) EXPECT_EQ(roles[role], 1) << role;
  EXPECT_GT(roles["mesh"], 1);
  EXPECT_NE(report["command"].get<std::string>().find("--path " + source(kWindow)), std::string::npos);
  EXPECT_GT(report["question"]["pairs"], 10);
}

TEST(CheckReport, TakesTheHashOfWhatWasParsedAndNotOfTheFileAsItIsLater) {
  // A certificate named the bytes that a file had after the check: of a motion that was moved there meanwhile.
  const TempFolder folder;
  const std::string path = folder.write("path.csv", read(source(kWindow)));
  std::vector<InputFile> files;
  const CommandResult result =
      run_command(check_puma({"--path", path, "--certificate", folder.path("proof.pccd"), "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["certificate"]["written"], true);
}

/// A robot with a misspelt element and a box of 300 m.
struct Doubtful {
  TempFolder folder;
  std::string robot, path;
  Doubtful() {
    robot = folder.write(
        "r.urdf",
        "<robot name='r'><link name='base'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
        "<link name='arm'><collision><geomtry/><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
        "<link name='hand'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
        "<joint name='j' type='prismatic'><parent link='base'/><child link='arm'/><origin xyz='0 0 1'/><axis xyz='0 0 "
        "1'/>"
        "<limit lower='0' upper='2' velocity='1' effort='1'/></joint>"
        "<joint name='k' type='prismatic'><parent link='arm'/><child link='hand'/><origin xyz='0 0 1'/><axis xyz='0 0 "
        "1'/>"
        "<limit lower='0' upper='2' velocity='1' effort='1'/></joint></robot>");
    path = folder.write("p.csv", "j,k\n0,0\n1,1\n");
  }
  CommandResult check(std::vector<std::string> more) const {
    more.insert(more.begin(), {"check", "--robot", robot, "--path", path});
    return run_command(more);
  }
};

TEST(CheckReport, TellsWarningsInEveryView) {
  // They stood on stderr alone.
  const Doubtful d;
  const CommandResult text = d.check({"--junit", d.folder.path("j.xml"), "--html", d.folder.path("p.html")});
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  const std::string warning = "this element is not understood and not used";
  EXPECT_NE(text.out.find("warning: not_read: "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find(warning), std::string::npos) << text.out;
  EXPECT_NE(read(d.folder.path("j.xml")).find(warning), std::string::npos);
  EXPECT_NE(read(d.folder.path("j.xml")).find("name=\"warnings\" value=\"1\""), std::string::npos);
  EXPECT_NE(read(d.folder.path("p.html")).find(warning), std::string::npos);
  const CommandResult machine = d.check({"--json"});
  const json report = json::parse(machine.out);
  ASSERT_EQ(report["warnings"].size(), 1u) << report["warnings"];
  EXPECT_EQ(report["warnings"][0]["kind"], "not_read");
  EXPECT_NE(machine.err.find(warning), std::string::npos) << "for whoever watches";
}

TEST(CheckReport, EndsWithTwoForWhatIsNotAccepted) {
  const Doubtful d;
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--strict"},
                                                  {"--fail-on", "not_read"},
                                                  {"--fail-on", "degrees,not_read"},
                                                  {"--fail-on", "excluded"}}) {
    const CommandResult result = d.check(options);
    EXPECT_EQ(result.exit_code, 2) << options.back() << result.out << result.err;
    EXPECT_NE(result.out.find("not accepted: "), std::string::npos) << result.out;
  }
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--fail-on", "degrees"}, {"--fail-on", "log_clock,full_turn"}}) {
    EXPECT_EQ(d.check(options).exit_code, 0) << options.back();
  }
  const CommandResult junit = d.check({"--strict", "--junit", d.folder.path("j.xml"), "--json"});
  EXPECT_EQ(junit.exit_code, 2);
  EXPECT_EQ(json::parse(junit.out)["exit_code"], 2);
  EXPECT_EQ(json::parse(junit.out)["refused_by"][0], "warnings");
  EXPECT_NE(read(d.folder.path("j.xml")).find("failures=\"1\""), std::string::npos);
  expect_bad_input({"check", "--robot", d.robot, "--path", d.path, "--fail-on", "not_raed"}, {"--fail-on", "not_read"});
  // A contact is worse than a warning.
  EXPECT_EQ(run_command(check_puma({"--path", source(kFender), "--strict"})).exit_code, 1);
}

TEST(CheckReport, EveryKindIsDocumented) {
  const std::string help = run_command({"help", "kinds"}).out;
  const auto expect = [&](const std::string& kind) {
    EXPECT_NE(help.find("`" + kind + "`"), std::string::npos) << kind;
  };
  for (const WarningKindName& kind : warning_kinds()) {
    expect(kind.name);
    EXPECT_STREQ(to_string(kind.kind), kind.name);
  }
  for (int k = 0; k <= static_cast<int>(kLastAssumptionKind); ++k) expect(to_string(static_cast<AssumptionKind>(k)));
  for (int k = 0; k <= static_cast<int>(kLastFindingKind); ++k) expect(to_string(static_cast<FindingKind>(k)));
}

TEST(CheckReport, ChecksManyMotionsInOneReport) {
  const TempFolder folder;
  const std::string junit = folder.path("j.xml"), index = folder.path("all.html");
  const CommandResult text =
      run_command(check_puma({"--path", source(kWindow), source(kFender), "--junit", junit, "--html", index}));
  EXPECT_EQ(text.exit_code, 1) << text.err;
  EXPECT_NE(text.out.find(source(kWindow) + ": free: proved everywhere"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find(source(kFender) + ": contact: gripper meets car"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("2 motions: 1 free, 1 with a contact"), std::string::npos) << text.out;
  EXPECT_NE(read(junit).find("puma_window.csv\""), std::string::npos);
  EXPECT_NE(read(junit).find("puma_fender.csv\""), std::string::npos);
  EXPECT_NE(read(index).find("href=\"all_2.html\""), std::string::npos);
  EXPECT_NE(read(folder.path("all_2.html")).find("gripper"), std::string::npos);
  const json report = json::parse(run_command(check_puma({"--path", source(kWindow), source(kFender), "--json"})).out);
  EXPECT_EQ(report["exit_code"], 1);
  EXPECT_EQ(report["reports"][0]["verdict"], "free");
  EXPECT_EQ(report["reports"][1]["verdict"], "contact");
  EXPECT_EQ(report["reports"][1]["file"], source(kFender));
}

TEST(CheckReport, TakesAFolderAndTellsWhatCouldNotBeRead) {
  const TempFolder folder;
  folder.write("motions/a.csv", read(source(kWindow)));
  folder.write("motions/b.csv", "joint1\nnot a number\n");
  folder.write("motions/notes.txt", "nothing");
  const CommandResult result = run_command(check_puma({"--path", folder.path("motions"), "--json"}));
  EXPECT_EQ(result.exit_code, 2) << result.err;
  const json report = json::parse(result.out);
  ASSERT_EQ(report["reports"].size(), 2u);
  EXPECT_EQ(report["reports"][0]["verdict"], "free");
  EXPECT_EQ(report["reports"][1]["exit_code"], 2);
  EXPECT_NE(report["reports"][1]["error"].get<std::string>().find("b.csv"), std::string::npos);
  expect_bad_input(check_puma({"--path", folder.path("motions"), "--certificate", folder.path("x.pccd")}),
                   {"--certificate", "one motion"});
  expect_bad_input(check_puma({"--path", source(kWindow), source(kFender), "--path", source(kFender)}),
                   {"--path", "one by one"});
}

}  // namespace
}  // namespace planner_ccd::test
