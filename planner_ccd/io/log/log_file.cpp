#include "planner_ccd/io/log/log_file.hpp"

#include "planner_ccd/io/log/decompress.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {

std::size_t LogFile::add_channel(std::uint64_t number, LogChannel channel) {
  channel.topic = visible(channel.topic);  // no other names are valid in ROS
  channel.type = visible(channel.type);
  const auto [at, is_new] = numbers_.emplace(number, channels_.size());
  if (is_new) {
    channels_.push_back(std::move(channel));
  } else if (const LogChannel& known = channels_[at->second];
             known.topic != channel.topic || known.type != channel.type || known.encoding != channel.encoding) {
    throw InputError(name_ + ": channel " + std::to_string(number) + " is both " + in_quotes(known.topic) + " and " +
                     in_quotes(channel.topic) + "; the file is damaged");
  }
  return at->second;
}

std::size_t LogFile::find_channel(std::uint64_t number) const {
  const auto at = numbers_.find(number);
  if (at == numbers_.end()) {
    throw InputError(name_ + ": a message of channel " + std::to_string(number) +
                     ", which the file does not describe; it is damaged");
  }
  return at->second;
}

std::string LogFile::expand(const std::string& method, std::string_view bytes, std::uint64_t size,
                            std::uint64_t file_size) {
  std::string out = decompress(method, bytes, size, name_);
  expanded_ += out.size();
  if (expanded_ / kMaxExpansion > file_size) {
    throw InputError(name_ + ": holds more than " + std::to_string(kMaxExpansion) +
                     " times its own size, compressed; no log does");
  }
  return out;
}

std::string visible(std::string_view name) {
  std::string shown(name);
  for (char& c : shown) {
    if (c <= ' ' || c > '~') c = '?';
  }
  return shown;
}

std::string plain_type(std::string_view type) {
  std::string plain(type);
  for (const std::string_view part : {"/msg/", "/action/"}) {
    if (const std::size_t at = plain.find(part); at != std::string::npos) plain.replace(at, part.size(), "/");
  }
  return plain;
}

LogFormat log_format(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  if (first_bytes.starts_with("\x89MCAP0\r\n"sv)) return LogFormat::Mcap;
  if (first_bytes.starts_with("#ROSBAG V"sv)) return LogFormat::Ros1Bag;
  if (first_bytes.starts_with("SQLite format 3\0"sv)) return LogFormat::Rosbag2Db;
  return LogFormat::None;
}

std::unique_ptr<LogFile> open_log(std::string_view bytes, const std::string& path) {
  switch (log_format(bytes)) {
    case LogFormat::Mcap: return open_mcap(bytes, path);
    case LogFormat::Ros1Bag: return open_ros1_bag(bytes, path);
    case LogFormat::Rosbag2Db: return open_rosbag2_db(path, bytes.size());
    case LogFormat::None: break;
  }
  throw InputError(path + ": is no log; known are MCAP, rosbag2 (.db3) and ROS 1 bags");
}

}  // namespace planner_ccd
