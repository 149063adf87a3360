#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "planner_ccd/io/detail/foreign_mesh.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::string_view kMesh = "planner_ccd mesh 2\n", kRefusal = "planner_ccd refusal 1\n";
constexpr std::size_t kMaxRefusal = 300;  // more is nothing for people
constexpr std::uint64_t kMaxNames = 1 << 20;

struct Header {
  double unit;
  std::uint64_t vertices, triangles;
  std::uint64_t flags;  // 1: has_unit, 2: own_axes
  std::uint64_t names;  // bytes of the other files' names, each of which ends with a 0
};
static_assert(sizeof(Header) == 40 && sizeof(Eigen::Vector3d) == 24 && sizeof(Eigen::Vector3i) == 12);

// Text from a file: one line without control characters.
std::string one_line(std::string_view text) {
  std::string line(text.substr(0, kMaxRefusal));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return line;
}

template <class T>
void append(std::string& bytes, const std::vector<T>& items) {
  bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
}

template <class T>
void take(std::string_view& bytes, std::size_t count, std::vector<T>& items) {
  items.resize(count);
  if (count > 0) std::memcpy(reinterpret_cast<char*>(items.data()), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
}

}  // namespace

std::string foreign_answer(const ForeignMesh& mesh) {
  std::string names;
  for (const std::string& other : mesh.others) names.append(other).push_back('\0');
  if (names.size() > kMaxNames) throw InputError("it refers to too many other files");
  const Header header{mesh.unit, mesh.mesh.vertices.size(), mesh.mesh.triangles.size(),
                      (mesh.has_unit ? 1u : 0u) | (mesh.own_axes ? 2u : 0u), names.size()};
  std::string bytes(kMesh);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  append(bytes, mesh.mesh.vertices);
  append(bytes, mesh.mesh.triangles);
  return bytes.append(names);
}

std::string foreign_refusal(std::string_view why) { return std::string(kRefusal).append(why); }

ForeignMesh read_foreign_answer(std::string_view answer, const std::string& name) {
  if (answer.starts_with(kRefusal)) throw InputError(name + ": " + one_line(answer.substr(kRefusal.size())));
  const auto damaged = [&] {
    return InputError(name + ": the answer of planner_ccd_read_mesh is not one; is it of the same version?");
  };
  Header header;
  if (!answer.starts_with(kMesh) || answer.size() < kMesh.size() + sizeof(header)) throw damaged();
  answer.remove_prefix(kMesh.size());
  std::memcpy(&header, answer.data(), sizeof(header));
  answer.remove_prefix(sizeof(header));
  const std::uint64_t most = answer.size() / sizeof(Eigen::Vector3i);  // so that the sum below cannot overflow
  if (header.vertices > most || header.triangles > most || header.flags > 3 || header.names > kMaxNames ||
      !(header.unit > 0.0) || !std::isfinite(header.unit) ||
      header.vertices * sizeof(Eigen::Vector3d) + header.triangles * sizeof(Eigen::Vector3i) + header.names !=
          answer.size() ||
      (header.names > 0 && answer.back() != '\0')) {
    throw damaged();
  }
  ForeignMesh mesh{{}, header.unit, (header.flags & 1) != 0, (header.flags & 2) != 0};
  take(answer, header.vertices, mesh.mesh.vertices);
  take(answer, header.triangles, mesh.mesh.triangles);
  while (!answer.empty()) {
    const std::size_t end = answer.find('\0');
    mesh.others.emplace_back(answer.substr(0, end));
    answer.remove_prefix(end + 1);
  }
  return mesh;
}

}  // namespace planner_ccd
