#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kSource = testing::source_dir();
const std::vector<std::string> kPuma = {kSource + "/urdf/puma.urdf", "--srdf", kSource + "/urdf/puma.srdf"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

CommandResult check(const std::string& cache) {
  return run_command(
      with(with({"check", "--robot"}, kPuma), {"--scene", kSource + "/models/scenes/puma_car.yaml", "--path",
                                               kSource + "/models/paths/puma_fender.csv", "--json", "--cache", cache}));
}

TEST(Prepare, KeepsProofsThatCheckThenReads) {
  const TempFolder folder;
  const std::string cache = folder.path("proofs");
  const CommandResult before = check(cache);
  EXPECT_EQ(before.err, "");
  const CommandResult made =
      run_command(with(with({"prepare"}, kPuma), {"--cell-evaluations", "100000", "--cache", cache}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("% of the values of 2 joints proved free"), std::string::npos) << made.out;
  ASSERT_EQ(std::distance(fs::directory_iterator(cache), fs::directory_iterator()), 1);
  const fs::path file = fs::directory_iterator(cache)->path();
  EXPECT_NE(made.out.find(file.string()), std::string::npos) << made.out;

  const CommandResult after = check(cache);
  EXPECT_EQ(after.err, "");
  EXPECT_EQ(after.exit_code, before.exit_code);
  const json was = json::parse(before.out), is = json::parse(after.out);
  EXPECT_EQ(is["verdict"], was["verdict"]);
  EXPECT_EQ(is["segment"], was["segment"]);
  // The default proofs suffice for this robot; tests/query/prepared_robot_test.cpp checks that additional proofs are
  // used.
  EXPECT_LE(is["evaluations"].get<int>(), was["evaluations"].get<int>());

  fs::resize_file(file, fs::file_size(file) / 2);
  const CommandResult damaged = check(cache);
  EXPECT_EQ(damaged.exit_code, before.exit_code);
  EXPECT_NE(damaged.err.find("warning: stored_proofs: " + file.string()), std::string::npos) << damaged.err;
  EXPECT_EQ(json::parse(damaged.out)["evaluations"], was["evaluations"]);
}

TEST(Prepare, SaysWhatIsWrong) {
  const TempFolder folder;
  const std::string file = folder.write("file", "x");
  expect_bad_input(with(with({"prepare"}, kPuma), {"--cell-evaluations", "10", "--cache", file}),
                   {file, "cannot be written"});
  expect_bad_input(with(with({"prepare"}, kPuma), {"--margin", "-1"}), {"--margin"});
}

}  // namespace
}  // namespace planner_ccd::test
