#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace planner_ccd::test {

/// The body of a message in CDR.
class CdrBody {
 public:
  CdrBody& count(std::size_t value) { return put<std::uint32_t>(static_cast<std::int64_t>(value), 4); }
  CdrBody& real(double value) {
    return put<std::uint64_t>(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value)), 8);
  }
  CdrBody& reals(const std::vector<double>& values) {
    count(values.size());
    for (const double value : values) real(value);
    return *this;
  }
  CdrBody& text(const std::string& text) {
    count(text.size() + 1);
    bytes_ += text + '\0';
    return *this;
  }
  CdrBody& texts(const std::vector<std::string>& texts) {
    count(texts.size());
    for (const std::string& one : texts) text(one);
    return *this;
  }
  CdrBody& time(std::int64_t ns) {
    put<std::uint32_t>(ns / 1'000'000'000, 4);
    return put<std::uint32_t>(ns % 1'000'000'000, 4);
  }
  CdrBody& header(std::int64_t ns) { return time(ns).text(""); }
  const std::string& bytes() const { return bytes_; }

  template <class T>
  static std::string little(std::int64_t value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  }

 private:
  std::string bytes_;

  template <class T>
  CdrBody& put(std::int64_t value, std::size_t align) {
    bytes_.resize((bytes_.size() + align - 1) / align * align);
    bytes_ += little<T>(value);
    return *this;
  }
};

/// Writes an MCAP file of one topic in CDR, without chunks, for tests that are not about files.
class LogWriter {
 public:
  /// Of JointStates.
  explicit LogWriter(std::vector<std::string> joints) : LogWriter("/joint_states", "sensor_msgs/msg/JointState") {
    joints_ = std::move(joints);
  }
  LogWriter(const std::string& topic, const std::string& type) {
    record(0x01, text("ros2") + text("test"));
    record(0x03, CdrBody::little<std::uint16_t>(1) + text(type) + text("ros2msg") + text(""));
    record(0x04, CdrBody::little<std::uint16_t>(0) + CdrBody::little<std::uint16_t>(1) + text(topic) + text("cdr") +
                     CdrBody::little<std::uint32_t>(0));
  }

  void add(std::int64_t ns, const std::vector<double>& positions) { add(ns, positions, ns); }
  /// A sample that was recorded at another time than its stamp says.
  void add(std::int64_t ns, const std::vector<double>& positions, std::int64_t recorded) {
    add(recorded, CdrBody().header(ns).texts(joints_).reals(positions).reals({}).reals({}));
  }
  void add(std::int64_t recorded, const CdrBody& body) {
    record(0x05, CdrBody::little<std::uint16_t>(0) + CdrBody::little<std::uint32_t>(0) +
                     CdrBody::little<std::uint64_t>(recorded) + CdrBody::little<std::uint64_t>(recorded) +
                     std::string("\0\1\0\0", 4) + body.bytes());
  }

  std::string bytes() const { return bytes_ + std::string("\x0f\4\0\0\0\0\0\0\0\0\0\0\0", 13); }

 private:
  std::vector<std::string> joints_;
  std::string bytes_ = "\x89MCAP0\r\n";

  static std::string text(const std::string& text) {
    return CdrBody::little<std::uint32_t>(static_cast<std::int64_t>(text.size())) + text;
  }
  void record(int opcode, const std::string& content) {
    bytes_ += static_cast<char>(opcode);
    bytes_ += CdrBody::little<std::uint64_t>(static_cast<std::int64_t>(content.size())) + content;
  }
};

}  // namespace planner_ccd::test
