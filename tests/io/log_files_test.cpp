// Logs written by third-party software (tests/io/logs): their contents, and one message for damaged ones.
#include <cmath>
#include <random>

#include "io/io_support.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

constexpr std::int64_t kStart = 1'763'500'000'000'000'000;  // [ns]

std::string log_file(const std::string& name) { return testing::source_dir() + "/tests/io/logs/" + name; }

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// a (revolute), b (continuous), p (planar).
RobotModel robot() {
  return RobotModel(parse_urdf("<robot name='r'><link name='w'/><link name='la'/><link name='lb'/><link name='lp'/>"
                               "<joint name='a' type='revolute'><parent link='w'/><child link='la'/>"
                               "<limit lower='-9' upper='9' velocity='1' effort='1'/></joint>"
                               "<joint name='b' type='continuous'><parent link='la'/><child link='lb'/></joint>"
                               "<joint name='p' type='planar'><parent link='w'/><child link='lp'/><axis xyz='0 0 1'/>"
                               "</joint></robot>",
                               "r.urdf", "")
                        .value);
}

LogOptions options_of(const std::string& topic) {
  LogOptions options;
  options.topic = topic;
  options.hold = {{"p/x", 0.0}, {"p/y", 0.0}, {"p/theta", 0.0}};
  return options;
}

bool cannot_read(const InputError& error) {
  return std::string(error.what()).find("build it again with") != std::string::npos;
}

class StatesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(StatesOf, EveryWriterAreReadToTheBit) {
  const RobotModel model = robot();
  Loaded<LogMotion> loaded{LogMotion(nullptr), {}};
  try {
    loaded = load_log(log_file(GetParam()), model, options_of("/joint_states"));
  } catch (const InputError& error) {
    if (cannot_read(error)) GTEST_SKIP() << error.what();
    throw;
  }
  const LogMotion& log = loaded.value;
  EXPECT_TRUE(log.sampled());
  EXPECT_EQ(log.type(), "sensor_msgs/JointState");
  EXPECT_EQ(log.messages(), 60);
  EXPECT_EQ(log.begin_ns(), kStart);
  EXPECT_TRUE(log.gaps().empty());
  ASSERT_EQ(log.parts(), 1u);
  ASSERT_EQ(log.segments(), 59u);
  const Trajectory motion = log.part(0);
  ASSERT_EQ(motion.segments.size(), 59u);
  for (int i = 0; i < 59; ++i) {
    const TrajectorySegment& segment = motion.segments[static_cast<std::size_t>(i)];
    EXPECT_EQ(segment.t0, 1e7 * i * 1e-9);
    EXPECT_EQ(segment.value[0].c[0], 0.01 * i);
    EXPECT_EQ(segment.value[1].c[0], i == 0 ? 0.5 : segment.value[1].c[0]);
    EXPECT_NEAR(segment.value[1].c[0], 0.5 - 0.005 * i,
                1e-15);  // a joint without limits continues from the last sample
    EXPECT_EQ(segment.value[0].degree, 1);
  }
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_NE(loaded.warnings[0].text.find("none of the robot's own, or follow others, are passed over: x"),
            std::string::npos)
      << loaded.warnings[0].text;
  ASSERT_EQ(loaded.assumptions.size(), 2u);
  EXPECT_EQ(loaded.assumptions[0].text, "between samples of a log the joints are taken to go straight");
  EXPECT_EQ(loaded.assumptions[1].names, (std::vector<std::string>{"p/x", "p/y", "p/theta"}));
}

INSTANTIATE_TEST_SUITE_P(Logs, StatesOf,
                         ::testing::Values("states_none.mcap", "states_lz4.mcap", "states_zstd.mcap",
                                           "states_ros1.mcap", "states_big_endian.mcap", "states_none.bag",
                                           "states_bz2.bag", "states_lz4.bag", "states.db3"));

TEST(LogFiles, TopicsAreListedWithWhatCanBeChecked) {
  const LogSummary log = inspect_log(log_file("states_none.bag")).value;
  EXPECT_EQ(log.format, "ROS 1 bag");
  ASSERT_EQ(log.topics.size(), 3u);
  EXPECT_EQ(log.topics[0].name, "/joint_states");
  EXPECT_EQ(log.topics[0].messages, 60);
  EXPECT_TRUE(log.topics[0].can_be_checked);
  EXPECT_EQ(log.topics[1].type, "trajectory_msgs/JointTrajectory");
  EXPECT_TRUE(log.topics[1].can_be_checked);
  EXPECT_EQ(log.topics[2].name, "/text");
  EXPECT_FALSE(log.topics[2].can_be_checked);
  EXPECT_EQ(log.begin_ns, kStart);
  EXPECT_EQ(log.end_ns, kStart + 2'000'000'000);
  EXPECT_TRUE(is_log(log_file("states.db3")));
  EXPECT_FALSE(is_log(log_file("make_logs.py")));
  EXPECT_FALSE(is_log(log_file("absent")));
}

TEST(LogFiles, WithoutATopicTheOnlyOneIsMeant) {
  const RobotModel model = robot();
  EXPECT_EQ(load_log(log_file("states_none.mcap"), model, options_of("")).value.topic(), "/joint_states");
  const auto load = [&](const std::string& topic) {
    return [&model, topic] { (void)load_log(log_file("plans_ros2.mcap"), model, options_of(topic)); };
  };
  expect_input_error(load(""), {"plans_ros2.mcap", "--topic", "/arm/goal, /display, /plan, /robot_trajectory"});
  expect_input_error(load("/plam"), {"no topic \"/plam\"", "did you mean \"/plan\"?"});
  expect_input_error([&] { (void)load_log(log_file("states_none.mcap"), model, options_of("/text")); },
                     {"/text", "std_msgs/String", "nothing of a motion"});
  LogOptions bare;
  bare.topic = "/plan";
  expect_input_error([&] { (void)load_log(log_file("plans_ros2.mcap"), model, bare); },
                     {"/plan, message 0", "joints of the robot are missing: p/x", "--hold"});
}

class PlansOf : public ::testing::TestWithParam<const char*> {
 protected:
  const RobotModel model = robot();
  Loaded<LogMotion> load(const std::string& topic) { return load_log(log_file(GetParam()), model, options_of(topic)); }
};

/// The cubic from rest to rest within 1.5 s that `plan(k)` of make_logs.mjs writes.
void expect_plan(const Trajectory& motion, double begin, double k) {
  ASSERT_EQ(motion.segments.size(), 1u);
  EXPECT_NEAR(motion.segments[0].t0, begin, 1e-9);
  EXPECT_NEAR(motion.segments[0].t1, begin + 1.5, 1e-9);
  const auto& value = motion.segments[0].value;
  EXPECT_EQ(value[0].degree, 3);
  EXPECT_EQ(value[0].c[0], k);
  EXPECT_NEAR(value[0].value(0.5), k + 0.25, 1e-12);
  EXPECT_EQ(value[1].c[0], 0.0);
  EXPECT_NEAR(value[1].value(1.0), 1.0, 1e-12);
}

TEST_P(PlansOf, EveryMessageOfATopicIsAPart) {
  const Loaded<LogMotion> plans = load("/plan");
  EXPECT_FALSE(plans.value.sampled());
  ASSERT_EQ(plans.value.parts(), 2u);
  EXPECT_EQ(plans.value.segments(), 2u);
  expect_plan(plans.value.part(0), 0.0, 0.0);
  expect_plan(plans.value.part(1), 2.0, 1.0);
  EXPECT_TRUE(std::any_of(plans.assumptions.begin(), plans.assumptions.end(), [](const Assumption& a) {
    return a.text == "the way from one message's end to the next one's beginning is not known";
  }));
}

TEST_P(PlansOf, GoalsArePlans) { expect_plan(load("/arm/goal").value.part(0), 0.0, 0.0); }

TEST_P(PlansOf, RobotTrajectoryMovesPlanarJoints) {
  const Trajectory motion = load("/robot_trajectory").value.part(0);
  expect_plan(motion, 0.0, 0.0);
  const auto x = static_cast<std::size_t>(model.find_coordinate("p/x")), angle = x + 2;
  EXPECT_EQ(motion.segments[0].value[x].value(0.0), 0.0);
  EXPECT_NEAR(motion.segments[0].value[x].value(1.0), 1.0, 1e-12);
  EXPECT_NEAR(motion.segments[0].value[angle].value(1.0), 1.0, 1e-12);
}

TEST_P(PlansOf, DisplayTrajectoryHoldsSeveralAndTheStart) {
  const Loaded<LogMotion> display = load("/display");
  ASSERT_EQ(display.value.parts(), 2u);
  for (const std::size_t i : {0u, 1u}) {
    const Trajectory motion = display.value.part(i);
    expect_plan(motion, 0.0, static_cast<double>(i));
    EXPECT_EQ(motion.segments[0].value[static_cast<std::size_t>(model.find_coordinate("p/x"))].value(0.3), 0.25);
  }
  EXPECT_TRUE(std::any_of(display.assumptions.begin(), display.assumptions.end(), [](const Assumption& a) {
    return a.names == std::vector<std::string>{"1 of the start state"};
  }));
  EXPECT_TRUE(any_contains(display.warnings, "do not end before the next begins"));
}

INSTANTIATE_TEST_SUITE_P(Logs, PlansOf, ::testing::Values("plans_ros2.mcap", "plans_ros1.mcap"));

TEST(LogFiles, TimeIsCutAtSamples) {
  LogOptions options = options_of("/joint_states");
  options.from = 0.1049;
  options.to = 0.2051;
  const RobotModel model = robot();
  const LogMotion log = load_log(log_file("states_none.mcap"), model, options).value;
  const Trajectory motion = log.part(0);
  EXPECT_NEAR(motion.segments.front().t0, 0.10, 1e-12);
  EXPECT_NEAR(motion.segments.back().t1, 0.21, 1e-12);
  EXPECT_EQ(motion.segments.front().value[0].c[0], 0.01 * 10);
  EXPECT_EQ(motion.segments.size(), log.segments());
}

TEST(LogFiles, FolderOfFilesIsOneLog) {
  const TempFolder folder;
  folder.write("run/run_0.mcap", bytes_of(log_file("states_none.mcap")));
  folder.write("run/run_1.mcap", bytes_of(log_file("plans_ros2.mcap")));
  folder.write("run/metadata.yaml", "rosbag2_bagfile_information: {}\n");
  ASSERT_TRUE(is_log(folder.path("run")));
  EXPECT_FALSE(is_log(folder.path()));
  EXPECT_EQ(inspect_log(folder.path("run")).value.topics.size(), 6u);
  const RobotModel model = robot();
  EXPECT_EQ(load_log(folder.path("run"), model, options_of("/plan")).value.parts(), 2u);
}

TEST(LogFiles, RecordingThatWasBrokenOffIsReadUpToThere) {
  const TempFolder folder;
  const RobotModel model = robot();
  for (const std::string name : {"states_none.mcap", "states_ros1.mcap", "states_none.bag"}) {
    const std::string whole = bytes_of(log_file(name));
    const std::string file = folder.write(name, whole.substr(0, whole.size() / 2));
    const Loaded<LogMotion> log = load_log(file, model, options_of("/joint_states"));
    EXPECT_TRUE(any_contains(log.warnings, "the end of the file is missing")) << name;
    EXPECT_GT(log.value.messages(), 10) << name;
    EXPECT_LT(log.value.messages(), 60) << name;
  }
}

TEST(LogFiles, WhatADatabaseLeftBesideItCounts) {
  const TempFolder folder;
  const std::string file = folder.write("run.db3", bytes_of(log_file("states.db3")));
  const std::string script =
      folder.write("append.py",
                   "import os, sqlite3, sys\n"
                   "d = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                   "d.execute('PRAGMA journal_mode=WAL')\n"
                   "d.execute('INSERT INTO messages (topic_id, timestamp, data) SELECT topic_id, "
                   "timestamp, data FROM messages WHERE id = 1')\n"
                   "os._exit(0)\n");
  ASSERT_EQ(std::system(("/usr/bin/python3 " + script + " " + file).c_str()), 0);
  ASSERT_GT(std::filesystem::file_size(file + "-wal"), 0u);
  const RobotModel model = robot();
  try {
    EXPECT_EQ(load_log(file, model, options_of("/joint_states")).value.messages(), 61);
  } catch (const InputError& error) {
    if (cannot_read(error)) GTEST_SKIP() << error.what();
    throw;
  }
}

TEST(LogFiles, ChecksumsAreChecked) {
  std::string bytes = bytes_of(log_file("states_none.mcap"));
  const std::size_t at = bytes.find("hello");  // in a chunk, and of a topic that is not requested
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'j';
  const TempFolder folder;
  const RobotModel model = robot();
  expect_input_error([&] { (void)load_log(folder.write("m.mcap", bytes), model, options_of("/joint_states")); },
                     {"m.mcap", "checksum"});
}

/// False sizes cost no memory, and a file that expands excessively is rejected.
TEST(LogFiles, SizesThatAreNotTrueAreFound) {
  const std::string bytes = bytes_of(log_file("states_zstd.mcap"));
  const std::size_t method = bytes.find(std::string("\x04\0\0\0zstd", 8));
  ASSERT_NE(method, std::string::npos);
  const TempFolder folder;
  const RobotModel model = robot();
  for (const int byte : {0, 3, 7}) {  // bytes of the size before the checksum
    std::string lying = bytes;
    lying[method - 12 + static_cast<std::size_t>(byte)] = 0x0C;
    try {
      (void)load_log(folder.write("m.mcap", lying), model, options_of("/joint_states"));
      ADD_FAILURE() << byte;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("m.mcap"), std::string::npos) << error.what();
    }
  }
}

TEST(LogFiles, MangledOnesAreReadOrRefused) {
  const RobotModel model = robot();
  const TempFolder folder;
  std::mt19937 random(20261119);
  std::cout << "seed 20261119\n";
  int refused = 0, read = 0;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(log_file(""))) {
    const std::string name = entry.path().filename().string();
    if (!is_log(entry.path().string())) continue;
    const std::string topic = name.starts_with("plans") ? "/display" : "/joint_states";
    const std::string whole = bytes_of(entry.path().string());
    for (int i = 0; i < 60; ++i) {
      std::string bytes = whole.substr(0, i % 3 == 0 ? random() % whole.size() : whole.size());
      for (int k = 0; k <= i % 5 && !bytes.empty(); ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      const std::string file = folder.write("m_" + name, bytes);
      try {
        const LogMotion log = load_log(file, model, options_of(topic)).value;
        for (std::size_t p = 0; p < log.parts(); ++p) EXPECT_FALSE(log.part(p).segments.empty());
        ++read;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("m_" + name), std::string::npos) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace planner_ccd::test
