#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/vertex_joiner.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

constexpr std::size_t kHeaderBytes = 84;    // 80 of comment, 4 of count
constexpr std::size_t kTriangleBytes = 50;  // normal, three corners, two unused bytes

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

// Empty when the bytes are too few to hold a header.
std::optional<std::uint64_t> binary_triangle_count(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof(count));
  return count;
}

std::uint64_t binary_size(std::uint64_t triangles) { return kHeaderBytes + triangles * kTriangleBytes; }

// A binary file may begin with "solid" too. If the size matches the count the file is binary; else that word decides.
bool is_ascii(std::string_view bytes) {
  const auto count = binary_triangle_count(bytes);
  if (count && binary_size(*count) == bytes.size()) return false;
  if (!to_lower(trim(bytes.substr(0, 256))).starts_with("solid")) return false;
  const std::string start = to_lower(bytes.substr(0, 4096));
  return start.find('\0') == std::string::npos &&
         (start.find("facet") != std::string::npos || start.find("endsolid") != std::string::npos);
}

TriangleMesh read_binary(std::string_view bytes, const std::string& name) {
  const auto count = binary_triangle_count(bytes);
  if (!count) throw InputError(name + ": neither text nor binary STL (too short for a header); export the mesh again");
  if (binary_size(*count) > bytes.size()) {
    throw InputError(name + ": the STL header promises " + std::to_string(*count) + " triangles (" +
                     std::to_string(binary_size(*count)) + " bytes), but the file has " + std::to_string(bytes.size()) +
                     " bytes: it is cut short or not an STL file; export the mesh again");
  }
  if (binary_size(*count) + kTriangleBytes <= bytes.size()) {
    throw InputError(name + ": the STL header promises " + std::to_string(*count) + " triangles, but after them " +
                     std::to_string(bytes.size() - binary_size(*count)) +
                     " bytes follow, room for more: which are meant? Export the mesh again");
  }
  if (*count > kMaxMeshElements) throw InputError(name + ": " + std::to_string(*count) + " triangles are too many");
  TriangleMesh mesh;
  VertexJoiner joiner(mesh);
  mesh.triangles.reserve(*count);
  for (std::uint64_t i = 0; i < *count; ++i) {
    float corner[9];
    std::memcpy(corner, bytes.data() + kHeaderBytes + i * kTriangleBytes + 12, sizeof(corner));
    Eigen::Vector3i triangle;
    for (int k = 0; k < 3; ++k) {
      triangle[k] = joiner.index_of(Eigen::Vector3d(corner[3 * k], corner[3 * k + 1], corner[3 * k + 2]));
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

// Only `vertex` and `endloop` have meaning; the other known words frame them, and a solid's name may be anything.
class AsciiReader {
 public:
  explicit AsciiReader(const std::string& name) : name_(name), joiner_(mesh_) {}

  void read_line(std::string_view text, std::size_t line) {
    const auto words = split_blanks(text);
    for (std::size_t i = 0; i < words.size();) {
      const std::string word = to_lower(words[i]);
      if (word == "solid" || word == "endsolid") return;
      if (word == "vertex") {
        add_corner(words, i + 1, line);
        i += 4;
      } else if (word == "facet") {
        i += i + 1 < words.size() && to_lower(words[i + 1]) == "normal" ? 5 : 1;
      } else if (word == "endloop") {
        close_loop(line);
        ++i;
      } else if (word == "outer" || word == "loop" || word == "endfacet") {
        ++i;
      } else {
        fail_at_line(name_, line, in_quotes(words[i]) + " is no word of an STL file");
      }
    }
  }

  TriangleMesh finish(std::size_t line) {
    if (!corners_.empty()) fail_at_line(name_, line, "the file ends inside a loop: it is cut short");
    return std::move(mesh_);
  }

 private:
  void add_corner(const std::vector<std::string_view>& words, std::size_t first, std::size_t line) {
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto number = first + k < words.size() ? parse_number(words[first + k]) : std::nullopt;
      if (!number) fail_at_line(name_, line, "'vertex' needs three finite numbers");
      p[static_cast<int>(k)] = *number;
    }
    corners_.push_back(joiner_.index_of(p));
    if (corners_.size() > 3) fail_at_line(name_, line, "a facet with more than three corners");
  }

  void close_loop(std::size_t line) {
    if (corners_.size() != 3) fail_at_line(name_, line, "a facet with fewer than three corners");
    mesh_.triangles.emplace_back(corners_[0], corners_[1], corners_[2]);
    corners_.clear();
  }

  const std::string& name_;
  TriangleMesh mesh_;
  VertexJoiner joiner_;
  std::vector<int> corners_;
};

TriangleMesh read_ascii(std::string_view bytes, const std::string& name) {
  AsciiReader reader(name);
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find_first_of("\n\r", begin), bytes.size());
    ++line;
    reader.read_line(bytes.substr(begin, end - begin), line);
    begin = end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return reader.finish(line);
}

}  // namespace

TriangleMesh read_stl(std::string_view bytes, const std::string& name) {
  return is_ascii(bytes) ? read_ascii(bytes, name) : read_binary(bytes, name);
}

}  // namespace planner_ccd
