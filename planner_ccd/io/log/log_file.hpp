#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/io/log/bytes.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {

enum class LogEncoding : std::uint8_t { Other, Ros1, Cdr };

/// A writer to a topic. Several channels may share a topic.
struct LogChannel {
  std::string topic;
  std::string type;  ///< Without the "/msg" or "/action" that ROS 2 inserts.
  LogEncoding encoding = LogEncoding::Other;
};

/// A container of messages. It does not interpret their contents.
class LogFile {
 public:
  /// `channel` is an index of channels().
  using Sink = std::function<void(std::size_t channel, std::int64_t time_ns, std::string_view message)>;

  virtual ~LogFile() = default;
  virtual const char* format() const = 0;
  /// Passes every message to the sink, in the order of the file; those of channels that `wanted` refuses may be
  /// skipped. A channel is in channels() before its first message. Throws InputError where the file is damaged; a
  /// truncated file is read up to its end, with a warning. May be called once.
  virtual void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink) = 0;

  const std::vector<LogChannel>& channels() const { return channels_; }
  const std::vector<InputWarning>& warnings() const { return warnings_; }

 protected:
  explicit LogFile(std::string name) : name_(std::move(name)) {}

  /// The index of the channel with this number in the file, which may be new. Throws if it was a different channel
  /// before.
  std::size_t add_channel(std::uint64_t number, LogChannel channel);
  std::size_t find_channel(std::uint64_t number) const;

  /// decompress, for a container of `file_size` bytes. Limits the total expansion to this factor:
  static constexpr std::uint64_t kMaxExpansion = 1000;
  std::string expand(const std::string& method, std::string_view bytes, std::uint64_t size, std::uint64_t file_size);

  std::string name_;
  std::vector<LogChannel> channels_;
  std::vector<InputWarning> warnings_;

 private:
  std::map<std::uint64_t, std::size_t> numbers_;
  std::uint64_t expanded_ = 0;
};

/// A name from a file, printable on one line: bytes other than visible ASCII become "?".
std::string visible(std::string_view name);

/// A type without its infix: "sensor_msgs/JointState" for "sensor_msgs/msg/JointState".
std::string plain_type(std::string_view type);

std::unique_ptr<LogFile> open_mcap(std::string_view bytes, const std::string& name);
std::unique_ptr<LogFile> open_ros1_bag(std::string_view bytes, const std::string& name);
std::unique_ptr<LogFile> open_rosbag2_db(const std::string& path, std::size_t size);

enum class LogFormat : std::uint8_t { None, Mcap, Ros1Bag, Rosbag2Db };
LogFormat log_format(std::string_view first_bytes);

/// Opens a log of any format. For anything else throws InputError listing the formats.
std::unique_ptr<LogFile> open_log(std::string_view bytes, const std::string& path);

}  // namespace planner_ccd
