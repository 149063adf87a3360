#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace planner_ccd::test {

/// Writes an MCAP file of one topic with JointStates in CDR, without chunks, for tests that are not about files.
class LogWriter {
 public:
  explicit LogWriter(std::vector<std::string> joints) : joints_(std::move(joints)) {
    record(0x01, text("ros2") + text("test"));
    record(0x03, little<std::uint16_t>(1) + text("sensor_msgs/msg/JointState") + text("ros2msg") + text(""));
    record(0x04, little<std::uint16_t>(0) + little<std::uint16_t>(1) + text("/joint_states") + text("cdr") +
                     little<std::uint32_t>(0));
  }

  void add(std::int64_t ns, const std::vector<double>& positions) {
    std::string body = little<std::uint32_t>(ns / 1'000'000'000) + little<std::uint32_t>(ns % 1'000'000'000);
    add_string(body, "");
    add_count(body, joints_.size());
    for (const std::string& joint : joints_) add_string(body, joint);
    add_count(body, positions.size());
    body.resize((body.size() + 7) / 8 * 8);
    for (const double q : positions)
      body += little<std::uint64_t>(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(q)));
    add_count(body, 0);
    add_count(body, 0);
    record(0x05, little<std::uint16_t>(0) + little<std::uint32_t>(0) + little<std::uint64_t>(ns) +
                     little<std::uint64_t>(ns) + std::string("\0\1\0\0", 4) + body);
  }

  std::string bytes() const { return bytes_ + std::string("\x0f\4\0\0\0\0\0\0\0\0\0\0\0", 13); }

 private:
  std::vector<std::string> joints_;
  std::string bytes_ = "\x89MCAP0\r\n";

  template <class T>
  static std::string little(std::int64_t value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  }
  static std::string text(const std::string& text) {
    return little<std::uint32_t>(static_cast<std::int64_t>(text.size())) + text;
  }
  static void add_count(std::string& body, std::size_t count) {
    body.resize((body.size() + 3) / 4 * 4);
    body += little<std::uint32_t>(static_cast<std::int64_t>(count));
  }
  static void add_string(std::string& body, const std::string& text) {
    add_count(body, text.size() + 1);
    body += text + '\0';
  }
  void record(int opcode, const std::string& content) {
    bytes_ += static_cast<char>(opcode);
    bytes_ += little<std::uint64_t>(static_cast<std::int64_t>(content.size())) + content;
  }
};

}  // namespace planner_ccd::test
