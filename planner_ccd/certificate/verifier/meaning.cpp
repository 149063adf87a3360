#include "planner_ccd/certificate/verifier/meaning.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {
namespace {

std::string as_bytes(std::uint64_t x, int count) {
  std::string out;
  for (int i = 0; i < count; ++i, x >>= 8) out += static_cast<char>(x & 0xFF);
  return out;
}

/// Their number, then all.
std::string list_of(const std::vector<std::string>& items) {
  std::string out = as_bytes(items.size(), 4);
  for (const std::string& item : items) out += item;
  return out;
}
std::string sorted_list(std::vector<std::string> items) {
  std::sort(items.begin(), items.end());
  return list_of(items);
}

/// Reads the statement, and hands on its canonical bytes.
class Canonical {
 public:
  explicit Canonical(std::istream& file) : in_(file) {
    std::array<char, 44> head;
    in_.bytes(head.data(), head.size());
    in_.hash = &read_;
    out_.add("PCCDSTM1", 8);
  }

  Digest meaning(const Digest& statement) {
    text(), text();  // who wrote it, what it is of
    put(numbers(1));
    const std::uint64_t curves = each(18, [&] { put(text()), put(numbers(2)); });
    const std::uint32_t turns = index();
    each(61, [&] { body(); });
    each(39, [&] { collider(); });
    pairs(16, [&] { return numbers(1); });
    pairs(10, [&] { return text(); });
    for (std::uint32_t n = in_.count(2); n > 0; --n) text();
    for (std::uint32_t n = in_.count(44); n > 0; --n) text(), text(), numbers(5);
    each(16 + 17 * curves + 56 * std::uint64_t{turns}, [&] {
      put(numbers(2));
      for (std::uint64_t i = 0; i < curves; ++i) {
        const std::size_t degree = byte();
        put(numbers(degree + 2));
      }
      for (std::uint32_t i = 0; i < turns; ++i) put(numbers(7));
    });
    if (read_.finish() != statement) throw Unreadable("the file has changed while it was read");
    return out_.finish();
  }

 private:
  Reader in_;
  Sha256 read_, out_;
  std::vector<std::uint32_t> bodies_;  ///< By collider.

  void put(const std::string& bytes) { out_.add(bytes.data(), bytes.size()); }
  std::uint64_t each(std::uint64_t least_bytes, const std::function<void()>& read) {
    const std::uint32_t count = in_.count(least_bytes);
    put(as_bytes(count, 4));
    for (std::uint32_t i = 0; i < count; ++i) read();
    return count;
  }

  std::uint8_t byte() {
    const std::uint8_t x = in_.u8();
    return put(as_bytes(x, 1)), x;
  }
  std::uint32_t index() {
    const std::uint32_t x = in_.u32();
    return put(as_bytes(x, 4)), x;
  }
  /// -0 counts as 0.
  std::string numbers(std::size_t count) {
    static const std::string kMinusZero("\0\0\0\0\0\0\0\x80", 8);
    std::string out(8 * count, '\0');
    in_.bytes(out.data(), out.size());
    for (std::size_t i = 7; i < out.size(); i += 8) {
      if (out.compare(i - 7, 8, kMinusZero) == 0) out[i] = 0;
    }
    return out;
  }
  std::string text() {
    std::string words(in_.u16(), ' ');
    in_.bytes(words.data(), words.size());
    return as_bytes(words.size(), 2) + words;
  }

  void body() {
    index(), put(numbers(7));
    const std::uint8_t moves = byte();
    for (int i = 0; i < moves; ++i) {
      byte() == 2 ? void(index()) : put(numbers(3));
      index(), put(numbers(2));
    }
  }

  /// Kind, radius and corners of each primitive. A closed surface's triangle begins with its least corner and keeps its way round; the
  /// corners of others are sorted.
  void collider() {
    put(text());
    bodies_.push_back(index());
    byte();
    std::vector<std::string> vertices(in_.count(24)), loose, surfaces;
    for (std::string& vertex : vertices) vertex = numbers(3);
    std::vector<std::string> sources(in_.count(11));
    for (std::string& source : sources) {
      source = as_bytes(in_.u8(), 1);
      source += numbers(1);
      text();
    }
    in_.u32();  // surfaces without a triangle are none
    std::map<std::uint32_t, std::vector<std::string>> closed;
    for (std::uint32_t n = in_.count(20); n > 0; --n) {
      std::array<std::string, 3> corner;
      for (std::string& c : corner) c = vertices[in_.index(vertices.size(), "vertex")];
      const std::string& source = sources[in_.index(sources.size(), "source")];
      const std::uint32_t surface = in_.u32();
      if (surface != kNone) {
        std::rotate(corner.begin(), std::min_element(corner.begin(), corner.end()), corner.end());
      } else if (source[0] != 0) {  // a cylinder
        std::sort(corner.begin(), corner.begin() + 2);
        corner[2] = corner[1];
      } else {
        std::sort(corner.begin(), corner.end());
      }
      (surface == kNone ? loose : closed[surface]).push_back(source + corner[0] + corner[1] + corner[2]);
    }
    for (auto& [number, triangles] : closed) surfaces.push_back(sorted_list(std::move(triangles)));
    put(sorted_list(std::move(loose)) + sorted_list(std::move(surfaces)));
  }

  /// Of colliders on two bodies, the lesser number first, sorted by both.
  void pairs(std::uint64_t least_bytes, const std::function<std::string()>& rest) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> known;
    for (std::uint32_t n = in_.count(least_bytes); n > 0; --n) {
      const std::uint32_t a = in_.index(bodies_.size(), "collider"), b = in_.index(bodies_.size(), "collider");
      const std::string told = rest();
      if (bodies_[a] != bodies_[b]) known[std::minmax(a, b)] = told;
    }
    std::vector<std::string> all;
    for (const auto& [pair, told] : known) all.push_back(as_bytes(pair.first, 4) + as_bytes(pair.second, 4) + told);
    put(list_of(all));
  }
};

}  // namespace

Digest meaning_of(std::istream& file, const Digest& statement) { return Canonical(file).meaning(statement); }

}  // namespace pccd
