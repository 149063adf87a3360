#include "planner_ccd/cli/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace planner_ccd::cli {
namespace {

using std::chrono::milliseconds;

TEST(Progress, SaysNothingInAPipe) {
  std::ostringstream out;
  {
    Progress progress("segment", out, false);
    progress.show(3, 4, Progress::Clock::now() + milliseconds(10'000));
  }
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, SaysNothingOfShortWork) {
  std::ostringstream out;
  {
    Progress progress("segment", out, true);
    progress.show(1, 4, Progress::Clock::now());
    progress.show(3, 4, Progress::Clock::now() + milliseconds(100));
  }
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, ShowsTheShareAndCleansUpAfterItself) {
  std::ostringstream out;
  {
    Progress progress("segment", out, true);
    const auto now = Progress::Clock::now();
    progress.show(1, 4, now + milliseconds(6000));
    EXPECT_NE(out.str().find("[#######......................."), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("25 %  segment 1 of 4, 18 s left"), std::string::npos) << out.str();
    const auto length = out.str().size();
    progress.show(2, 4, now + milliseconds(6010));
    EXPECT_EQ(out.str().size(), length) << "not more often than eyes can follow";
    progress.show(4, 4, now + milliseconds(9000));
    EXPECT_NE(out.str().find("[##############################] 100 %  segment 4 of 4\033"), std::string::npos)
        << out.str();
    progress.show(0, 0, now + milliseconds(12000));
  }
  EXPECT_EQ(out.str().substr(out.str().size() - 4), "\r\033[K");
}

}  // namespace
}  // namespace planner_ccd::cli
