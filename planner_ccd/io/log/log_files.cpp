#include "planner_ccd/io/log/log_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "planner_ccd/io/detail/note_file_read.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/log/log_messages.hpp"

namespace planner_ccd {
namespace {

namespace fs = std::filesystem;

/// The path itself, or the files in a folder.
std::vector<std::string> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".mcap" || extension == ".db3") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

LogFiles::LogFiles(const std::string& path) : name_(path) {
  const std::vector<std::string> files = files_of(path);
  if (files.empty()) throw InputError(path + ": holds no file of a log (.mcap, .db3)");
  for (const std::string& file : files) {
    auto bytes = std::make_unique<MappedFile>(file);
    auto log = open_log(bytes->bytes(), file);
    files_.push_back({file, std::move(bytes), std::move(log)});
  }
}

void LogFiles::read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  for (OpenFile& part : files_) {
    part.file->read(wanted, [&](std::size_t channel, std::int64_t time, std::string_view message) {
      const LogChannel& from = part.file->channels()[channel];
      if (time < 0 || time > kMost) {
        throw InputError(name_ + ": a message of " + from.topic + " has a time that cannot be meant");
      }
      sink(from, time, message);
    });
  }
}

std::vector<LogChannel> LogFiles::channels() const {
  std::vector<LogChannel> all;
  for (const OpenFile& part : files_) {
    all.insert(all.end(), part.file->channels().begin(), part.file->channels().end());
  }
  return all;
}

void LogFiles::note() const {
  for (const OpenFile& part : files_) note_file_read(part.path, part.bytes->bytes());
}

std::vector<InputWarning> LogFiles::warnings() const {
  std::vector<InputWarning> all;
  for (const OpenFile& part : files_) {
    all.insert(all.end(), part.file->warnings().begin(), part.file->warnings().end());
  }
  return all;
}

bool is_log(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return !files_of(path).empty();
  if (!fs::is_regular_file(path, error)) return false;
  std::string first(16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  return log_format(first) != LogFormat::None;
}

Loaded<LogSummary> inspect_log(const std::string& path) {
  LogFiles files(path);
  std::map<std::string, LogTopic> topics;
  Loaded<LogSummary> loaded;
  LogSummary& summary = loaded.value;
  bool any = false;
  files.read([](const LogChannel&) { return true; },
             [&](const LogChannel& channel, std::int64_t time, std::string_view) {
               ++topics[channel.topic].messages;
               summary.begin_ns = any ? std::min(summary.begin_ns, time) : time;
               summary.end_ns = any ? std::max(summary.end_ns, time) : time;
               any = true;
             });
  for (const LogChannel& channel : files.channels()) {
    LogTopic& topic = topics[channel.topic];
    topic.name = channel.topic;
    topic.type = channel.type;
    topic.can_be_checked = content_of(channel) != LogContent::Nothing;
  }
  for (const auto& [name, topic] : topics) summary.topics.push_back(topic);
  summary.format = files.format();
  loaded.warnings = files.warnings();
  return loaded;
}

}  // namespace planner_ccd
