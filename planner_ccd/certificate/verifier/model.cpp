#include "planner_ccd/certificate/verifier/model.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <set>

namespace pccd {

Reader::Reader(std::istream& in) : in_(in) {
  in.seekg(0, std::ios::end);
  const auto size = in.tellg();
  in.seekg(0);
  if (!in || size < 0) throw Unreadable("the file cannot be read");
  left_ = static_cast<std::uint64_t>(size);
}

void Reader::bytes(void* to, std::size_t count) {
  if (count > left_) throw Unreadable("the file ends too early");
  auto* out = static_cast<char*>(to);
  for (std::size_t done = 0; done < count;) {
    if (next_ == buffer_.size()) {
      buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left_ - done, 1 << 16)));
      if (!in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size())))
        throw Unreadable("the file cannot be read");
      next_ = 0;
    }
    const std::size_t part = std::min(count - done, buffer_.size() - next_);
    std::memcpy(out + done, buffer_.data() + next_, part);
    next_ += part;
    done += part;
  }
  left_ -= count;
  if (hash != nullptr) hash->add(to, count);
}

std::uint64_t Reader::little_endian(int count) {
  std::uint8_t raw[8];
  bytes(raw, static_cast<std::size_t>(count));
  std::uint64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | raw[i];
  return value;
}

double Reader::any_limit() {
  const double x = std::bit_cast<double>(u64());
  if (std::isnan(x)) throw Unreadable("a number is none");
  return x;
}
double Reader::number(double least) {
  const double x = any_limit();
  if (!(x >= least && x <= 1e12)) throw Unreadable("a number is below " + std::to_string(least) + " or beyond 1e12");
  return x;
}
float Reader::small() {
  const auto x = std::bit_cast<float>(u32());
  if (!(std::abs(x) <= 1e12F)) throw Unreadable("a number is beyond 1e12");
  return x;
}
std::string Reader::text() {
  std::string words(u16(), ' ');
  bytes(words.data(), words.size());
  return words;
}
std::uint32_t Reader::count(std::uint64_t bytes_each) {
  const std::uint32_t n = u32();
  if (n * bytes_each > left_) throw Unreadable("a count is greater than the file");
  return n;
}
std::uint32_t Reader::index(std::size_t below, const char* of) {
  const std::uint32_t i = u32();
  if (i >= below) throw Unreadable(std::string("there is no such ") + of);
  return i;
}

namespace {

Near read_vector(Reader& in) {
  return {{in.number(), in.number(), in.number()}};  // in this order
}

/// The direction of three numbers, not all of them tiny.
Near read_direction(Reader& in) {
  const Near v = read_vector(in);
  if (!(v.length() > 1e-6) || !(v.length() < 1e6)) throw Unreadable("an axis is zero");
  return normalized(v);
}

/// The rotation of the quaternion w x y z, whatever its length: a rotation matrix exactly. An entry is rounded by less than 20 u, and the
/// matrix by less than 3 times that.
NearRotation read_rotation(Reader& in) {
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  const double squares = w * w + x * x + y * y + z * z, s = 2.0 / squares;
  if (!(squares > 1e-6) || !(squares < 1e6)) throw Unreadable("a quaternion is zero");
  NearRotation out;
  if (x == 0.0 && y == 0.0 && z == 0.0) return out;
  out.m = {{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
            {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
            {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
  out.error = 0x1p-46;
  return out;
}

Body read_body(Reader& in, std::size_t number, const Statement& s) {
  Body body;
  body.parent = in.index(number, "parent before the body");
  body.R = read_rotation(in);
  body.p = read_vector(in);
  body.distance = body.p.length();
  const int moves = in.u8();
  for (int i = 0; i < moves; ++i) {
    Move move{};
    const std::uint8_t kind = in.u8();
    if (kind > 2) throw Unreadable("a move is of no known kind");
    move.kind = static_cast<MoveKind>(kind);
    move.turn = kNone;
    if (move.kind == MoveKind::Turn) {
      move.turn = in.index(s.turns, "turn");
    } else {
      move.axis = read_direction(in);
    }
    move.curve = in.u32();
    if (move.curve != kNone && move.curve >= s.curves.size()) throw Unreadable("there is no such curve");
    move.multiplier = in.number();
    move.offset = in.number();
    body.moves.push_back(move);
  }
  return body;
}

/// Every edge of a closed surface is passed as often one way as the other: then it has a winding number about any point that is
/// not on it.
void require_closed(const Collider& c) {
  std::vector<std::pair<std::array<std::uint32_t, 3>, int>> edges;  // group, lower and higher vertex; which way
  for (const Primitive& p : c.primitives) {
    for (int k = 0; k < 3 && p.group != kNone; ++k) {
      const std::uint32_t from = p.vertex[k], to = p.vertex[(k + 1) % 3];
      if (from != to) edges.push_back({{p.group, std::min(from, to), std::max(from, to)}, from < to ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end());
  int balance = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    balance += edges[i].second;
    if (i + 1 < edges.size() && edges[i + 1].first == edges[i].first) continue;
    if (balance != 0) throw Refuted("'" + c.name + "': a surface that is said to be closed is not");
  }
}

Collider read_collider(Reader& in, const Statement& s) {
  Collider c;
  c.name = in.text();
  c.body = in.index(s.bodies.size(), "body");
  c.is_link = in.u8() != 0;
  c.vertices.resize(in.count(24));
  for (auto& v : c.vertices) {
    for (double& x : v) {
      x = in.number();
      c.farthest = std::max(c.farthest, std::abs(x));
    }
  }
  c.sources.resize(in.count(11));
  for (Source& source : c.sources) {
    source.cylinder = in.u8() != 0;
    source.radius = in.number(0.0);
    in.text();
  }
  const std::uint32_t groups = in.u32();
  c.primitives.resize(in.count(20));
  if (c.primitives.empty()) throw Unreadable("a collider has no primitives");
  if (groups > c.primitives.size()) throw Unreadable("there are more closed surfaces than primitives");
  c.groups.resize(groups);
  for (Primitive& p : c.primitives) {
    for (std::uint32_t& v : p.vertex) v = in.index(c.vertices.size(), "vertex");
    p.source = in.index(c.sources.size(), "source");
    p.group = in.u32();
    if (c.sources[p.source].cylinder && p.vertex[2] != p.vertex[1]) throw Unreadable("a cylinder has two ends");
    if (p.group == kNone) continue;
    if (p.group >= groups) throw Unreadable("there is no such surface");
    if (c.sources[p.source].cylinder || c.sources[p.source].radius != 0.0) {
      throw Unreadable("only bare triangles make a closed surface");
    }
    Surface& surface = c.groups[p.group];
    surface.triangles.push_back(static_cast<std::uint32_t>(&p - c.primitives.data()));
    for (const std::uint32_t v : p.vertex) {
      for (std::size_t k = 0; k < 3; ++k) {
        surface.lo[k] = std::min(surface.lo[k], c.vertices[v][k]);
        surface.hi[k] = std::max(surface.hi[k], c.vertices[v][k]);
      }
    }
  }
  require_closed(c);
  return c;
}

Segment read_segment(Reader& in, const Statement& s) {
  Segment segment;
  segment.begin = in.number();
  segment.end = in.number();
  for (std::size_t i = 0; i < s.curves.size(); ++i) {
    Curve curve;
    curve.degree = in.u8();
    if (curve.degree > 5) throw Unreadable("the degree of a curve is above 5");
    for (int k = 0; k <= curve.degree; ++k) curve.c[static_cast<std::size_t>(k)] = in.number();
    curve.tube = in.number(0.0);
    segment.curves.push_back(curve);
  }
  for (std::uint32_t i = 0; i < s.turns; ++i) {
    const Near axis = read_direction(in);
    segment.turns.push_back({axis, read_rotation(in)});
  }
  return segment;
}

/// There is something to prove, and each two colliders on different bodies are either proved apart or said not to be checked.
void require_all_pairs(const Statement& s) {
  if (s.pairs.empty()) throw Refuted("no pair of bodies is stated to be apart: this proves nothing");
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (const Pair& p : s.pairs) {
    if (!known.insert(std::minmax(p.a, p.b)).second) throw Refuted("a pair is there twice");
    if (s.colliders[p.a].body == s.colliders[p.b].body) throw Refuted("a pair is of one body");
  }
  for (const Pair& e : s.excluded) {
    if (!known.insert(std::minmax(e.a, e.b)).second) throw Refuted("a pair is both checked and excluded");
  }
  const auto n = static_cast<std::uint32_t>(s.colliders.size());
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a + 1; b < n; ++b) {
      if (s.colliders[a].body == s.colliders[b].body || known.count({a, b}) > 0) continue;
      throw Refuted("'" + s.colliders[a].name + "' and '" + s.colliders[b].name + "' are neither checked nor excluded");
    }
  }
}

/// The hash that the file claims the statement has.
Digest read_head(Reader& in) {
  char magic[8];
  in.bytes(magic, sizeof magic);
  if (std::memcmp(magic, "PCCDCERT", 8) != 0)
    throw Unreadable("this is no certificate: it does not begin with PCCDCERT");
  if (const std::uint32_t version = in.u32(); version != 1) {
    throw Unreadable("version " + std::to_string(version) + " of the format is not known here");
  }
  Digest claimed;
  in.bytes(claimed.data(), claimed.size());
  return claimed;
}

}  // namespace

Statement read_statement(Reader& in) {
  const Digest claimed = read_head(in);
  Sha256 hash;
  in.hash = &hash;

  Statement s;
  s.producer = in.text();
  s.title = in.text();
  s.margin = in.number(0.0);
  s.curves.resize(in.count(18));
  for (Limit& limit : s.curves) {
    limit.name = in.text();
    limit.lower = in.any_limit();
    limit.upper = in.any_limit();
  }
  s.turns = in.count(0);
  if (s.turns > 100'000) throw Unreadable("there are more than 100,000 turns");
  const std::uint32_t bodies = in.count(61);
  s.bodies.resize(1);  // the world
  for (std::uint32_t b = 0; b < bodies; ++b) s.bodies.push_back(read_body(in, s.bodies.size(), s));
  const std::uint32_t colliders = in.count(39);
  if (colliders > 20'000) throw Unreadable("there are more than 20,000 colliders");
  for (std::uint32_t i = 0; i < colliders; ++i) s.colliders.push_back(read_collider(in, s));
  s.pairs.resize(in.count(16));
  for (Pair& p : s.pairs) {
    p.a = in.index(colliders, "collider");
    p.b = in.index(colliders, "collider");
    p.margin = in.number(0.0);
  }
  s.excluded.resize(in.count(10));
  for (Pair& e : s.excluded) {
    e.a = in.index(colliders, "collider");
    e.b = in.index(colliders, "collider");
    e.reason = in.text();
  }
  s.notes.resize(in.count(2));
  for (std::string& note : s.notes) note = in.text();
  s.inputs.resize(in.count(44));
  for (InputFile& file : s.inputs) {
    file.role = in.text();
    file.name = in.text();
    file.size = in.u64();
    in.bytes(file.digest.data(), file.digest.size());
  }
  const std::uint32_t segments = in.count(16 + 17 * s.curves.size() + 56ULL * s.turns);
  for (std::uint32_t i = 0; i < segments; ++i) s.segments.push_back(read_segment(in, s));
  if (s.segments.empty()) throw Unreadable("there is no motion in it");

  in.hash = nullptr;
  s.digest = hash.finish();
  if (s.digest != claimed) throw Refuted("the statement was altered: its SHA-256 is not the one that stands before it");
  require_all_pairs(s);
  return s;
}

void read_volumes(Reader& in, Statement& statement) {
  for (Collider& c : statement.colliders) {
    for (double& x : c.center) x = in.number();
    struct Range {
      std::uint32_t first, last, parent;
      bool is_left;
    };
    std::vector<Range> open = {{0, static_cast<std::uint32_t>(c.primitives.size()), kNone, false}};
    while (!open.empty()) {  // in preorder
      const Range range = open.back();
      open.pop_back();
      Node node;
      node.first = range.first;
      node.last = range.last;
      const std::uint8_t type = in.u8();
      const int generator = type & 3;
      const bool split = (type & 4) != 0;
      if (type > 7 || type == 7) throw Unreadable("a volume is of no known kind");
      const auto self = static_cast<std::uint32_t>(c.nodes.size());
      if (range.parent != kNone) (range.is_left ? c.nodes[range.parent].left : c.nodes[range.parent].right) = self;
      if (generator == 3) {
        if (range.last - range.first != 1) throw Unreadable("a volume that is a primitive has more than one");
        node.primitive = true;
      } else {
        node.radius = in.small();
        if (node.radius < 0.0F) throw Unreadable("a radius is negative");
        for (float& x : node.base) x = in.small();
        for (int e = 0; e < generator; ++e) {
          for (float& x : node.edge[static_cast<std::size_t>(e)]) x = in.small();
        }
      }
      c.nodes.push_back(node);
      if (!split) continue;
      const std::uint32_t middle = in.u32();
      if (middle <= range.first || middle >= range.last)
        throw Unreadable("a volume is split at neither of its primitives");
      open.push_back({middle, range.last, self, false});
      open.push_back({range.first, middle, self, true});
    }
  }
}

}  // namespace pccd
