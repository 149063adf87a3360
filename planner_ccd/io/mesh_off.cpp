#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

// Non-empty lines, with their numbers; '#' begins a comment.
class OffLines {
 public:
  OffLines(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<std::string_view> next(const char* expected) {
    auto words = next_if_any();
    if (words.empty()) fail_at_line(name_, line_, std::string("the file ends where ") + expected + " should stand");
    return words;
  }

  /// Empty at the end.
  std::vector<std::string_view> next_if_any() {
    while (begin_ < bytes_.size()) {
      const std::size_t end = std::min(bytes_.find_first_of("\n\r", begin_), bytes_.size());
      const std::string_view text = bytes_.substr(begin_, end - begin_);
      begin_ = end + (bytes_.substr(end, 2) == "\r\n" ? 2 : 1);
      ++line_;
      auto words = split_blanks(text.substr(0, text.find('#')));
      if (!words.empty()) return words;
    }
    return {};
  }

  [[noreturn]] void fail(const std::string& message) const { fail_at_line(name_, line_, message); }

 private:
  std::string_view bytes_;
  const std::string& name_;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;
};

std::size_t parse_count(const OffLines& lines, std::string_view word, std::size_t file_bytes) {
  const auto count = parse_integer(word);
  // Every vertex and face takes at least two bytes of text.
  if (!count || *count < 0 || static_cast<unsigned long long>(*count) > file_bytes / 2 ||
      static_cast<unsigned long long>(*count) > kMaxMeshElements) {
    lines.fail(in_quotes(word) + " is not a count that this file can hold");
  }
  return static_cast<std::size_t>(*count);
}

void read_off_face(TriangleMesh& mesh, const OffLines& lines, const std::vector<std::string_view>& words) {
  const auto size = parse_integer(words[0]);
  if (!size || *size < 1 || static_cast<std::size_t>(*size) >= words.size()) {
    lines.fail("a face must begin with its number of corners");
  }
  std::vector<int> corners;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(*size); ++k) {
    const auto index = parse_integer(words[k]);
    if (!index || *index < 0 || *index >= static_cast<long long>(mesh.vertices.size())) {
      lines.fail(in_quotes(words[k]) + " is not the number of a vertex");
    }
    corners.push_back(static_cast<int>(*index));
  }
  append_polygon(mesh, std::move(corners));
}

}  // namespace

TriangleMesh read_off(std::string_view bytes, const std::string& name) {
  OffLines lines(bytes, name);
  auto words = lines.next("OFF");
  const std::string kind(words[0]);
  if (kind != "OFF" && kind != "COFF" && kind != "NOFF" && kind != "CNOFF") {
    lines.fail("an OFF file must begin with the word OFF (text form), not " + in_quotes(kind));
  }
  words.erase(words.begin());
  if (words.empty()) words = lines.next("the counts");
  if (words.size() < 2) lines.fail("the numbers of vertices and faces must stand here");
  const std::size_t vertices = parse_count(lines, words[0], bytes.size());
  const std::size_t faces = parse_count(lines, words[1], bytes.size());
  TriangleMesh mesh;
  mesh.vertices.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    words = lines.next("a vertex");
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto number = k < words.size() ? parse_number(words[k]) : std::nullopt;
      if (!number) lines.fail("a vertex needs three finite numbers");
      p[static_cast<int>(k)] = *number;
    }
    mesh.vertices.push_back(p);
  }
  for (std::size_t i = 0; i < faces; ++i) read_off_face(mesh, lines, lines.next("a face"));
  if (!lines.next_if_any().empty()) lines.fail("the counts promise less than the file holds; export the mesh again");
  return mesh;
}

}  // namespace planner_ccd
