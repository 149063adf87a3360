#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "io/io_support.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {

/// A file in the project's source tree.
inline std::string source(const std::string& file) { return testing::source_dir() + "/" + file; }

/// `check` of the project's Puma in its scene, with additional arguments.
inline std::vector<std::string> check_puma(std::vector<std::string> more) {
  more.insert(more.begin(), {"check", "--robot", source("urdf/puma.urdf"), "--srdf", source("urdf/puma.srdf"),
                             "--scene", source("models/scenes/puma_car.yaml")});
  return more;
}

struct CommandResult {
  int exit_code;  ///< 128 + number when a signal ended it.
  std::string out, err;
};

#ifdef PLANNER_CCD_COMMAND  // if the command is built
/// Runs `planner_ccd` with these arguments.
inline CommandResult run_command(const std::vector<std::string>& arguments) {
  const TempFolder folder;
  std::string line = "'" PLANNER_CCD_COMMAND "'";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  line += " > " + folder.path("out") + " 2> " + folder.path("err") + " < /dev/null";
  const int status = std::system(line.c_str());
  const auto text_of = [&](const std::string& name) {
    std::ifstream file(folder.path(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, text_of("out"), text_of("err")};
}

/// Expects bad input: exit code 2, nothing on stdout except for --json, one message on stderr that contains all
/// `parts`.
inline void expect_bad_input(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  const bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  EXPECT_EQ(result.out.substr(0, 12), json ? "{\n  \"error\":" : "");
  EXPECT_EQ(result.err.rfind("planner_ccd: ", 0), 0u) << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE(result.err.find(part), std::string::npos) << "'" << part << "' is not in: " << result.err;
  }
}
#endif

}  // namespace planner_ccd::test
