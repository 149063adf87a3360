#include <algorithm>
#include <cstring>
#include <type_traits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/stored_versions.hpp"
#include "planner_ccd/moving_pairs/robot_cells.hpp"

namespace planner_ccd {
namespace {

const std::string kVersion = "planner_ccd certified cells, " + std::to_string(stored::kCells) + "\n";
constexpr std::size_t kDigestSize = sizeof(Sha256::Digest);

/// Feeds numbers to a hash, each as its bytes.
class Hasher {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    hash_.add(&value, sizeof value);
  }
  template <class Derived>
  void add_matrix(const Eigen::MatrixBase<Derived>& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) add(static_cast<double>(m(i)));
  }
  void add_bytes(const void* data, std::size_t size) {
    add(static_cast<std::uint64_t>(size));
    hash_.add(data, size);
  }
  Sha256::Digest finish() { return hash_.finish(); }

 private:
  Sha256 hash_;
};

void add_joints(const RobotModel& robot, Hasher& hash) {
  hash.add(robot.joints().size());
  for (const Joint& joint : robot.joints()) {
    for (const int i : {joint.parent_link, joint.child_link, joint.q_index, joint.q_size}) hash.add(i);
    hash.add(joint.type);
    hash.add(joint.multiplier);
    hash.add(joint.offset);
    hash.add_matrix(Eigen::Map<const Eigen::Matrix<double, 16, 1>>(joint.X_ParentBodyJoint.matrix().data()));
    hash.add_matrix(joint.axis);
  }
  hash.add(robot.bodies().size());
  for (const Body& body : robot.bodies()) {
    hash.add(body.parent);
    hash.add(body.joint);
  }
  hash.add(robot.coordinates().size());
  for (const Coordinate& c : robot.coordinates()) {
    hash.add(c.lower);
    hash.add(c.upper);
    hash.add(c.continuous);
  }
}

void add_geometry(const Collider& collider, Hasher& hash) {
  const PrimitiveSoup& soup = collider.tree->soup();
  hash.add(collider.body);
  hash.add_bytes(collider.name.data(), collider.name.size());
  hash.add_bytes(soup.vertices.data(), soup.vertices.size() * sizeof(Eigen::Vector3d));
  hash.add_bytes(soup.primitives.data(), soup.primitives.size() * sizeof(PrimitiveRecord));
  for (int i = 0; soup.grains && i < soup.count(); ++i) {
    const Primitive p = soup.grains[i];
    for (const Eigen::Vector3d& c : p.corners) hash.add_bytes(c.data(), sizeof(c));
    hash.add(p.radius);
  }
  hash.add(soup.sources.size());
  for (const PrimitiveSource& source : soup.sources) {
    hash.add(source.begin);
    hash.add(source.kind);
    hash.add(source.open_parts);
    hash.add(source.radius);
  }
  hash.add(soup.shells.size());
  for (const SoupShell& shell : soup.shells) {
    hash.add(shell.source);
    hash.add(shell.cavity);
  }
  hash.add_bytes(soup.shell_of.data(), soup.shell_of.size() * sizeof(std::int32_t));
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Reads what put() wrote from the front of the bytes.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(&name) {}

  std::string_view take(std::size_t size) {
    if (bytes_.size() < size) fail("ends too early");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t number(int bytes) {
    const std::string_view taken = take(static_cast<std::size_t>(bytes));
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(taken[static_cast<std::size_t>(i)]);
    return value;
  }
  std::size_t left() const { return bytes_.size(); }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(*name_ + ": " + what + "; it is not used, `planner_ccd prepare` makes it again");
  }

 private:
  std::string_view bytes_;
  const std::string* name_;
};

std::string_view bytes_of(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

Sha256::Digest RobotCells::key(const CollisionWorld& world) {
  Hasher hash;
  hash.add_bytes(kVersion.data(), kVersion.size());
  add_joints(*world.problem().moves.robot, hash);
  // Total length of the offsets by which everything was placed: the proofs include pads for their rounding.
  hash.add(world.problem().moves.robot->all_offsets());
  hash.add(world.problem().extent);
  hash.add(world.colliders().size());
  for (const Collider& collider : world.colliders()) add_geometry(collider, hash);
  hash.add(world.problem().pairs.size());
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    hash.add(world.collider_a(p));
    hash.add(world.collider_b(p));
    hash.add(world.problem().pairs[p].margin);
  }
  return hash.finish();
}

/// Version, key, evaluations (8 bytes); then for each pair of the world, in order, the number of axes (1) and of nodes
/// (4), and the nodes (4 each), little endian; then the SHA-256 of all that.
std::string RobotCells::format(const CollisionWorld& world) const {
  std::string out = kVersion;
  const Sha256::Digest about = key(world);
  out += bytes_of(about);
  put(out, static_cast<std::uint64_t>(evaluations_), 8);
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    const std::shared_ptr<const PairCells> cells =
        find(world.colliders()[world.collider_a(p)].name, world.colliders()[world.collider_b(p)].name,
             world.problem().pairs[p].margin);
    const PairCells none;
    const PairCells& c = cells ? *cells : none;
    put(out, c.axes().size(), 1);
    put(out, c.nodes().size(), 4);
    for (const std::uint32_t node : c.nodes()) put(out, node, 4);
  }
  const Sha256::Digest sum = Sha256::of(out.data(), out.size());
  out += bytes_of(sum);
  return out;
}

RobotCells RobotCells::parse(std::string_view bytes, const CollisionWorld& world, const std::string& name) {
  Reader start(bytes, name);
  if (start.take(kVersion.size()) != kVersion) {
    start.fail("is no file of proofs of this version");
  }
  if (start.left() < kDigestSize) start.fail("ends too early");
  const std::string_view body = bytes.substr(0, bytes.size() - kDigestSize);
  const Sha256::Digest sum = Sha256::of(body.data(), body.size());
  if (bytes_of(sum) != bytes.substr(body.size())) {
    start.fail("is damaged: its checksum is another one");
  }
  Reader reader(body.substr(kVersion.size()), name);
  const Sha256::Digest about = key(world);
  if (reader.take(kDigestSize) != bytes_of(about)) {
    reader.fail("is about another robot, other pairs or another margin");
  }
  RobotCells out;
  const std::uint64_t evaluations = reader.number(8);
  if (evaluations > 1'000'000'000'000) reader.fail("says that it took more evaluations than anybody has");
  out.evaluations_ = static_cast<std::int64_t>(evaluations);
  const SearchProblem& problem = world.problem();
  for (int p = 0; p < static_cast<int>(problem.pairs.size()); ++p) {
    const std::string& a = world.colliders()[world.collider_a(p)].name;
    const std::string& b = world.colliders()[world.collider_b(p)].name;
    const std::uint64_t axis_count = reader.number(1), node_count = reader.number(4);
    std::vector<PairCells::Axis> axes;
    if (axis_count > 0) axes = PairCells::find_axes(problem, problem.chains[problem.pairs[p].chain]);
    if (axes.size() != axis_count || node_count > PairCells::kMaxNodes) reader.fail("is damaged");
    const std::string_view stored = reader.take(4 * static_cast<std::size_t>(node_count));
    std::vector<std::uint32_t> nodes(static_cast<std::size_t>(node_count));
    Reader in(stored, name);
    for (std::uint32_t& node : nodes) node = static_cast<std::uint32_t>(in.number(4));
    out.entries_.push_back({std::min(a, b), std::max(a, b), problem.pairs[p].margin,
                            std::make_shared<const PairCells>(std::move(axes), std::move(nodes))});
  }
  if (reader.left() > 0) reader.fail("has bytes that belong to nothing");
  out.sort();
  return out;
}

}  // namespace planner_ccd
