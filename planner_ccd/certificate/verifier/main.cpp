#include <iostream>
#include <set>

#include "planner_ccd/certificate/verifier/verify.hpp"

namespace {

constexpr const char* kUsage =
    R"(planner_ccd_verify FILE.pccd...      check a proof that a robot's motion is free of collision; several files: its parts
  --show                             first say what is proved, in plain words
  --robot, --srdf, --scene, --path, --limits, --mesh FILE
                                     the file that was read in this role must be this one (by its SHA-256)
  --input FILE                       the same, in any role
Exit codes: 0 verified, 1 refuted, 2 unreadable.
)";
const std::set<std::string> kRoles = {"--robot", "--srdf", "--scene", "--path", "--limits", "--mesh", "--input"};

int unreadable(const std::string& why) {
  std::cerr << "planner_ccd_verify: " << why << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::vector<pccd::GivenFile> given;
  bool show = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") return std::cout << kUsage, 0;
    if (word == "--show") {
      show = true;
    } else if (kRoles.count(word) > 0) {
      if (i + 1 == argc) return unreadable(word + " needs a file");
      given.push_back({word == "--input" ? "" : word.substr(2), argv[++i]});
    } else if (word.rfind("--", 0) == 0) {
      return unreadable("there is no option " + word + "\n" + kUsage);
    } else {
      files.push_back(word);
    }
  }
  if (files.empty()) return unreadable(std::string("which file?\n") + kUsage);
  const pccd::Outcome outcome = pccd::verify(files, given);
  if (show) std::cout << outcome.shown;
  if (outcome.answer == pccd::Answer::Unreadable) return unreadable(outcome.reason);
  if (outcome.answer == pccd::Answer::Refuted) return std::cout << "refuted: " << outcome.reason << "\n", 1;
  const pccd::Coverage& c = outcome.coverage;
  std::cout << "verified: " << outcome.units << " pairs and segments, " << c.leaves << " leaves, " << c.splits
            << " splits, " << c.rays << " points outside of closed bodies; statement "
            << pccd::to_hex(outcome.statement) << "\n";
  return 0;
}
