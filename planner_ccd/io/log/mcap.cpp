#include <algorithm>
#include <array>
#include <limits>

#include "planner_ccd/io/log/log_file.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {
namespace {

// https://mcap.dev/spec
enum Opcode : std::uint8_t {
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kDataEnd = 0x0F
};

/// CRC-32 of zlib, eight bytes at a time.
class Crc32 {
 public:
  Crc32() {
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      table_[0][i] = c;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t i = 0; i < 256; ++i) {
        table_[k][i] = table_[0][table_[k - 1][i] & 0xFF] ^ (table_[k - 1][i] >> 8);
      }
    }
  }

  std::uint32_t of(std::string_view bytes) const {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    std::uint32_t crc = ~0u;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      crc ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
      crc = table_[7][crc & 0xFF] ^ table_[6][crc >> 8 & 0xFF] ^ table_[5][crc >> 16 & 0xFF] ^ table_[4][crc >> 24] ^
            table_[3][byte(i + 4)] ^ table_[2][byte(i + 5)] ^ table_[1][byte(i + 6)] ^ table_[0][byte(i + 7)];
    }
    for (; i < bytes.size(); ++i) crc = table_[0][(crc ^ byte(i)) & 0xFF] ^ (crc >> 8);
    return ~crc;
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 8> table_;
};

class Mcap final : public LogFile {
 public:
  Mcap(std::string_view bytes, const std::string& name) : LogFile(name), bytes_(bytes) {}

  const char* format() const override { return "MCAP"; }

  void read(const std::function<bool(const LogChannel&)>& wanted, const Sink& sink) override {
    wanted_ = &wanted;
    sink_ = &sink;
    if (!read_records(bytes_.substr(8), false)) {
      warnings_.push_back(
          {WarningKind::Truncated,
           name_ + ": the end of the file is missing, as when a recording was broken off; it is read up to there"});
    }
  }

 private:
  std::string_view bytes_;
  const std::function<bool(const LogChannel&)>* wanted_ = nullptr;
  const Sink* sink_ = nullptr;
  std::map<std::uint16_t, std::string> schemas_;  ///< Types by number.
  std::vector<bool> is_wanted_;                   ///< By channel.
  Crc32 crc_;

  /// False when the end is missing.
  bool read_records(std::string_view bytes, bool in_chunk) {
    ByteReader reader(bytes, name_);
    while (reader.left() > 0) {
      if (reader.left() < 9 && !in_chunk) return false;
      const auto opcode = reader.number<std::uint8_t>();
      const auto length = reader.number<std::uint64_t>();
      if (length > reader.left() && !in_chunk) return false;
      const std::string_view content = reader.take(length);
      switch (opcode) {
        case kSchema: read_schema(content); break;
        case kChannel: read_channel(content); break;
        case kMessage: read_message(content); break;
        case kChunk:
          if (in_chunk) throw InputError(name_ + ": a chunk inside a chunk; the file is damaged");
          read_chunk(content);
          break;
        case kDataEnd:
        case kFooter: return true;  // the rest repeats what has been read
        case 0: throw InputError(name_ + ": a record of no kind; the file is damaged");
        default: break;
      }
    }
    return in_chunk;
  }

  void read_schema(std::string_view content) {
    ByteReader reader(content, name_);
    const auto number = reader.number<std::uint16_t>();
    schemas_[number] = plain_type(reader.text());
  }

  void read_channel(std::string_view content) {
    ByteReader reader(content, name_);
    const auto number = reader.number<std::uint16_t>();
    const auto schema = schemas_.find(reader.number<std::uint16_t>());
    LogChannel channel;
    channel.topic = reader.text();
    channel.type = schema == schemas_.end() ? "" : schema->second;
    const std::string_view encoding = reader.text();
    channel.encoding = encoding == "cdr"    ? LogEncoding::Cdr
                       : encoding == "ros1" ? LogEncoding::Ros1
                                            : LogEncoding::Other;
    const std::size_t index = add_channel(number, std::move(channel));
    if (index == is_wanted_.size()) is_wanted_.push_back((*wanted_)(channels_[index]));
  }

  void read_message(std::string_view content) {
    ByteReader reader(content, name_);
    const std::size_t channel = find_channel(reader.number<std::uint16_t>());
    if (!is_wanted_[channel]) return;
    reader.take(4);  // a sequence number
    const auto time = reader.number<std::uint64_t>();
    reader.take(8);  // publish time
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    (*sink_)(channel, static_cast<std::int64_t>(std::min(time, most)), reader.take(reader.left()));
  }

  void read_chunk(std::string_view content) {
    ByteReader reader(content, name_);
    reader.take(16);  // first and last time
    const auto size = reader.number<std::uint64_t>();
    const auto crc = reader.number<std::uint32_t>();
    const std::string compression(reader.text());
    const std::string_view records = reader.take(reader.number<std::uint64_t>());
    const std::string expanded = compression.empty() ? "" : expand(compression, records, size, bytes_.size());
    const std::string_view plain = compression.empty() ? records : std::string_view(expanded);
    if (plain.size() != size) throw InputError(name_ + ": a chunk is not as long as it says; the file is damaged");
    if (crc != 0 && crc_.of(plain) != crc) {
      throw InputError(name_ + ": the checksum of a chunk is wrong; the file is damaged");
    }
    read_records(plain, true);
  }
};

}  // namespace

std::unique_ptr<LogFile> open_mcap(std::string_view bytes, const std::string& name) {
  return std::make_unique<Mcap>(bytes, name);
}

}  // namespace planner_ccd
