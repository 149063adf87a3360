#include <limits>

#include "planner_ccd/io/log/log_file.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {
namespace {

constexpr std::string_view kVersion = "#ROSBAG V2.0\n";

// http://wiki.ros.org/Bags/Format/2.0
enum Opcode : std::uint8_t { kMessage = 0x02, kChunk = 0x05, kConnection = 0x07 };

/// "name=value" pairs, each preceded by its length.
std::map<std::string_view, std::string_view> read_fields(std::string_view bytes, const std::string& name) {
  std::map<std::string_view, std::string_view> fields;
  ByteReader reader(bytes, name);
  while (reader.left() > 0) {
    const std::string_view field = reader.text();
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) throw InputError(name + ": a field without a value; the file is damaged");
    fields[field.substr(0, equals)] = field.substr(equals + 1);
  }
  return fields;
}

class Ros1Bag final : public LogFile {
 public:
  Ros1Bag(std::string_view bytes, const std::string& name) : LogFile(name), bytes_(bytes) {}

  const char* format() const override { return "ROS 1 bag"; }

  void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink) override {
    if (!bytes_.starts_with(kVersion)) {
      throw InputError(name_ + ": is a ROS 1 bag of another version than 2.0; rewrite it with `rosbag fix`");
    }
    wanted_ = &wanted;
    sink_ = &sink;
    if (!read_records(bytes_.substr(kVersion.size()), false)) {
      warnings_.push_back(
          {WarningKind::Truncated,
           name_ + ": the end of the file is missing, as when a recording was broken off; it is read up to there"});
    }
  }

 private:
  std::string_view bytes_;
  const std::function<bool(const LogChannel&)>* wanted_ = nullptr;
  const Sink* sink_ = nullptr;
  std::vector<bool> is_wanted_;  ///< By channel.

  template <class T>
  T number_in(const std::map<std::string_view, std::string_view>& fields, std::string_view key) const {
    const std::string_view value = text_in(fields, key);
    ByteReader reader(value, name_);
    return reader.number<T>();
  }

  std::string_view text_in(const std::map<std::string_view, std::string_view>& fields, std::string_view key) const {
    const auto at = fields.find(key);
    if (at == fields.end()) {
      throw InputError(name_ + ": a record without " + in_quotes(key) + "; the file is damaged");
    }
    return at->second;
  }

  /// False when the end is missing.
  bool read_records(std::string_view bytes, bool in_chunk) {
    ByteReader reader(bytes, name_);
    while (reader.left() > 0) {
      const std::size_t start = reader.position();
      if (!in_chunk && !is_whole(bytes.substr(start))) return false;
      const auto fields = read_fields(reader.text(), name_);
      const std::string_view data = reader.text();
      switch (number_in<std::uint8_t>(fields, "op")) {
        case kConnection: read_connection(fields, data); break;
        case kMessage: read_message(fields, data); break;
        case kChunk:
          if (in_chunk) throw InputError(name_ + ": a chunk inside a chunk; the file is damaged");
          read_chunk(fields, data);
          break;
        default: break;  // the index, which is redundant
      }
    }
    return true;
  }

  bool is_whole(std::string_view bytes) const {
    ByteReader reader(bytes, name_);
    for (int part = 0; part < 2; ++part) {  // header and data
      if (reader.left() < 4) return false;
      const auto length = reader.number<std::uint32_t>();
      if (length > reader.left()) return false;
      reader.take(length);
    }
    return true;
  }

  void read_connection(const std::map<std::string_view, std::string_view>& fields, std::string_view data) {
    LogChannel channel;
    channel.topic = text_in(fields, "topic");
    channel.type = plain_type(text_in(read_fields(data, name_), "type"));
    channel.encoding = LogEncoding::Ros1;
    const std::size_t index = add_channel(number_in<std::uint32_t>(fields, "conn"), std::move(channel));
    if (index == is_wanted_.size()) is_wanted_.push_back((*wanted_)(channels_[index]));
  }

  void read_message(const std::map<std::string_view, std::string_view>& fields, std::string_view data) {
    const std::size_t channel = find_channel(number_in<std::uint32_t>(fields, "conn"));
    if (!is_wanted_[channel]) return;
    const std::string_view time = text_in(fields, "time");
    ByteReader reader(time, name_);
    const std::int64_t seconds = reader.number<std::uint32_t>();
    const std::int64_t nanoseconds = reader.number<std::uint32_t>();
    (*sink_)(channel, seconds * 1'000'000'000 + nanoseconds, data);
  }

  void read_chunk(const std::map<std::string_view, std::string_view>& fields, std::string_view data) {
    const std::string compression(text_in(fields, "compression"));
    if (compression == "none") {
      read_records(data, true);
    } else {
      read_records(expand(compression, data, number_in<std::uint32_t>(fields, "size"), bytes_.size()), true);
    }
  }
};

}  // namespace

std::unique_ptr<LogFile> open_ros1_bag(std::string_view bytes, const std::string& name) {
  return std::make_unique<Ros1Bag>(bytes, name);
}

}  // namespace planner_ccd
