#include <filesystem>
#include <fstream>
#include <sstream>

#include "planner_ccd/viewer/bundle.hpp"
#include "viewer/viewer_support.hpp"

namespace planner_ccd::test {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

const std::filesystem::path web = source("planner_ccd/viewer/web");

TEST(ViewerBundle, IsEmbeddedByteForByte) {
  EXPECT_EQ(viewer::bundled_page(), bytes_of(web / "dist/page.html"));
  EXPECT_EQ(viewer::bundled_app(), bytes_of(web / "dist/app.js"));
}

TEST(ViewerBundle, CarriesTheLicencesOfItsLibraries) {
  const std::string licences = bytes_of(web / "dist/LICENSES.txt");
  for (const char* text : {"three ", "three.js authors", "fflate ", "Arjun Barrett", "Permission is hereby granted"}) {
    EXPECT_NE(licences.find(text), std::string::npos) << text;
    EXPECT_NE(viewer::bundled_page().find(text), std::string::npos) << text << ": every page is a copy";
  }
}

// A change of web/src without `./dev page` is found here.
TEST(ViewerBundle, IsWhatItsSourcesMake) {
  if (std::string(PLANNER_CCD_NPM).empty() || std::string(PLANNER_CCD_NODE).empty()) {
    GTEST_SKIP() << "npm is not installed: whether planner_ccd/viewer/web/dist is made of the sources beside it was "
                    "not looked at";
  }
  const TempFolder folder;
  std::filesystem::copy(web / "src", folder.path("src"));
  for (const char* file : {"build.mjs", "package.json", "package-lock.json"})
    std::filesystem::copy(web / file, folder.path(file));
  const std::string in_folder = "cd '" + folder.path() + "' && ";
  const std::string npm = in_folder + "'" PLANNER_CCD_NPM
                                      "' ci --ignore-scripts --no-audit --no-fund --prefer-offline "
                                      "--fetch-retries=1 --fetch-timeout=60000 --loglevel=error >npm.log 2>&1";
  if (std::system(npm.c_str()) != 0) {
    const std::string log = bytes_of(folder.path("npm.log"));
    for (const char* sign : {"ENOTFOUND", "EAI_AGAIN", "ECONN", "ETIMEDOUT", "network"}) {
      if (log.find(sign) != std::string::npos) GTEST_SKIP() << "npm could not reach its registry:\n" << log;
    }
    FAIL() << log;
  }
  ASSERT_EQ(std::system((in_folder + "'" PLANNER_CCD_NODE "' build.mjs dist").c_str()), 0);
  for (const char* file : {"page.html", "app.js", "LICENSES.txt"}) {
    EXPECT_TRUE(bytes_of(folder.path("dist") / std::filesystem::path(file)) == bytes_of(web / "dist" / file))
        << file << " is not what its sources make; run ./dev page";
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(web / "dist"), {}), 3);
}

}  // namespace
}  // namespace planner_ccd::test
