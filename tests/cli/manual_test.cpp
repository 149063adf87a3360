#include <cstdlib>

#include "cli/command.hpp"
#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::test {
namespace {

bool have(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// Bash's completions after `line`, one word per line.
std::string bash_offers(const TempFolder& folder, const std::string& line) {
  const std::string script = folder.write("ask.bash", run_command({"completion", "bash"}).out + R"(
COMP_WORDS=()" + line + R"()
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_planner_ccd
printf '%s\n' "${COMPREPLY[@]}"
)");
  const std::string answer = folder.path("answer");
  EXPECT_EQ(std::system(("cd '" + folder.path() + "' && bash '" + script + "' > '" + answer + "'").c_str()), 0);
  std::ifstream in(answer);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Completion, BashKnowsCommandsOptionsChoicesAndFiles) {
  if (!have("bash")) GTEST_SKIP() << "bash is not installed";
  const TempFolder folder;
  folder.write("my robot.urdf", "");
  EXPECT_EQ(bash_offers(folder, "planner_ccd insp"), "inspect\n");
  EXPECT_NE(bash_offers(folder, "planner_ccd ''").find("check\n"), std::string::npos);
  const std::string options = bash_offers(folder, "planner_ccd check --m");
  EXPECT_NE(options.find("--margin\n"), std::string::npos);
  EXPECT_NE(options.find("--method\n"), std::string::npos);
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --method h"), "hca\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --method = c2"), "c2a\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --robot my"), "my robot.urdf\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd inspect my"), "my robot.urdf\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --robot left_ = my"), "my robot.urdf\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --robot left_ ="), "my robot.urdf\nanswer\nask.bash\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd inspect left_ = my"), "my robot.urdf\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd completion z"), "zsh\n");
  EXPECT_EQ(bash_offers(folder, "planner_ccd check --margin 1"), "\n") << "a number cannot be guessed";
}

TEST(Completion, ScriptsAreAcceptedByTheirShells) {
  const TempFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const CommandResult result = run_command({"completion", shell});
    EXPECT_EQ(result.exit_code, 0);
    for (const cli::Option& option : cli::option_table()) EXPECT_NE(result.out.find(option.name), std::string::npos);
    if (have(shell)) {
      EXPECT_EQ(std::system((shell + " -n '" + folder.write(shell, result.out) + "'").c_str()), 0) << shell;
    }
  }
  expect_bad_input({"completion", "tcsh"}, {"tcsh"});
  expect_bad_input({"completion"}, {"SHELL"});
}

TEST(Man, PageHoldsEveryCommandAndOption) {
  const CommandResult result = run_command({"man"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.rfind(".TH PLANNER_CCD 1", 0), 0u);
  std::string plain = result.out;
  for (std::size_t at = plain.find('\\'); at != std::string::npos; at = plain.find('\\', at)) plain.erase(at, 1);
  for (const cli::Option& option : cli::option_table()) {
    EXPECT_NE(plain.find("--" + option.name), std::string::npos) << option.name;
    EXPECT_NE(plain.find(option.help), std::string::npos) << option.name;
  }
  for (const cli::Command& command : cli::command_table()) EXPECT_NE(plain.find(command.summary), std::string::npos);
  if (!have("groff")) return;
  const TempFolder folder;
  const std::string errors = folder.path("errors");
  const std::string line =
      "groff -man -Tutf8 -ww '" + folder.write("p.1", result.out) + "' > /dev/null 2> '" + errors + "'";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_TRUE(std::filesystem::is_empty(errors));
}

}  // namespace
}  // namespace planner_ccd::test
