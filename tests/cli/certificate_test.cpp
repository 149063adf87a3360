// `check --certificate` and planner_ccd_verify, as they are used one after the other.
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd::test {
namespace {

/// Runs planner_ccd_verify with these arguments.
CommandResult verify(const std::vector<std::string>& arguments) {
  const TempFolder folder;
  std::string line = "'" PLANNER_CCD_VERIFY "'";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  const int status = std::system((line + " > " + folder.path("out") + " 2> " + folder.path("err")).c_str());
  const auto text_of = [&](const char* name) { return read_file(folder.path(name), kMaxDataFileBytes); };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of("out"), text_of("err")};
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

const std::string kWindow = source("models/paths/puma_window.csv");

/// The file that `check --certificate` writes for the way through the window.
std::string certified(const TempFolder& folder, std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--path", kWindow, "--certificate", folder.path("run.pccd")});
  const CommandResult made = run_command(check_puma(more));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  expect_parts(made.out, {"free", "certificate", "run.pccd", "verified", "SHA-256"});
  return folder.path("run.pccd");
}

TEST(Certificate, WhatCheckWritesIsVerifiedWithItsInputs) {
  const TempFolder folder;
  const std::string file = certified(folder);
  const CommandResult plain = verify({file});
  EXPECT_EQ(plain.exit_code, 0) << plain.out << plain.err;
  expect_parts(plain.out, {"verified: ", " leaves", "statement "});
  const CommandResult all = verify({file, "--show", "--robot", source("urdf/puma.urdf"), "--srdf",
                                    source("urdf/puma.srdf"), "--scene", source("models/scenes/puma_car.yaml"),
                                    "--path", kWindow, "--mesh", source("models/meshes/puma/forearm.stl")});
  EXPECT_EQ(all.exit_code, 0) << all.out << all.err;
  // In plain words: robot, motion, margin, pairs that are not checked and why, surfaces without an inside, limits, hashes.
  expect_parts(all.out,
               {"CLAIM", "puma", "joint1", "margin", "not checked: 'base_link' and 'shoulder', 'adjacent", "car",
                "limits", "puma.urdf", "puma.srdf", "puma_car.yaml", "puma_window.csv", "SHA-256", "verified: "});
}

TEST(Certificate, OtherInputsAreRefutedByName) {
  const TempFolder folder;
  const std::string file = certified(folder);
  const std::string changed =
      folder.write("puma.urdf", read_file(source("urdf/puma.urdf"), kMaxDescriptionBytes) + " ");
  for (const std::vector<std::string>& given : {std::vector<std::string>{"--robot", changed},
                                                {"--input", changed},
                                                {"--scene", source("urdf/puma.urdf")},
                                                {"--path", source("models/paths/puma_fender.csv")}}) {
    const CommandResult told = verify({file, given[0], given[1]});
    EXPECT_EQ(told.exit_code, 1) << given[0];
    expect_parts(told.out, {"refuted: ", given[1].substr(given[1].rfind('/') + 1), "is not the file"});
  }
  EXPECT_EQ(verify({file, "--robot", folder.path("nowhere")}).exit_code, 2);
}

TEST(Certificate, DamagedFilesAreUnreadableOrRefutedAndNeverVerified) {
  const TempFolder folder;
  const std::string bytes = read_file(certified(folder), kMaxDataFileBytes);
  int unreadable = 0, refuted = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    std::string cut = bytes.substr(0, k * bytes.size() / 40), flipped = bytes;
    flipped[k * bytes.size() / 40 + 7] ^= 0x10;
    for (const std::string& damaged : {cut, flipped}) {
      const CommandResult told = verify({folder.write("damaged.pccd", damaged)});
      unreadable += told.exit_code == 2 ? 1 : 0;
      refuted += told.exit_code == 1 ? 1 : 0;
      // One bit of the proof itself may leave it a proof.
      if (told.exit_code == 0) {
        EXPECT_GT(k, 3u);
      }
      EXPECT_LE(told.exit_code, 2);
    }
  }
  EXPECT_GE(unreadable, 40);
  EXPECT_GT(refuted, 2);
  const CommandResult none = verify({folder.path("nowhere.pccd")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(verify({}).exit_code, 2);
  EXPECT_EQ(verify({"--guess", folder.path("run.pccd")}).exit_code, 2);
}

TEST(Certificate, AMotionWithAContactGetsNone) {
  const TempFolder folder;
  const CommandResult made = run_command(
      check_puma({"--path", source("models/paths/puma_fender.csv"), "--certificate", folder.path("run.pccd")}));
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("run.pccd")));
  // Nor one that is free but nearer than the margin.
  const CommandResult near =
      run_command(check_puma({"--path", kWindow, "--margin", "0.2", "--certificate", folder.path("run.pccd")}));
  EXPECT_EQ(near.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("run.pccd")));
}

TEST(Certificate, ReportGivesItsHash) {
  const TempFolder folder;
  const CommandResult made =
      run_command(check_puma({"--path", kWindow, "--certificate", folder.path("run.pccd"), "--json"}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto told = nlohmann::json::parse(made.out)["certificate"];
  EXPECT_TRUE(told["written"].get<bool>());
  EXPECT_EQ(told["file"], folder.path("run.pccd"));
  EXPECT_EQ(told["bytes"], std::filesystem::file_size(folder.path("run.pccd")));
  EXPECT_EQ(told["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(told["statement_sha256"].get<std::string>().size(), 64u);
}

// What a certificate proves has one SHA-256, whoever says it; the files' own hashes in it were written by its author. It named folders
// of the machine that wrote it.
TEST(Certificate, IsBoundToAStatementThatEveryProgramMakesAlike) {
  const TempFolder folder;
  const std::string file = certified(folder);
  std::vector<std::string> same = check_puma({"--path", kWindow});
  same[0] = "statement";
  const CommandResult told = run_command(same);
  ASSERT_EQ(told.exit_code, 0) << told.err;
  ASSERT_EQ(told.out.size(), 75u) << told.out;
  const std::string statement = told.out.substr(10, 64);
  const CommandResult plain = verify({file});
  expect_parts(plain.out, {"not bound to files", "statement " + statement});
  EXPECT_EQ(plain.out.find("not bound"), 0u) << plain.out;
  EXPECT_EQ(verify({file, "--statement", statement}).exit_code, 0);
  const CommandResult other = verify({file, "--statement", std::string(64, '0')});
  EXPECT_EQ(other.exit_code, 1);
  expect_parts(other.out, {"refuted: it proves something else"});
  EXPECT_EQ(verify({file, "--statement", "0"}).exit_code, 2);
  EXPECT_EQ(verify({file, "--statement", ""}).exit_code, 2);
  EXPECT_EQ(read_file(file, kMaxDataFileBytes).find(source("")), std::string::npos);
}

TEST(Certificate, ACertificateThatCannotBeWrittenIsAnError) {
  expect_bad_input(check_puma({"--path", kWindow, "--certificate", "/nonexistent/run.pccd"}),
                   {"/nonexistent/run.pccd"});
}

}  // namespace
}  // namespace planner_ccd::test
