#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/types.hpp"

namespace planner_ccd::python {

// Serialises values for pickles and comparisons. Equal contents give equal bytes, in any process: a mesh is written
// once, at its first use, however many copies there are, and nothing depends on addresses. A type's contents are listed
// once, for both directions, by
//
//     template <class A> void describe(A& a, Of<A, T>& value) { a(value.first, value.second, ...); }

static_assert(std::endian::native == std::endian::little, "archives are written in the order of the machine");

class Writer;
/// T for a reader, const T for a writer.
template <class A, class T>
using Of = std::conditional_t<std::is_same_v<A, Writer>, const T, T>;

/// Types without padding that consist of plain numbers.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::same_as<T, Eigen::Vector3d> || std::same_as<T, Eigen::Vector3i> ||
    std::same_as<T, std::array<double, 4>> || std::same_as<T, std::array<std::uint8_t, 32>>;

class Writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  template <class E>
  void choice(E value, E) {
    put(static_cast<std::uint8_t>(value));
  }
  std::string finish() { return std::move(bytes_); }

 private:
  std::string bytes_;
  std::multimap<std::pair<std::size_t, std::size_t>, std::pair<std::uint32_t, MeshPtr>> meshes_;  // by size

  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  template <Plain T>
  void put(const T& value) {
    raw(&value, sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    raw(text.data(), text.size());
  }
  void put(const JointVector& q) {
    put(static_cast<std::uint64_t>(q.size()));
    raw(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double));
  }
  void put(const Pose& pose) { raw(pose.data(), sizeof(double) * 16); }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (Plain<T>) {
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(value);
    }
  }
  template <class K, class V>
  void put(const std::map<K, V>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const auto& entry : values) put(entry);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& both) {
    put(both.first);
    put(both.second);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class... T>
  void put(const std::variant<T...>& value) {
    put(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& held) { this->put(held); }, value);
  }
  /// Writes the mesh's number; a new mesh follows it.
  void put(const MeshPtr& mesh) {
    const std::pair size{mesh->vertices.size(), mesh->triangles.size()};
    const auto [begin, end] = meshes_.equal_range(size);
    for (auto known = begin; known != end; ++known) {
      const auto& [number, other] = known->second;
      if (other == mesh || (other->triangles == mesh->triangles && same_bits(other->vertices, mesh->vertices))) {
        return put(number);
      }
    }
    const auto number = static_cast<std::uint32_t>(meshes_.size());
    meshes_.emplace(size, std::pair{number, mesh});
    put(number);
    put(mesh->vertices);
    put(mesh->triangles);
  }
  template <class T>
  void put(const T& value) {
    describe(*this, value);
  }

  /// Compares bits: 0 and -0 are equal as numbers, but different here.
  static bool same_bits(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
  }
};

/// Throws InputError for truncated or malformed bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <class E>
  void choice(E& value, E last) {
    const auto number = read<std::uint8_t>();
    if (number > static_cast<std::uint8_t>(last)) fail();
    value = static_cast<E>(number);
  }
  void finish() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] static void fail() { throw InputError("pickle: is damaged"); }

 private:
  std::string_view rest_;
  std::vector<MeshPtr> meshes_;

  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) fail();
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  template <class T>
  T read() {
    T value{};
    get(value);
    return value;
  }
  /// The number of items that take at least this many bytes each.
  std::size_t count(std::size_t bytes_each) {
    const auto number = read<std::uint64_t>();
    if (number > rest_.size() / bytes_each) fail();
    return static_cast<std::size_t>(number);
  }

  template <Plain T>
  void get(T& value) {
    raw(&value, sizeof value);
  }
  void get(bool& value) { value = read<std::uint8_t>() != 0; }
  void get(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  void get(JointVector& q) {
    q.resize(static_cast<Eigen::Index>(count(sizeof(double))));
    raw(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double));
  }
  void get(Pose& pose) { raw(pose.data(), sizeof(double) * 16); }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (Plain<T>) {
      values.resize(count(sizeof(T)));
      raw(values.data(), values.size() * sizeof(T));
    } else {
      values.resize(count(1));
      for (T& value : values) get(value);
    }
  }
  template <class K, class V>
  void get(std::map<K, V>& values) {
    for (std::size_t i = count(1); i > 0; --i) {
      std::pair<K, V> entry;
      get(entry);
      values.insert(std::move(entry));
    }
  }
  template <class A, class B>
  void get(std::pair<A, B>& both) {
    get(both.first);
    get(both.second);
  }
  template <class T>
  void get(std::optional<T>& value) {
    value.reset();
    if (read<bool>()) get(value.emplace());
  }
  template <class... T>
  void get(std::variant<T...>& value) {
    const std::size_t index = read<std::uint8_t>();
    if (index >= sizeof...(T)) fail();
    std::size_t i = 0;
    (void)((i++ == index && (get(value.template emplace<T>()), true)) || ...);
  }
  void get(MeshPtr& mesh) {
    const auto number = read<std::uint32_t>();
    if (number > meshes_.size()) fail();
    if (number == meshes_.size()) {
      auto made = std::make_shared<TriangleMesh>();
      get(made->vertices);
      get(made->triangles);
      meshes_.push_back(std::move(made));
    }
    mesh = meshes_[number];
  }
  template <class T>
  void get(T& value) {
    describe(*this, value);
  }
};

}  // namespace planner_ccd::python
