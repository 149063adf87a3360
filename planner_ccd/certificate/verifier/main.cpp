#include <iostream>

#include "planner_ccd/certificate/verifier/verify.hpp"

namespace {

constexpr const char* kUsage =
    "planner_ccd_verify FILE.pccd...      check a proof that a robot's motion is free of collision; several files: its "
    "parts\n"
    "  --show                             first say what is proved, in plain words\n"
    "  --robot, --srdf, --scene, --path, --limits, --mesh FILE\n"
    "                                     the file that was read in this role must be this one (by its SHA-256)\n"
    "  --input FILE                       the same, in any role\n"
    "Exit codes: 0 verified, 1 refuted, 2 unreadable.\n";

int unreadable(const std::string& why) {
  std::cerr << "planner_ccd_verify: " << why << "\n";
  return 2;
}

int run(int argc, char** argv) {
  std::vector<std::string> files;
  std::vector<pccd::GivenFile> given;
  bool show = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      std::cout << kUsage;
      return 0;
    }
    if (word == "--show") {
      show = true;
    } else if (word == "--robot" || word == "--srdf" || word == "--scene" || word == "--path" || word == "--limits" ||
               word == "--mesh" || word == "--input") {
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
  if (outcome.answer == pccd::Answer::Verified) {
    std::cout << "verified: " << outcome.units << " pairs and segments, " << outcome.leaves << " leaves, "
              << outcome.splits << " splits, " << outcome.rays << " points outside of closed bodies; statement "
              << pccd::to_hex(outcome.statement) << "\n";
  } else if (outcome.answer == pccd::Answer::Refuted) {
    std::cout << "refuted: " << outcome.reason << "\n";
  } else {
    return unreadable(outcome.reason);
  }
  return static_cast<int>(outcome.answer);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const pccd::Refuted& why) {
    std::cout << "refuted: " << why.what() << "\n";
    return 1;
  } catch (const std::exception& why) {
    return unreadable(why.what());
  }
}
