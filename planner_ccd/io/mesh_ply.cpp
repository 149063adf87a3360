#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

enum class Scalar { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };
enum class Encoding { Ascii, Little, Big };

struct Property {
  std::string name;
  Scalar type;
  std::optional<Scalar> list_count;  // a list of `type` with a count in front
};

struct Element {
  std::string name;
  std::uint64_t count;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::Ascii;
  std::vector<Element> elements;
  std::size_t end = 0;  // [byte] where the data begin
  std::size_t lines = 0;
};

std::optional<Scalar> scalar_of(std::string_view word) {
  static constexpr std::array<std::pair<const char*, Scalar>, 16> kNames = {{{"char", Scalar::Int8},
                                                                             {"int8", Scalar::Int8},
                                                                             {"uchar", Scalar::Uint8},
                                                                             {"uint8", Scalar::Uint8},
                                                                             {"short", Scalar::Int16},
                                                                             {"int16", Scalar::Int16},
                                                                             {"ushort", Scalar::Uint16},
                                                                             {"uint16", Scalar::Uint16},
                                                                             {"int", Scalar::Int32},
                                                                             {"int32", Scalar::Int32},
                                                                             {"uint", Scalar::Uint32},
                                                                             {"uint32", Scalar::Uint32},
                                                                             {"float", Scalar::Float32},
                                                                             {"float32", Scalar::Float32},
                                                                             {"double", Scalar::Float64},
                                                                             {"float64", Scalar::Float64}}};
  for (const auto& [name, scalar] : kNames) {
    if (word == name) return scalar;
  }
  return std::nullopt;
}

std::size_t bytes_of(Scalar type) {
  switch (type) {
    case Scalar::Int8:
    case Scalar::Uint8: return 1;
    case Scalar::Int16:
    case Scalar::Uint16: return 2;
    case Scalar::Int32:
    case Scalar::Uint32:
    case Scalar::Float32: return 4;
    case Scalar::Float64: return 8;
  }
  return 8;
}

// The least size of one element: one byte per property in text, empty lists in binary.
std::size_t least_bytes(const Element& element, Encoding encoding) {
  std::size_t bytes = 0;
  for (const Property& p : element.properties) {
    bytes += encoding == Encoding::Ascii ? 1 : bytes_of(p.list_count ? *p.list_count : p.type);
  }
  return std::max<std::size_t>(bytes, 1);
}

Property parse_property(const std::vector<std::string_view>& words, const std::string& name, std::size_t line) {
  const bool is_list = words.size() == 5 && words[1] == "list";
  const auto type = words.size() >= 3 ? scalar_of(words[is_list ? 3 : 1]) : std::nullopt;
  const auto count = is_list ? scalar_of(words[2]) : std::nullopt;
  if (!type || (is_list ? !count : words.size() != 3)) fail_at_line(name, line, "a property that is not understood");
  if (count && (*count == Scalar::Float32 || *count == Scalar::Float64)) {
    fail_at_line(name, line, "a list must be counted by whole numbers");
  }
  return {std::string(words.back()), *type, count};
}

Encoding parse_encoding(const std::vector<std::string_view>& words, const std::string& name, std::size_t line) {
  const std::string_view word = words.size() > 1 ? words[1] : "";
  if (word == "ascii") return Encoding::Ascii;
  if (word == "binary_little_endian") return Encoding::Little;
  if (word == "binary_big_endian") return Encoding::Big;
  fail_at_line(name, line, "unknown PLY format " + in_quotes(word));
}

Header read_header(std::string_view bytes, const std::string& name) {
  Header header;
  while (header.end < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', header.end), bytes.size());
    const auto words = split_blanks(bytes.substr(header.end, end - header.end));
    header.end = std::min(end + 1, bytes.size());
    const std::size_t line = ++header.lines;
    if (line == 1 && (words.size() != 1 || words[0] != "ply")) {
      fail_at_line(name, line, "a PLY file must begin with a line that reads 'ply'");
    }
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info" || words[0] == "ply") continue;
    if (words[0] == "end_header") return header;
    if (words[0] == "format") {
      header.encoding = parse_encoding(words, name, line);
    } else if (words[0] == "element") {
      const auto count = words.size() == 3 ? parse_integer(words[2]) : std::nullopt;
      if (!count || *count < 0) fail_at_line(name, line, "'element' needs a name and a count");
      header.elements.push_back({std::string(words[1]), static_cast<std::uint64_t>(*count), {}});
    } else if (words[0] == "property" && !header.elements.empty()) {
      header.elements.back().properties.push_back(parse_property(words, name, line));
    } else {
      fail_at_line(name, line, in_quotes(words[0]) + " is not understood in a PLY header");
    }
  }
  throw InputError(name + ": the PLY header has no end_header; the file is cut short");
}

// The numbers of the data part, one after another.
class PlyNumbers {
 public:
  using Parse = std::optional<double>(std::string_view word);

  PlyNumbers(std::string_view bytes, const Header& header, const std::string& name, Parse* parse)
      : bytes_(bytes), at_(header.end), encoding_(header.encoding), name_(name), parse_(parse) {}

  std::size_t left() const { return bytes_.size() - at_; }

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_ + ": at byte " + std::to_string(at_) + ": " + message);
  }

  double next(Scalar type) { return encoding_ == Encoding::Ascii ? next_word() : next_binary(type); }

  /// Fails when there are more data than the header states. A rest too short for a face may be padding.
  void require_end() const {
    const bool blank = bytes_.find_first_not_of(" \t\r\n\f\v", at_) == std::string_view::npos;
    if (!blank && (encoding_ == Encoding::Ascii || left() >= 4)) {
      fail("the header promises less than the file holds; export the mesh again");
    }
  }

  std::uint64_t next_count(Scalar type) {
    const double value = next(type);
    if (!(value >= 0.0) || value > static_cast<double>(left())) fail("a list longer than the file");
    return static_cast<std::uint64_t>(value);
  }

 private:
  double next_word() {
    const char* blanks = " \t\r\n\f\v";
    at_ = std::min(bytes_.find_first_not_of(blanks, at_), bytes_.size());
    const std::size_t end = std::min(bytes_.find_first_of(blanks, at_), bytes_.size());
    const std::string_view word = bytes_.substr(at_, end - at_);
    if (word.empty()) fail("the file is cut short");
    const auto value = parse_(word);
    if (!value) fail(in_quotes(word) + " is not a finite number");
    at_ = end;
    return *value;
  }

  double next_binary(Scalar type) {
    const std::size_t size = bytes_of(type);
    if (left() < size) fail("the file is cut short");
    char raw[8];
    std::memcpy(raw, bytes_.data() + at_, size);
    at_ += size;
    static_assert(std::endian::native == std::endian::little);
    if (encoding_ == Encoding::Big) std::reverse(raw, raw + size);
    switch (type) {
      case Scalar::Int8: return convert<std::int8_t>(raw);
      case Scalar::Uint8: return convert<std::uint8_t>(raw);
      case Scalar::Int16: return convert<std::int16_t>(raw);
      case Scalar::Uint16: return convert<std::uint16_t>(raw);
      case Scalar::Int32: return convert<std::int32_t>(raw);
      case Scalar::Uint32: return convert<std::uint32_t>(raw);
      case Scalar::Float32: return convert<float>(raw);
      case Scalar::Float64: return convert<double>(raw);
    }
    return 0.0;
  }

  template <class T>
  static double convert(const char* raw) {
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return static_cast<double>(value);
  }

  std::string_view bytes_;
  std::size_t at_;
  Encoding encoding_;
  const std::string& name_;
  Parse* parse_;  ///< Of words.
};

std::vector<Eigen::Vector3d> read_vertices(const Element& element, PlyNumbers& numbers) {
  std::array<bool, 3> present = {false, false, false};
  for (const Property& p : element.properties) {
    for (int k = 0; k < 3; ++k)
      present[static_cast<std::size_t>(k)] |= p.name == std::string(1, "xyz"[k]) && !p.list_count;
  }
  if (!(present[0] && present[1] && present[2])) numbers.fail("the vertices have no x, y and z");
  std::vector<Eigen::Vector3d> vertices;
  vertices.reserve(element.count);
  for (std::uint64_t i = 0; i < element.count; ++i) {
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    for (const Property& p : element.properties) {
      for (std::uint64_t skip = p.list_count ? numbers.next_count(*p.list_count) : 0; skip > 0; --skip)
        numbers.next(p.type);
      if (p.list_count) continue;
      const double value = numbers.next(p.type);
      for (int k = 0; k < 3; ++k) {
        if (p.name == std::string_view("xyz").substr(static_cast<std::size_t>(k), 1)) v[k] = value;
      }
    }
    vertices.push_back(v);
  }
  return vertices;
}

std::vector<int> read_corners(const Property& property, std::size_t vertices, PlyNumbers& numbers) {
  std::vector<int> corners;
  for (std::uint64_t left = numbers.next_count(*property.list_count); left > 0; --left) {
    const double index = numbers.next(property.type);
    if (!(index >= 0.0) || !(index < static_cast<double>(vertices)) || index != std::floor(index)) {
      numbers.fail("a corner " + format_number(index) + " that is not the number of one of the " +
                   std::to_string(vertices) + " vertices");
    }
    corners.push_back(static_cast<int>(index));
  }
  return corners;
}

void read_faces(TriangleMesh& mesh, const Element& element, PlyNumbers& numbers) {
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (const Property& p : element.properties) {
      const bool is_face = p.list_count && (p.name == "vertex_indices" || p.name == "vertex_index");
      if (is_face) {
        append_polygon(mesh, read_corners(p, mesh.vertices.size(), numbers));
        continue;
      }
      for (std::uint64_t left = p.list_count ? numbers.next_count(*p.list_count) : 1; left > 0; --left)
        numbers.next(p.type);
    }
  }
}

void skip_element(const Element& element, PlyNumbers& numbers) {
  for (std::uint64_t i = 0; i < element.count && !element.properties.empty(); ++i) {
    for (const Property& p : element.properties) {
      for (std::uint64_t left = p.list_count ? numbers.next_count(*p.list_count) : 1; left > 0; --left)
        numbers.next(p.type);
    }
  }
}

void require_room(const Element& element, const Header& header, const PlyNumbers& numbers) {
  if (!element.properties.empty() && element.count > numbers.left() / least_bytes(element, header.encoding)) {
    numbers.fail("the header promises " + std::to_string(element.count) + " of '" + element.name +
                 "', more than the file can hold: it is cut short or corrupt");
  }
}

}  // namespace

CloudPoints read_ply_points(std::string_view bytes, const std::string& name) {
  const Header header = read_header(bytes, name);
  PlyNumbers numbers(bytes, header, name, parse_coordinate);
  CloudPoints out;
  for (const Element& element : header.elements) {
    require_room(element, header, numbers);
    if (element.name == "vertex") {
      const std::vector<Eigen::Vector3d> more = read_vertices(element, numbers);
      out.points.insert(out.points.end(), more.begin(), more.end());
    } else {
      skip_element(element, numbers);
    }
  }
  numbers.require_end();
  return out;
}

TriangleMesh read_ply(std::string_view bytes, const std::string& name) {
  const Header header = read_header(bytes, name);
  PlyNumbers numbers(bytes, header, name, parse_number);
  TriangleMesh mesh;
  for (const Element& element : header.elements) {
    const bool needs_room = !element.properties.empty();
    require_room(element, header, numbers);
    if (element.name == "tristrips") numbers.fail("triangle strips are not read; export plain faces");
    if (element.name == "vertex") {
      const std::vector<Eigen::Vector3d> more = read_vertices(element, numbers);
      mesh.vertices.insert(mesh.vertices.end(), more.begin(), more.end());
    } else if (element.name == "face" && needs_room) {
      read_faces(mesh, element, numbers);
    } else {
      skip_element(element, numbers);
    }
  }
  numbers.require_end();
  if (mesh.triangles.empty() && !mesh.vertices.empty()) {
    throw InputError(name + ": holds " + std::to_string(mesh.vertices.size()) +
                     " points and no faces: a cloud. In a scene, give it as cloud: {file: ..., radius: ...}, every "
                     "point a ball of that "
                     "radius");
  }
  return mesh;
}

}  // namespace planner_ccd
