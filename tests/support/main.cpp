// Runs the tests of a folder, or those of some of its files:  PROGRAM [--files=FILE,...] [options of GoogleTest]
// FILE is the end of a path: clearance_test.cpp. With --gtest_filter nothing is chosen by file.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

bool is_of(std::string_view path, std::string_view file) {
  return path.ends_with(file) && (path.size() == file.size() || path[path.size() - file.size() - 1] == '/');
}

/// The names of the tests that stand in these files, as a filter; empty, and said why, if one of them has none, or if two tests
/// of the program have the same name, which no filter can tell apart.
std::string tests_of(const std::vector<std::string>& files) {
  std::set<std::string> names, found;
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      const std::string name = std::string(suite.name()) + "." + test.name();
      if (!names.insert(name).second) {
        std::fprintf(stderr, "two tests of this program are called %s: rename one\n", name.c_str());
        return {};
      }
      for (const std::string& file : files) {
        if (!is_of(test.file(), file)) continue;
        found.insert(file);
        filter += (filter.empty() ? "" : ":") + name;
      }
    }
  }
  for (const std::string& file : files) {
    if (found.contains(file)) continue;
    std::fprintf(stderr, "no test of this program stands in %s\n", file.c_str());
    return {};
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  const bool filtered = [&] {
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]).starts_with("--gtest_filter=")) return true;
    }
    return false;
  }();
  testing::InitGoogleTest(&argc, argv);  // takes its own arguments out
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--files=")) {
      std::fprintf(stderr, "usage: %s [--files=FILE,...] [options of GoogleTest]\n", argv[0]);
      return 2;
    }
    std::istringstream list(std::string(argument.substr(8)));
    for (std::string file; std::getline(list, file, ',');) files.push_back(file);
  }
  if (!files.empty() && !filtered) {
    const std::string filter = tests_of(files);
    if (filter.empty()) return 2;
    testing::GTEST_FLAG(filter) = filter;
  }
  return RUN_ALL_TESTS();
}
