#include <algorithm>
#include <array>

#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/detail/polygon.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

// Vertices, faces and lines; all groups and objects together. Points, colours and materials are ignored.
class ObjReader {
 public:
  explicit ObjReader(const std::string& name) : name_(name) {}

  void read_line(std::string_view text, std::size_t line) {
    const auto words = split_blanks(text.substr(0, text.find('#')));
    if (words.empty()) return;
    static constexpr std::array<std::string_view, 9> kElsewhere = {"surf", "curv", "curv2", "bzp", "bsp",
                                                                   "cdc",  "cdp",  "call",  "csh"};
    if (std::find(kElsewhere.begin(), kElsewhere.end(), words[0]) != kElsewhere.end()) {
      fail_at_line(name_, line,
                   in_quotes(words[0]) + ": curved surfaces and other files are not read; export triangles");
    }
    if (words[0] == "v") add_vertex(words, line);
    if (words[0] == "f" || words[0] == "fo") {
      if (words.size() < 4) fail_at_line(name_, line, "a face needs at least three corners");
      append_polygon(mesh_, read_corners(words, line));
    }
    if (words[0] == "l") {
      if (words.size() < 3) fail_at_line(name_, line, "a line needs at least two corners");
      append_polyline(mesh_, read_corners(words, line));
    }
    if (mesh_.triangles.size() > kMaxMeshElements) fail_at_line(name_, line, "too many triangles");
  }

  TriangleMesh finish() { return std::move(mesh_); }

 private:
  // `v x y z`, `v x y z w`, or `v x y z r g b`.
  void add_vertex(const std::vector<std::string_view>& words, std::size_t line) {
    if (words.size() < 4) fail_at_line(name_, line, "'v' needs three numbers");
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) p[static_cast<int>(k)] = number(words[k + 1], line);
    if (words.size() == 5) {
      const double w = number(words[4], line);
      if (w == 0.0) fail_at_line(name_, line, "a vertex with weight 0 lies at infinity");
      p /= w;
    }
    if (mesh_.vertices.size() >= kMaxMeshElements) fail_at_line(name_, line, "too many vertices");
    mesh_.vertices.push_back(p);
  }

  std::vector<int> read_corners(const std::vector<std::string_view>& words, std::size_t line) const {
    std::vector<int> corners;
    corners.reserve(words.size() - 1);
    const auto count = static_cast<long long>(mesh_.vertices.size());
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto index = parse_integer(words[i].substr(0, words[i].find('/')));
      if (!index) fail_at_line(name_, line, in_quotes(words[i]) + " is not a vertex number");
      const long long zero_based = *index < 0 ? count + *index : *index - 1;
      if (*index == 0 || zero_based < 0 || zero_based >= count) {
        fail_at_line(
            name_, line,
            "vertex " + std::to_string(*index) + " does not exist (" + std::to_string(count) + " vertices so far)");
      }
      corners.push_back(static_cast<int>(zero_based));
    }
    return corners;
  }

  double number(std::string_view text, std::size_t line) const {
    const auto value = parse_number(text);
    if (!value) fail_at_line(name_, line, in_quotes(text) + " is not a finite number");
    return *value;
  }

  const std::string& name_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_obj(std::string_view bytes, const std::string& name) {
  if (bytes.find('\0') != std::string_view::npos) throw InputError(name + ": this is a binary file, not OBJ text");
  bytes = without_mark(bytes);
  ObjReader reader(name);
  std::string joined;  // a line ending in a backslash continues on the next
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find_first_of("\n\r", begin), bytes.size());
    std::string_view text = bytes.substr(begin, end - begin);
    begin = end + (bytes.substr(end, 2) == "\r\n" ? 2 : 1);
    ++line;
    if (text.ends_with('\\')) {
      joined.append(text.substr(0, text.size() - 1)).append(" ");
      continue;
    }
    reader.read_line(joined.empty() ? text : std::string_view(joined.append(text)), line);
    joined.clear();
  }
  if (!joined.empty()) reader.read_line(joined, line);
  return reader.finish();
}

}  // namespace planner_ccd
