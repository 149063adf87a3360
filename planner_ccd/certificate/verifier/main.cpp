#include <sys/wait.h>
#include <unistd.h>
#include <climits>
#include <cstdio>
#include <iostream>
#include <set>

#include "planner_ccd/certificate/verifier/verify.hpp"

namespace {

constexpr const char* kUsage =
    R"(planner_ccd_verify FILE.pccd...      check a proof that a robot's motion is free of collision; several files: its parts
  --show                             first say what is proved, in plain words
  --statement HEX                    what is proved must be this: the SHA-256 that model.py or planner_ccd statement made of your files
  --robot, --srdf, --scene, --path, --limits, --mesh FILE
                                     the file that was read in this role must be this one (by its SHA-256). With --robot and --path
                                     (and --srdf, --scene where there are any) model.py recomputes what they mean, and
                                     what is proved must be that
  --input FILE                       the same, in any role, by its SHA-256 alone
  --model MODEL.PY                   where model.py is (default: beside this program, or in ../share/planner_ccd)
  -- OPTION...                       further options for model.py: --margin M, --hold NAME=VALUE, --package NAME=DIR, ...
Exit codes: 0 verified, 1 refuted, 2 unreadable. The first line says whether the claim is bound to files.
)";
const std::set<std::string> kRoles = {"--robot", "--srdf", "--scene", "--path", "--limits", "--mesh", "--input"};
const std::set<std::string> kReadByModel = {"robot", "srdf", "scene", "path"};

int unreadable(const std::string& why) {
  std::cerr << "planner_ccd_verify: " << why << "\n";
  return 2;
}

struct Words {
  std::vector<std::string> files, for_model;
  std::vector<pccd::GivenFile> given;
  std::string statement, model;
  bool show = false, help = false;
};

/// Throws Unreadable for words that are not expected.
Words read_words(const std::vector<std::string>& all) {
  Words out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& word = all[i];
    const auto value = [&] {
      if (++i == all.size()) throw pccd::Unreadable(word + " needs a value");
      return all[i];
    };
    if (word == "--") {
      out.for_model.assign(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
      return out;
    }
    if (word == "--help" || word == "-h") {
      out.help = true;
    } else if (word == "--show") {
      out.show = true;
    } else if (word == "--statement") {
      out.statement = value();
      if (out.statement.size() != 64 || out.statement.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw pccd::Unreadable("--statement needs a SHA-256: 64 digits of 0-9 and a-f");
    } else if (word == "--model") {
      out.model = value();
    } else if (kRoles.count(word) > 0) {
      out.given.push_back({word == "--input" ? "" : word.substr(2), value()});
    } else if (word.rfind("--", 0) == 0) {
      throw pccd::Unreadable("there is no option " + word + "\n" + kUsage);
    } else {
      out.files.push_back(word);
    }
  }
  return out;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What model.py makes of the files: the statement's SHA-256.
std::string recomputed(const Words& words) {
  std::string model = words.model;
  char self[PATH_MAX] = "";
  if (model.empty() && readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
    const std::string folder = std::string(self).substr(0, std::string(self).rfind('/'));
    model = folder + "/model.py";
    if (access(model.c_str(), R_OK) != 0) model = folder + "/../share/planner_ccd/model.py";
  }
  if (access(model.c_str(), R_OK) != 0) {
    throw pccd::Unreadable(
        "what the files mean is read by model.py, and " + model +
        " cannot be read: say where it is (--model), or give the SHA-256 that it prints (--statement)");
  }
  std::string line = "python3 " + quoted(model);
  for (const pccd::GivenFile& file : words.given) {
    if (kReadByModel.count(file.role) > 0) line += " --" + file.role + " " + quoted(file.path);
  }
  for (const std::string& word : words.for_model) line += " " + quoted(word);
  std::FILE* out = popen(line.c_str(), "r");
  if (out == nullptr) throw pccd::Unreadable("model.py cannot be started");
  std::string said;
  for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) said += static_cast<char>(c);
  const int status = pclose(out);
  const std::size_t at = said.rfind("statement ");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || at == std::string::npos || said.size() < at + 74) {
    throw pccd::Unreadable("model.py did not read the files (its reason stands above)");
  }
  return said.substr(at + 10, 64);
}

bool names_robot_and_path(const Words& words) {
  std::set<std::string> roles;
  for (const pccd::GivenFile& file : words.given) roles.insert(file.role);
  return roles.count("robot") > 0 && roles.count("path") > 0;
}

int run(Words words) {
  const bool by_model = words.statement.empty() && names_robot_and_path(words);
  if (by_model) words.statement = recomputed(words);
  std::cout << (by_model ? "bound to the files given: model.py makes of them statement " + words.statement
                : words.statement.empty() ? "not bound to files: nothing says what should have been proved (see --help)"
                                          : "bound to statement " + words.statement)
            << "\n";
  const pccd::Outcome outcome = pccd::verify(words.files, words.given);
  if (words.show) std::cout << outcome.shown;
  if (outcome.answer == pccd::Answer::Unreadable) return unreadable(outcome.reason);
  const std::string statement = pccd::to_hex(outcome.statement);
  const bool other = !words.statement.empty() && words.statement != statement;
  if (outcome.answer == pccd::Answer::Refuted || other) {
    std::cout << "refuted: "
              << (outcome.answer == pccd::Answer::Refuted
                      ? outcome.reason
                      : "it proves something else, statement " + statement +
                            (by_model ? " (margins, held joints and the like are told "
                                        "after --)"
                                      : ""))
              << "\n";
    return 1;
  }
  const pccd::Coverage& c = outcome.coverage;
  std::cout << "verified: " << outcome.units << " pairs and segments, " << c.leaves << " leaves, " << c.splits
            << " splits, " << c.rays << " points outside of closed bodies; statement " << statement << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Words words = read_words({argv + 1, argv + argc});
    if (words.help) {
      std::cout << kUsage;
      return 0;
    }
    if (words.files.empty()) return unreadable(std::string("which file?\n") + kUsage);
    return run(words);
  } catch (const pccd::Unreadable& why) {
    return unreadable(why.what());
  }
}
