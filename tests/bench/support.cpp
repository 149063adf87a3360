#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"

namespace planner_ccd::bench {
namespace {

TEST(Percentile, InterpolatesBetweenTheSortedSamples) {
  EXPECT_EQ(percentile({30, 10, 20}, 0.5), 20.0);
  EXPECT_EQ(percentile({10, 20}, 0.5), 15.0);
  EXPECT_EQ(percentile({0, 100}, 0.95), 95.0);
  EXPECT_EQ(percentile({7}, 0.95), 7.0);
  EXPECT_EQ(percentile({1, 2, 3}, 0.0), 1.0);
  EXPECT_EQ(percentile({1, 2, 3}, 1.0), 3.0);
}

TEST(Percentile, IsNotANumberWithoutSamples) {
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
  EXPECT_TRUE(std::isnan(summarise({}).median));
  EXPECT_EQ(summarise({}).count, 0);
}

TEST(TimeItems, CountsTheProcessorTimeOfOneItem) {
  volatile double sink = 0.0;
  const auto pass = [&](int work) {
    return [&sink, work] {
      for (int i = 0; i < work; ++i) sink = sink + 1.0;
    };
  };
  const Summary one = time_items(100'000, 9, pass(100'000));
  const Summary four = time_items(100'000, 9, pass(400'000));
  EXPECT_GT(one.median, 0.0);
  EXPECT_GT(four.p05, 2.0 * one.p05);
  EXPECT_LE(one.p05, one.median);
  EXPECT_LE(one.median, one.p95);
}

TEST(Table, AlignsTextToTheLeftAndNumbersToTheRight) {
  Table table("x", {});
  table.add({{"name", "a"}, {"count", 7}});
  table.add({{"name", "longer"}, {"count", 12345}, {"time", 1.25}});
  EXPECT_EQ(table.text(),
            "name    count  time\n"
            "a           7     -\n"
            "longer  12345  1.25\n");
}

TEST(Table, WritesNumbersForReading) {
  EXPECT_EQ(Value(0.0).text(), "0");
  EXPECT_EQ(Value(1234567.0).text(), "1234567");
  EXPECT_EQ(Value(0.01234567).text(), "0.01235");
  EXPECT_EQ(Value(1.5e-7).text(), "1.500e-07");
  EXPECT_EQ(Value(std::numeric_limits<double>::infinity()).text(), "-");
  EXPECT_EQ(Value(nullptr).text(), "-");
}

TEST(Table, JsonKeepsTextNumbersAndAbsence) {
  Table table("leaf", {});
  table.add({{"set", "a \"b\"\\\n"}, {"queries", 3}, {"ns", 0.1}, {"hits", std::nan("")}, {"misses", nullptr}});
  const std::string json = table.json();
  EXPECT_EQ(json.rfind("{\"bench\": \"leaf\", \"quick\": false,", 0), 0u) << json;
  EXPECT_NE(json.find("\"machine\": {\"cpu\": "), std::string::npos) << json;
  EXPECT_NE(json.find(R"({"set": "a \"b\"\\\u000a", "queries": 3, "ns": 0.1, "hits": null, "misses": null})"),
            std::string::npos)
      << json;
}

TEST(Table, FinishWritesTheFileAndReportsWhenItCannot) {
  const std::string path = testing::TempDir() + "planner_ccd_bench_support.json";
  Table table("x", {.quick = true, .json = path, .filter = ""});
  table.add({{"a", 1}});
  testing::internal::CaptureStdout();
  EXPECT_EQ(table.finish(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "a\n1\n");
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), table.json());
  std::remove(path.c_str());

  const Table nowhere("x", {.quick = true, .json = "/nonexistent/x.json", .filter = ""});
  testing::internal::CaptureStderr();
  EXPECT_EQ(nowhere.finish(), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("/nonexistent/x.json"), std::string::npos);
}

}  // namespace
}  // namespace planner_ccd::bench
