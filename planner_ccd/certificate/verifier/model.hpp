#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/certificate/verifier/near.hpp"
#include "planner_ccd/certificate/verifier/sha256.hpp"

namespace pccd {

/// The file is no certificate: damaged, cut, of another version, or of numbers beyond the limits. Exit code 2.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// What the file claims is not proved by it. Exit code 1.
struct Refuted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Numbers of a file, little endian, in the order of FORMAT.md. Throws Unreadable; counts are compared with what is left of
/// the file before any memory is asked for.
class Reader {
 public:
  explicit Reader(std::istream& in);

  std::uint64_t left() const { return left_; }  ///< [bytes]
  Sha256* hash = nullptr;                       ///< Gets all that is read, while it is set.

  void bytes(void* to, std::size_t count);
  std::uint8_t u8() { return static_cast<std::uint8_t>(little_endian(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  double number(double least = -1e12, double most = 1e12);  ///< Within these.
  double any_limit() { return number(-INFINITY, INFINITY); }
  float small(float least = -1e12F);  ///< The same, in single precision.
  std::string text();                 ///< As it may stand on a terminal.
  /// A u32 that counts things of at least so many bytes each, and at most so many.
  std::uint32_t count(std::uint64_t bytes_each, std::uint32_t most = kNone);
  std::uint32_t index(std::size_t below, bool or_none = false);

 private:
  std::istream& in_;
  std::uint64_t left_ = 0;
  std::size_t texts_ = 0;

  std::uint64_t little_endian(int bytes);
};

/// q(u) = sum c[i] u^i, u in [0, 1]; the proof holds for every function that stays within `tube` of it.
struct Curve {
  std::array<double, 6> c{};
  int degree = 0;
  double tube = 0.0;  ///< [rad] or [m]
};

/// About this axis, from this orientation.
struct Turn {
  Near axis;  ///< Unit.
  NearRotation start;
};

struct Segment {
  double begin = 0.0, end = 0.0;  ///< [s] On the path's clock; nothing of the proof depends on it.
  std::vector<Curve> curves;
  std::vector<Turn> turns;
};

enum class MoveKind : std::uint8_t { Translation = 0, Rotation = 1, Turn = 2 };

/// By value = multiplier * curve + offset: a shift along the axis, or a rotation about it.
struct Move {
  MoveKind kind;
  Near axis;            ///< Unit; of a Turn the segment's.
  std::uint32_t curve;  ///< kNone: the value is the offset.
  double multiplier, offset;
  std::uint32_t turn;
};

/// A rigid body: the parent's frame, the fixed placement, then the moves one after another.
struct Body {
  std::uint32_t parent = 0;
  NearRotation R;         ///< Of the fixed placement, and
  Near p;                 ///< its shift,
  double distance = 0.0;  ///< no longer than this. [m]
  std::size_t steps = 0;  ///< Bodies and moves from the world to here.
  std::vector<Move> moves;
};

/// A triangle whose corners are balls, or a solid cylinder from the first vertex to the second.
struct Primitive {
  std::array<std::uint32_t, 3> vertex;
  std::uint32_t source;
  std::uint32_t group;  ///< The closed surface it is part of; kNone: of none.
};

struct Source {
  bool cylinder;
  double radius;
};

/// A volume about a generator (point, segment or parallelogram) that is claimed to hold the primitives [first, last); or one
/// primitive itself.
struct Node {
  std::array<float, 3> base{};  ///< Relative to the collider's center.
  std::array<std::array<float, 3>, 2> edge{};
  float radius = 0.0F;
  std::uint32_t first = 0, last = 0;
  std::uint32_t left = kNone, right = kNone;
  bool primitive = false;
  bool checked = false;  ///< Found to hold its primitives.
  double reach = 0.0;    ///< [m] No point of the generator is farther from the body's origin. Once checked.
};

/// Holds points, or is empty.
struct Box {
  std::array<double, 3> lo{INFINITY, INFINITY, INFINITY}, hi{-INFINITY, -INFINITY, -INFINITY};
  void add(const std::array<double, 3>& point) {
    for (std::size_t k = 0; k < 3; ++k) lo[k] = std::min(lo[k], point[k]), hi[k] = std::max(hi[k], point[k]);
  }
};

/// A closed surface of a collider, and what holds its vertices.
struct Surface {
  std::vector<std::uint32_t> triangles;
  Box box;
};

struct Collider {
  std::string name;
  std::uint32_t body = 0;
  bool is_link = false;
  std::vector<std::array<double, 3>> vertices;  ///< [m] In the body's frame.
  std::vector<Source> sources;
  std::vector<Primitive> primitives;
  std::vector<Surface> groups;
  double farthest = 0.0;  ///< [m] No coordinate of a vertex is greater in magnitude.
  std::array<double, 3> center{};
  std::vector<Node> nodes;          ///< 0 is the root. A claim, no part of the statement.
  std::vector<std::uint32_t> seen;  ///< By vertex: 1 + the last node that was found to hold it. Once one was looked at.
};

/// A's motion is looked at from B.
struct Pair {
  std::uint32_t a, b;
  double margin = 0.0;  ///< [m]
  std::string reason;   ///< Of one that is not checked.
};

struct InputFile {
  std::string role, name;
  std::uint64_t size;
  Digest digest;
};

struct Limit {
  std::string name;
  double lower, upper;
};

/// What is proved, and of what.
struct Statement {
  std::string producer, title;
  double margin = 0.0;  ///< [m] Asked of every pair; each pair has the one that is proved.
  std::vector<Limit> curves;
  std::vector<Body> bodies;
  std::uint32_t turns = 0;
  std::vector<Collider> colliders;
  std::vector<Pair> pairs;
  std::vector<Pair> excluded;
  std::vector<std::string> notes;
  std::vector<InputFile> inputs;
  std::vector<Segment> segments;
  Digest digest{};   ///< Of its bytes.
  Digest meaning{};  ///< Of its canonical form (meaning.hpp).

  /// One for each segment and pair: what a proof is made of.
  std::uint64_t units() const { return static_cast<std::uint64_t>(segments.size()) * pairs.size(); }
};

/// Throws Unreadable, and Refuted where pairs are missing or surfaces said to be closed are not.
Statement read_statement(Reader& in);
/// The volumes of every collider, unchecked.
void read_volumes(Reader& in, Statement& statement);

}  // namespace pccd
