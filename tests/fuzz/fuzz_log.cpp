#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "planner_ccd/io/log.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "tests/fuzz/fuzz_robot_model.hpp"

// An arbitrary log, every topic of it: an InputError that names the file, or motions that EdgeMotion accepts. The seeds
// are in tests/io/logs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace planner_ccd;
  static const RobotModel model = make_model();
  static EdgeMotion motion(model);
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("planner_ccd_fuzz_log_" + std::to_string(getpid()))).string();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  LogOptions options;
  for (const Coordinate& c : model.coordinates()) options.hold[c.name] = c.name == "f/rot_w" ? 1.0 : 0.0;
  const auto guarded = [&](const auto& act) {
    try {
      act();
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (message.find(path) == std::string::npos && message.find("not finite") == std::string::npos) std::abort();
    }
  };
  if (!is_log(path)) return 0;
  guarded([&] {
    for (const LogTopic& topic : inspect_log(path).value.topics) {
      options.topic = topic.name;
      if (!topic.can_be_checked) continue;
      guarded([&] {
        const LogMotion log = load_log(path, model, options).value;
        for (std::size_t i = 0; i < log.parts(); ++i) {
          for (const TrajectorySegment& segment : log.part(i).segments) motion.set_segment(segment);
        }
      });
    }
  });
  return 0;
}
