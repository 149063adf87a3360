#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Words = std::vector<std::string_view>;

struct Field {
  std::string_view name;
  std::size_t size = 4;
  char type = 'F';
  std::size_t count = 1;
  std::size_t begin = 0;  ///< [byte] In a point; in text, the index of its first word.
};

struct Header {
  std::vector<Field> fields;
  std::size_t points = 0;
  std::size_t point_bytes = 0, words = 0;
  std::string_view data;  ///< "ascii", ...
  std::size_t end = 0;    ///< [byte] Start of the data.
  std::size_t lines = 0;
  bool has_viewpoint = false;  ///< One other than the identity.
};

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Header read() {
    while (header_.data.empty()) {
      if (header_.end >= bytes_.size()) throw InputError(name_ + ": the PCD header has no DATA; the file is cut short");
      const std::size_t end = std::min(bytes_.find('\n', header_.end), bytes_.size());
      const std::string_view line = bytes_.substr(header_.end, end - header_.end);
      header_.end = std::min(end + 1, bytes_.size());
      ++header_.lines;
      const Words words = split_blanks(line.substr(0, line.find('#')));
      if (!words.empty()) read_line(words);
    }
    finish();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { fail_at_line(name_, header_.lines, message); }

  std::size_t whole(std::string_view word, std::size_t most) const {
    const auto value = parse_integer(word);
    if (!value || *value < 0 || static_cast<std::size_t>(*value) > most) fail(in_quotes(word) + " is out of range");
    return static_cast<std::size_t>(*value);
  }

  void read_line(const Words& words) {
    const std::string_view key = words[0];
    const std::size_t count = words.size() - 1;
    const auto one_each = [&] {
      if (count != header_.fields.size()) fail(std::string(key) + " must have one entry for each of FIELDS");
    };
    if (key == "FIELDS" || key == "COLUMNS") {
      header_.fields.clear();
      for (std::size_t i = 1; i < words.size(); ++i) header_.fields.push_back({.name = words[i]});
    } else if (key == "SIZE") {
      one_each();
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = header_.fields[i].size = whole(words[i + 1], 8);
        if (size != 1 && size != 2 && size != 4 && size != 8) fail("SIZE must be 1, 2, 4 or 8");
      }
    } else if (key == "TYPE") {
      one_each();
      for (std::size_t i = 0; i < count; ++i) header_.fields[i].type = words[i + 1][0];
    } else if (key == "COUNT") {
      one_each();
      for (std::size_t i = 0; i < count; ++i) header_.fields[i].count = whole(words[i + 1], 1u << 20);
    } else if (key == "WIDTH" || key == "HEIGHT") {
      if (count != 1) fail(std::string(key) + " needs a number");
      (key == "WIDTH" ? width_ : height_) = whole(words[1], kMaxDataFileBytes);
    } else if (key == "POINTS") {
      if (count != 1) fail("POINTS needs a number");
      points_ = whole(words[1], kMaxDataFileBytes);
    } else if (key == "VIEWPOINT") {
      constexpr std::array<double, 7> kIdentity = {0, 0, 0, 1, 0, 0, 0};
      for (std::size_t i = 0; i < count && i < 7; ++i) {
        header_.has_viewpoint |= parse_number(words[i + 1]) != kIdentity[i];
      }
    } else if (key == "DATA") {
      if (count != 1) fail("DATA needs a word");
      header_.data = words[1];
    } else if (key != "VERSION") {
      fail(in_quotes(key) + " is not understood in a PCD header");
    }
  }

  void finish() {
    if (header_.fields.empty()) throw InputError(name_ + ": the PCD header has no FIELDS");
    for (Field& f : header_.fields) {
      f.begin = header_.data == "ascii" ? header_.words : header_.point_bytes;
      header_.words += f.count;
      header_.point_bytes += f.size * f.count;
    }
    if (points_ && width_ && *points_ != *width_ * height_.value_or(1)) {
      throw InputError(name_ + ": POINTS is not WIDTH times HEIGHT");
    }
    if (!points_ && !width_) throw InputError(name_ + ": the PCD header has neither POINTS nor WIDTH");
    header_.points = points_ ? *points_ : *width_ * height_.value_or(1);
  }

  std::string_view bytes_;
  const std::string& name_;
  Header header_;
  std::optional<std::size_t> width_, height_, points_;
};

const Field& coordinate(const Header& header, std::size_t k, const std::string& name) {
  const auto found = std::find_if(header.fields.begin(), header.fields.end(),
                                  [&](const Field& f) { return f.name == std::string_view("xyz").substr(k, 1); });
  if (found == header.fields.end()) throw InputError(name + ": the FIELDS have no x, y and z");
  if (found->type != 'F' || found->size < 4 || found->count != 1) {
    throw InputError(name + ": x, y and z must be of TYPE F and SIZE 4 or 8");
  }
  return *found;
}

double load(const char* at, std::size_t size) {
  float single;
  double value;
  if (size == 8) {
    std::memcpy(&value, at, 8);
    return value;
  }
  std::memcpy(&single, at, 4);
  return static_cast<double>(single);
}

std::vector<Eigen::Vector3d> read_ascii(std::string_view data, const Header& header, const std::array<Field, 3>& at,
                                        const std::string& name) {
  std::vector<Eigen::Vector3d> points;
  points.reserve(std::min(header.points, data.size() / 6 + 1));
  std::size_t line = header.lines;
  for (std::size_t begin = 0; begin < data.size();) {
    const std::size_t end = std::min(data.find('\n', begin), data.size());
    const Words words = split_blanks(data.substr(begin, end - begin));
    begin = end + 1;
    ++line;
    if (words.empty()) continue;
    if (words.size() != header.words)
      fail_at_line(name, line, "a point must have " + std::to_string(header.words) + " numbers");
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto value = parse_coordinate(words[at[k].begin]);
      if (!value) fail_at_line(name, line, in_quotes(words[at[k].begin]) + " is not a number");
      p[static_cast<Eigen::Index>(k)] = *value;
    }
    points.push_back(p);
  }
  if (points.size() != header.points) {
    throw InputError(name + ": the header promises " + std::to_string(header.points) + " points, there are " +
                     std::to_string(points.size()));
  }
  return points;
}

[[noreturn]] void fail_longer(std::size_t bytes, const std::string& name) {
  throw InputError(name + ": after the points that its header promises " + std::to_string(bytes) +
                   " bytes follow: which are meant? Save the cloud again");
}

std::uint32_t count_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

}  // namespace

CloudPoints read_pcd(std::string_view bytes, const std::string& name) {
  const Header header = HeaderReader(bytes, name).read();
  const std::array<Field, 3> at = {coordinate(header, 0, name), coordinate(header, 1, name),
                                   coordinate(header, 2, name)};
  CloudPoints out;
  if (header.has_viewpoint) {
    out.warnings.push_back(
        {WarningKind::NotRead, name + ": its VIEWPOINT is not applied, as PCL does not; give the object a pose"});
  }
  std::string_view data = bytes.substr(header.end);
  if (header.data == "ascii") {
    out.points = read_ascii(data, header, at, name);
    return out;
  }
  std::string unpacked;
  const bool packed = header.data == "binary_compressed";
  if (packed) {
    if (data.size() < 8) throw InputError(name + ": the file is cut short");
    const std::size_t size = count_at(data, 0), full = count_at(data, 4);
    data.remove_prefix(8);
    if (size > data.size()) throw InputError(name + ": the file is cut short");
    if (size < data.size()) fail_longer(data.size() - size, name);
    if (header.points > full / header.point_bytes || header.points * header.point_bytes != full) {
      throw InputError(name + ": what is packed is not as large as the header says");
    }
    unpacked = unpack_lzf(data.substr(0, size), full, name);
    data = unpacked;
  } else if (header.data != "binary") {
    throw InputError(name + ": DATA " + in_quotes(header.data) + " is not known");
  }
  if (header.points > data.size() / header.point_bytes) throw InputError(name + ": the file is cut short");
  if (const std::size_t rest = data.size() - header.points * header.point_bytes; rest >= header.point_bytes) {
    fail_longer(rest, name);
  }
  out.points.reserve(header.points);
  for (std::size_t i = 0; i < header.points; ++i) {
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) {  // packed: field after field, each of all points
      const std::size_t place =
          packed ? at[k].begin * header.points + i * at[k].size : i * header.point_bytes + at[k].begin;
      p[static_cast<Eigen::Index>(k)] = load(data.data() + place, at[k].size);
    }
    out.points.push_back(p);
  }
  return out;
}

/// A byte below 32 is a count less 1 of literal bytes that follow. Otherwise it is a copy from earlier output: its
/// three upper bits and, where these are 7, the next byte give the length less 2; the lower five and the next byte the
/// distance less 1.
std::string unpack_lzf(std::string_view packed, std::size_t size, const std::string& name) {
  const auto damaged = [&]() -> InputError { return InputError(name + ": what is packed is damaged"); };
  if (size / 90 > packed.size()) throw damaged();  // at best 264 bytes from three
  std::string out;
  out.reserve(size);
  std::size_t at = 0;
  const auto next = [&]() -> std::size_t {
    if (at >= packed.size()) throw damaged();
    return static_cast<unsigned char>(packed[at++]);
  };
  while (at < packed.size()) {
    const std::size_t control = next();
    if (control < 32) {
      if (control + 1 > packed.size() - at || control + 1 > size - out.size()) throw damaged();
      out.append(packed.substr(at, control + 1));
      at += control + 1;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) length += next();
    length += 2;
    const std::size_t back = ((control & 31) << 8) + next() + 1;
    if (back > out.size() || length > size - out.size()) throw damaged();
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - back]);
  }
  if (out.size() != size) throw damaged();
  return out;
}

}  // namespace planner_ccd
