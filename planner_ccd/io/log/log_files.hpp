#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

/// The files of one log: a file, or the folder into which ROS 2 records, with its files in the order of their names.
class LogFiles {
 public:
  /// Throws InputError for what is no log.
  explicit LogFiles(const std::string& path);

  std::string format() const { return parts_.front().file->format(); }

  using Sink = std::function<void(const LogChannel& channel, std::int64_t time_ns, std::string_view message)>;
  /// As LogFile::read. Times are such that any two, or one and a stamp, can be subtracted.
  void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink);

  /// All channels that were met, some with no message.
  std::vector<LogChannel> channels() const;
  std::vector<std::string> warnings() const;

 private:
  struct Part {
    std::unique_ptr<MappedFile> bytes;
    std::unique_ptr<LogFile> file;
  };
  std::string name_;
  std::vector<Part> parts_;
};

}  // namespace planner_ccd
