#include "planner_ccd/certificate/verifier/model.hpp"

#include <bit>
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
  if (!in_.read(static_cast<char*>(to), static_cast<std::streamsize>(count)))
    throw Unreadable("the file cannot be read");
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

double Reader::number(double least, double most) {
  const auto x = std::bit_cast<double>(u64());
  if (!(x >= least && x <= most)) throw Unreadable("a number is beyond its limits");
  return x;
}
float Reader::small(float least) {
  const auto x = std::bit_cast<float>(u32());
  if (!(x >= least && x <= 1e12F)) throw Unreadable("a number is beyond its limits");
  return x;
}

/// In quotes. Whatever is no printable ASCII, and ' and \, as \xHH: no text ends its quotes or its line, hides, or looks like another one.
std::string Reader::text() {
  constexpr const char* kHex = "0123456789abcdef";
  std::string raw(u16(), ' '), out = "'";
  bytes(raw.data(), raw.size());
  if ((texts_ += raw.size() + 32) > 64'000'000) throw Unreadable("the texts are beyond the limit of 64 MB");
  for (const char c : raw) {
    const bool plain = c >= ' ' && c <= '~' && c != '\'' && c != '\\';
    out += plain ? std::string(1, c) : std::string{'\\', 'x', kHex[(c >> 4) & 15], kHex[c & 15]};
  }
  return out + "'";
}
std::uint32_t Reader::count(std::uint64_t bytes_each, std::uint32_t most) {
  const std::uint32_t n = u32();
  if (n * bytes_each > left_) throw Unreadable("a count is greater than the file");
  if (n > most) throw Unreadable("a count is beyond the limit of " + std::to_string(most));
  return n;
}
std::uint32_t Reader::index(std::size_t below, bool or_none) {
  const std::uint32_t i = u32();
  if (i >= below && !(or_none && i == kNone)) throw Unreadable("an index is out of range");
  return i;
}

namespace {

Near read_vector(Reader& in) {
  return {{in.number(), in.number(), in.number()}};  // in this order
}

/// The direction of three numbers, of which the greatest is neither tiny nor huge.
Near read_direction(Reader& in) {
  const Near v = read_vector(in);
  const double most = std::max({std::abs(v.x[0]), std::abs(v.x[1]), std::abs(v.x[2])});
  if (!(most >= 1e-6 && most <= 1e6)) throw Unreadable("an axis is zero, or its length beyond the limits");
  return normalized(v);
}

/// The rotation of the quaternion w x y z, whatever its length: a rotation matrix exactly. An entry is rounded by less than 20 u, and the
/// matrix by less than 3 times that.
NearRotation read_rotation(Reader& in) {
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  const double squares = w * w + x * x + y * y + z * z, s = 2.0 / squares;
  const double most = std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)});
  if (!(most >= 1e-3 && most <= 1e3)) throw Unreadable("a quaternion is zero, or its length beyond the limits");
  NearRotation out;
  if (x == 0.0 && y == 0.0 && z == 0.0) return out;
  out.m = {{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
            {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
            {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
  out.error = 0x1p-46;
  return out;
}

Body read_body(Reader& in, std::size_t number, const Statement& s) {
  Body body{in.index(number), read_rotation(in), read_vector(in), 0.0, 0, {}};
  body.distance = body.p.length();
  const int moves = in.u8();
  for (int i = 0; i < moves; ++i) {
    Move move{static_cast<MoveKind>(in.u8()), {}, kNone, 0.0, 0.0, kNone};
    if (move.kind > MoveKind::Turn) throw Unreadable("a move is of no known kind");
    if (move.kind == MoveKind::Turn)
      move.turn = in.index(s.turns);
    else
      move.axis = read_direction(in);
    move.curve = in.index(s.curves.size(), true);
    move.multiplier = in.number();
    move.offset = in.number();
    body.moves.push_back(move);
  }
  body.steps = s.bodies[body.parent].steps + 1 + body.moves.size();
  if (body.steps > 300) throw Unreadable("a body is more than 300 bodies and moves away from the world");
  return body;
}

/// Every edge of a closed surface is passed as often one way as the other: then it has a winding number about any point that is
/// not on it. None of its triangles is there twice: one given both ways would wind about nothing.
void require_closed(const Collider& c) {
  std::vector<std::pair<std::uint32_t, std::array<std::array<double, 3>, 3>>> triangles;
  for (const Primitive& p : c.primitives) {
    if (p.group == kNone) continue;
    triangles.push_back({p.group, {c.vertices[p.vertex[0]], c.vertices[p.vertex[1]], c.vertices[p.vertex[2]]}});
    std::sort(triangles.back().second.begin(), triangles.back().second.end());
  }
  std::sort(triangles.begin(), triangles.end());
  if (std::adjacent_find(triangles.begin(), triangles.end()) != triangles.end())
    throw Refuted(c.name + ": a closed surface has a triangle twice");
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
    if (balance != 0) throw Refuted(c.name + ": a surface that is said to be closed is not");
  }
}

Collider read_collider(Reader& in, const Statement& s) {
  Collider c;
  c.name = in.text();
  c.body = in.index(s.bodies.size());
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
    source = {in.u8() != 0, in.number(0.0)};
    in.text();
  }
  const std::uint32_t groups = in.u32();
  c.primitives.resize(in.count(20));
  if (c.primitives.empty()) throw Unreadable("a collider has no primitives");
  if (groups > c.primitives.size()) throw Unreadable("there are more closed surfaces than primitives");
  c.groups.resize(groups);
  for (Primitive& p : c.primitives) {
    for (std::uint32_t& v : p.vertex) v = in.index(c.vertices.size());
    p.source = in.index(c.sources.size());
    p.group = in.index(groups, true);
    if (c.sources[p.source].cylinder) {
      if (p.vertex[2] != p.vertex[1]) throw Unreadable("a cylinder has two ends");
      const auto &x = c.vertices[p.vertex[0]], &y = c.vertices[p.vertex[1]];
      const double most = std::max({std::abs(x[0] - y[0]), std::abs(x[1] - y[1]), std::abs(x[2] - y[2])});
      if (!(most > 1e-9)) throw Unreadable("a cylinder is too short to have an axis");
    }
    if (p.group == kNone) continue;
    if (c.sources[p.source].cylinder || c.sources[p.source].radius != 0.0) {
      throw Unreadable("only bare triangles make a closed surface");
    }
    Surface& surface = c.groups[p.group];
    surface.triangles.push_back(static_cast<std::uint32_t>(&p - c.primitives.data()));
    for (const std::uint32_t v : p.vertex) surface.box.add(c.vertices[v]);
  }
  require_closed(c);
  return c;
}

Segment read_segment(Reader& in, const Statement& s) {
  Segment segment{in.number(), in.number(), {}, {}};
  for (std::size_t i = 0; i < s.curves.size(); ++i) {
    Curve curve{.degree = in.u8()};
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
  const std::size_t n = s.colliders.size();
  std::vector<std::size_t> on(s.bodies.size()), met(n);  // colliders on a body; pairs that a collider is in
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  const auto add = [&](const Pair& p) {
    if (!known.insert(std::minmax(p.a, p.b)).second) throw Refuted("a pair is there twice");
    if (s.colliders[p.a].body == s.colliders[p.b].body) return false;
    ++met[p.a], ++met[p.b];
    return true;
  };
  for (const Collider& c : s.colliders) ++on[c.body];
  for (const Pair& p : s.pairs) {
    if (!add(p)) throw Refuted("a pair is of one body");
  }
  for (const Pair& e : s.excluded) add(e);
  for (std::uint32_t a = 0; a < n; ++a) {
    const Collider& c = s.colliders[a];
    for (std::uint32_t b = 0; b < n && met[a] + on[c.body] < n; ++b) {
      if (s.colliders[b].body == c.body || known.count(std::minmax(a, b)) > 0) continue;
      throw Refuted(c.name + " and " + s.colliders[b].name + " are neither checked nor excluded");
    }
  }
}

}  // namespace

Statement read_statement(Reader& in) {
  std::string magic(8, ' ');
  in.bytes(magic.data(), magic.size());
  if (magic != "PCCDCERT") throw Unreadable("this is no certificate: it does not begin with PCCDCERT");
  if (const std::uint32_t version = in.u32(); version != 1) throw Unreadable("this version of the format is unknown");
  Digest claimed;
  in.bytes(claimed.data(), claimed.size());
  Sha256 hash;
  in.hash = &hash;

  Statement s;
  s.producer = in.text();
  s.title = in.text();
  s.margin = in.number(0.0);
  s.curves.resize(in.count(18));
  for (Limit& limit : s.curves) limit = {in.text(), in.any_limit(), in.any_limit()};  // in this order
  s.turns = in.count(0, 100'000);
  const std::uint32_t bodies = in.count(61);
  s.bodies.resize(1);  // the world
  for (std::uint32_t b = 0; b < bodies; ++b) s.bodies.push_back(read_body(in, s.bodies.size(), s));
  const std::uint32_t colliders = in.count(39, 20'000);
  for (std::uint32_t i = 0; i < colliders; ++i) s.colliders.push_back(read_collider(in, s));
  s.pairs.resize(in.count(16));
  const auto collider = [&] { return in.index(colliders); };
  for (Pair& p : s.pairs) p = {collider(), collider(), in.number(0.0), {}};
  s.excluded.resize(in.count(10));
  for (Pair& e : s.excluded) e = {collider(), collider(), 0.0, in.text()};
  s.notes.resize(in.count(2));
  for (std::string& note : s.notes) note = in.text();
  s.inputs.resize(in.count(44));
  for (InputFile& file : s.inputs) {
    file = {in.text(), in.text(), in.u64(), {}};
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
      Node node{.first = range.first, .last = range.last};
      const std::uint8_t type = in.u8();
      const int generator = type & 3;
      if (type > 6) throw Unreadable("a volume is of no known kind");
      const auto self = static_cast<std::uint32_t>(c.nodes.size());
      if (range.parent != kNone) (range.is_left ? c.nodes[range.parent].left : c.nodes[range.parent].right) = self;
      if (generator == 3) {
        if (range.last - range.first != 1) throw Unreadable("a volume that is a primitive has more than one");
        node.primitive = true;
      } else {
        node.radius = in.small(0.0F);
        for (float& x : node.base) x = in.small();
        for (int e = 0; e < generator; ++e) {
          for (float& x : node.edge[static_cast<std::size_t>(e)]) x = in.small();
        }
      }
      c.nodes.push_back(node);
      if ((type & 4) == 0) continue;
      const std::uint32_t middle = in.u32();
      if (middle <= range.first || middle >= range.last) throw Unreadable("a volume is split badly");
      open.push_back({middle, range.last, self, false});
      open.push_back({range.first, middle, self, true});
    }
  }
}

}  // namespace pccd
