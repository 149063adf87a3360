// Combining the samples of a topic: order, stamps, kinds of messages, gaps.
#include "planner_ccd/io/log/log_samples.hpp"
#include "io/io_support.hpp"
#include "planner_ccd/io/log/field_reader.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::test {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // [ns]

class Samples : public ::testing::Test {
 protected:
  Samples()
      : model(parse_urdf("<robot name='r'><link name='w'/><link name='la'/><link name='lb'/>"
                         "<joint name='a' type='prismatic'><parent link='w'/><child link='la'/>"
                         "<limit lower='-9' upper='9' velocity='1' effort='1'/></joint>"
                         "<joint name='b' type='continuous'><parent link='la'/><child link='lb'/></joint></robot>",
                         "r.urdf", "")
                  .value) {}

  /// A sample at `stamp` seconds after 100, logged 2 ms later.
  void add(double stamp, const std::vector<std::string_view>& names, const std::vector<double>& positions) {
    const auto ns = static_cast<std::int64_t>(std::llround((100.0 + stamp) * 1e9));
    collector.add({ns, names, positions}, ns + 2'000'000, "log: /t, message 0");
  }
  double value(const SampledMotion& motion, std::size_t row, std::size_t column) const {
    return motion.values[row * motion.coordinates.size() + column];
  }

  RobotModel model;
  LogOptions options;
  SampleCollector collector{model, options};
};

TEST_F(Samples, JointsMayComeInAnyOrder) {
  add(0.0, {"a", "b"}, {1.0, 2.0});
  add(0.1, {"b", "a"}, {2.5, 1.5});
  const SampledMotion motion = collector.finish("log: /t");
  EXPECT_EQ(motion.coordinates, (std::vector<int>{0, 1}));
  EXPECT_EQ(motion.values, (std::vector<double>{1.0, 2.0, 1.5, 2.5}));
  EXPECT_TRUE(collector.warnings.empty());
}

TEST_F(Samples, StampsSayWhereLateMessagesBelong) {
  add(0.0, {"a"}, {0.0});
  add(0.2, {"a"}, {2.0});
  add(0.1, {"a"}, {1.0});
  const SampledMotion motion = collector.finish("log: /t");
  EXPECT_EQ(motion.values, (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_TRUE(any_contains(collector.warnings, "1 messages come too late, by up to 0.1 s"));
}

TEST_F(Samples, StampsThatRunBackGiveWayToTheLogsTimes) {
  collector.add({50 * kSecond, {"a"}, {0.0}}, 100 * kSecond, "log");
  collector.add({51 * kSecond, {"a"}, {1.0}}, 101 * kSecond, "log");
  collector.add({1 * kSecond, {"a"}, {2.0}}, 102 * kSecond, "log");
  const SampledMotion motion = collector.finish("log: /t");
  EXPECT_EQ(motion.times, (std::vector<std::int64_t>{100 * kSecond, 101 * kSecond, 102 * kSecond}));
  EXPECT_TRUE(any_contains(collector.warnings, "run back by 50 s"));
}

TEST_F(Samples, StampsOfAnotherClockAreSaid) {
  collector.add({50 * kSecond, {"a"}, {0.0}}, 100 * kSecond, "log");
  collector.add({51 * kSecond, {"a"}, {1.0}}, 101 * kSecond, "log");
  EXPECT_EQ(collector.finish("log: /t").times[0], 50 * kSecond);
  EXPECT_TRUE(any_contains(collector.warnings, "recorded 50 s to 50 s after their stamps"));
}

TEST_F(Samples, WithoutStampsTheLogsTimesCount) {
  collector.add({0, {"a"}, {0.0}}, 100 * kSecond, "log");
  collector.add({0, {"a"}, {1.0}}, 101 * kSecond, "log");
  EXPECT_EQ(collector.finish("log: /t").times, (std::vector<std::int64_t>{100 * kSecond, 101 * kSecond}));
  EXPECT_TRUE(collector.warnings.empty());
}

/// Between their own samples the joints of each kind move linearly, and rest before the first and after the last.
TEST_F(Samples, KindsOfMessagesAreJoined) {
  add(0.00, {"a"}, {0.0});
  add(0.04, {"a"}, {4.0});
  add(0.08, {"a"}, {0.0});
  add(0.02, {"b"}, {1.0});
  add(0.06, {"b"}, {2.0});
  const SampledMotion motion = collector.finish("log: /t");
  ASSERT_EQ(motion.times.size(), 5u);
  const double a[] = {0.0, 2.0, 4.0, 2.0, 0.0}, b[] = {1.0, 1.0, 1.5, 2.0, 2.0};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(value(motion, i, 0), a[i], 1e-12) << i;
    EXPECT_NEAR(value(motion, i, 1), b[i], 1e-12) << i;
  }
  EXPECT_TRUE(motion.gaps.empty());
}

TEST_F(Samples, AnglesWithoutLimitsTakeTheShorterWay) {
  add(0.0, {"a", "b"}, {3.1, 3.1});
  add(0.1, {"a", "b"}, {-3.1, -3.1});
  const SampledMotion motion = collector.finish("log: /t");
  EXPECT_EQ(value(motion, 1, 0), -3.1);
  EXPECT_NEAR(value(motion, 1, 1), 2.0 * 3.14159265358979 - 3.1, 1e-12);
}

/// Messages of two drivers at one instant: each of them is in a row, in the order in which they came.
TEST_F(Samples, OfOneStampAreRowsInTheirOrder) {
  add(0.0, {"a", "b"}, {0.0, 0.0});
  add(0.1, {"a"}, {1.0});
  add(0.1, {"b"}, {0.1});
  add(0.1, {"b"}, {0.1});  // the same again
  add(0.1, {"a"}, {3.0});
  add(0.1, {"a", "b"}, {2.0, 0.2});
  add(0.2, {"a", "b"}, {4.0, 0.4});
  const SampledMotion motion = collector.finish("log: /t");
  EXPECT_EQ(motion.values, (std::vector<double>{0.0, 0.0, 1.0, 0.1, 3.0, 0.1, 2.0, 0.2, 4.0, 0.4}));
  ASSERT_EQ(motion.times.size(), 5u);
  EXPECT_EQ(motion.times[1], motion.times[2]);
  EXPECT_EQ(motion.times[1], motion.times[3]);
  EXPECT_TRUE(any_contains(collector.warnings, "2 samples have the time of the one before them"));
  EXPECT_TRUE(any_contains(collector.warnings, "up to 2 apart (a)"));
}

/// A joint that is sampled rarely goes straight on through an instant that another one has several samples at.
TEST_F(Samples, OfOneStampLeaveOtherJointsOnTheirLine) {
  add(0.00, {"b"}, {0.0});
  add(0.05, {"a"}, {1.0});
  add(0.05, {"a"}, {3.0});
  add(0.10, {"b"}, {1.0});
  const SampledMotion motion = collector.finish("log: /t");
  ASSERT_EQ(motion.times.size(), 4u);
  const double a[] = {1.0, 1.0, 3.0, 3.0}, b[] = {0.0, 0.5, 0.5, 1.0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(value(motion, i, 0), a[i], 1e-12) << i;
    EXPECT_NEAR(value(motion, i, 1), b[i], 1e-12) << i;
  }
}

/// A stamp may be repeated for as long as a gap may be; for longer, stamps are no times.
TEST_F(Samples, StampsThatStandStillGiveWayToTheLogsTimes) {
  for (const bool long_enough : {false, true}) {
    SampleCollector one(model, options);
    const std::int64_t later = long_enough ? 101'000'000 : 99'000'000;
    one.add({50 * kSecond, {"a"}, {0.0}}, 100 * kSecond, "log");
    one.add({50 * kSecond, {"a"}, {1.0}}, 100 * kSecond + later, "log");
    const SampledMotion motion = one.finish("log: /t");
    EXPECT_EQ(motion.times[0], (long_enough ? 100 : 50) * kSecond);
    EXPECT_EQ(motion.times[1] - motion.times[0], long_enough ? later : 0);
    EXPECT_EQ(any_contains(one.warnings, "a stamp stays the same for 0.101 s"), long_enough);
  }
  SampleCollector rests(model, options);  // published again and again, without a new sample
  for (int k = 0; k < 9; ++k) rests.add({50 * kSecond, {"a"}, {0.0}}, (100 + k) * kSecond, "log");
  EXPECT_EQ(rests.finish("log: /t").times, std::vector<std::int64_t>{50 * kSecond});
}

TEST_F(Samples, GapsAreFoundForEachJointAndJoined) {
  for (const double t : {0.0, 0.05, 0.5, 1.0, 1.05}) add(t, {"a"}, {t});
  for (int i = 0; i <= 21; ++i) add(0.05 * i, {"b"}, {0.0});
  const SampledMotion motion = collector.finish("log: /t");
  ASSERT_EQ(motion.gaps.size(), 1u);
  const Finding& gap = motion.gaps[0];
  EXPECT_EQ(gap.kind, FindingKind::Undecided);
  EXPECT_NEAR(gap.begin.to, 0.05, 1e-9);
  EXPECT_NEAR(gap.end.from, 1.0, 1e-9);
  EXPECT_NEAR(gap.value, 0.5, 1e-9);
  EXPECT_EQ(gap.segment, 1);
  EXPECT_NE(gap.message.find("no sample of a again and again, for up to 0.5 s"), std::string::npos) << gap.message;
}

TEST_F(Samples, WhatIsNoSampleIsRefused) {
  expect_input_error(
      [&] {
        collector.add({1, {"a"}, {std::nan("")}}, 1, "log: message 7");
      },
      {"log: message 7", "\"a\"", "not a finite number"});
  expect_input_error(
      [&] {
        collector.add({1, {"a", "a"}, {0.0, 0.0}}, 1, "log: message 7");
      },
      {"\"a\" is there twice"});
  SampleCollector others(model, options);
  others.add({1, {"x", "y\n\xcd"}, {0.0, 0.0}}, 1, "log");
  expect_input_error([&] { (void)others.finish("log: /t"); }, {"log: /t", "robot \"r\"", "x, y??"});
}

/// A message that claims more contents than its bytes can hold, or that continues after its end.
TEST(FieldReader, CountsAndEndsAreCompared) {
  const std::string where = "log: /t, message 3";
  const std::string many("\0\1\0\0\xff\xff\xff\xff", 8);
  FieldReader reals(many, LogEncoding::Cdr, where);
  expect_input_error([&] { (void)reals.reals(); }, {where, "4294967295 entries"});
  FieldReader longer(std::string_view(many).substr(4), LogEncoding::Ros1, where);
  longer.number<std::uint16_t>();
  expect_input_error([&] { longer.require_end(); }, {where, "2 bytes more", "another definition"});
  expect_input_error([&] { FieldReader unknown(std::string("\0\7\0\0", 4), LogEncoding::Cdr, where); },
                     {where, "encoded"});
}

}  // namespace
}  // namespace planner_ccd::test
