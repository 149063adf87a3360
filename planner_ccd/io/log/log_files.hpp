#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

/// The files of one log: a file, or the folder that ROS 2 records into, with its files sorted by name.
class LogFiles {
 public:
  /// Throws InputError if `path` is not a log.
  explicit LogFiles(const std::string& path);

  std::string format() const { return files_.front().file->format(); }

  using Sink = std::function<void(const LogChannel& channel, std::int64_t time_ns, std::string_view message)>;
  /// As LogFile::read. Times are limited so that the difference of two times, or of a time and a stamp, does not
  /// overflow.
  void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink);

  /// All channels found, including those without messages.
  std::vector<LogChannel> channels() const;
  std::vector<InputWarning> warnings() const;
  /// Lists its files with FilesRead.
  void note() const;

 private:
  struct OpenFile {
    std::string path;
    std::unique_ptr<MappedFile> bytes;
    std::unique_ptr<LogFile> file;
  };
  std::string name_;
  std::vector<OpenFile> files_;
};

}  // namespace planner_ccd
