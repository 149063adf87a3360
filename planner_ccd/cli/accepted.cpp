#include "planner_ccd/cli/accepted.hpp"

#include <algorithm>
#include <cctype>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

constexpr std::size_t kNames = 6;

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_=./,:@%+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<std::string> fail_on(const Arguments& arguments) {
  std::string names = arguments.has("strict") ? "warnings" : "";
  for (const std::string& more : arguments.all("fail-on")) names += (names.empty() ? "" : ",") + more;
  if (names.empty()) return {};
  try {
    return parse_fail_on(names);
  } catch (const InputError& error) {
    throw InputError(std::string("--fail-on: ") + error.what());
  }
}

void require_something_checked(const Arguments& arguments, const Question& question,
                               const std::vector<Assumption>& assumptions) {
  if (question.pairs > 0 || arguments.has("allow-nothing-checked")) return;
  std::string why;
  for (const Assumption& a : assumptions) {
    if (a.kind != AssumptionKind::NoGeometry && a.kind != AssumptionKind::Excluded &&
        a.kind != AssumptionKind::AllowedForAll && a.kind != AssumptionKind::StandStill) {
      continue;
    }
    why += (why.empty() ? "" : "; ") + to_line(a, kNames);
  }
  throw InputError(
      "nothing would be checked: no pair of bodies is left to compare, so every motion would count as free" +
      (why.empty() ? "" : " (" + why + ")") +
      "; give the robot collision geometry (--use-visual takes what is drawn), a --scene, or fewer exclusions; "
      "or say --allow-nothing-checked");
}

std::string command_line(int argc, const char* const* argv) {
  std::string line = "planner_ccd";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

}  // namespace planner_ccd::cli
