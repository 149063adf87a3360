#include "planner_ccd/certificate/certificate.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <sstream>

#include "planner_ccd/certificate/detail/pair_prover.hpp"
#include "planner_ccd/certificate/verifier/meaning.hpp"
#include "planner_ccd/certificate/verifier/verify.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/sha256.hpp"
#include "planner_ccd/math/stored_versions.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

std::uint64_t number(int i) { return i < 0 ? kNone : static_cast<std::uint64_t>(i); }

void write_vector(ByteWriter& out, const Eigen::Vector3d& v) {
  for (int k = 0; k < 3; ++k) out.number(v[k]);
}
void write_quaternion(ByteWriter& out, const Eigen::Quaterniond& q) {
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) out.number(x);
}

void write_bodies(ByteWriter& out, const StatedMotion& motion) {
  out.u32(motion.bodies.size() - 1);
  for (std::size_t b = 1; b < motion.bodies.size(); ++b) {
    const StatedBody& body = motion.bodies[b];
    out.u32(number(body.parent));
    write_quaternion(out, body.turn);
    write_vector(out, body.shift);
    out.u8(body.moves.size());
    for (const StatedMove& move : body.moves) {
      out.u8(static_cast<std::uint64_t>(move.kind));
      if (move.kind == StatedMove::Kind::Turn) {
        out.u32(number(move.turn));
      } else {
        write_vector(out, move.axis);
      }
      out.u32(number(move.curve));
      out.number(move.multiplier);
      out.number(move.offset);
    }
  }
}

void write_segments(ByteWriter& out, const StatedMotion& motion) {
  out.u32(motion.segments.size());
  for (const StatedSegment& segment : motion.segments) {
    out.number(segment.begin);
    out.number(segment.end);
    for (const StatedCurve& curve : segment.curves) {
      out.u8(static_cast<std::uint64_t>(curve.value.degree));
      for (int i = 0; i <= curve.value.degree; ++i) out.number(curve.value.c[static_cast<std::size_t>(i)]);
      out.number(curve.tube);
    }
    for (const StatedTurn& turn : segment.turns) {
      write_vector(out, turn.axis);
      write_quaternion(out, turn.start);
    }
  }
}

/// The closed surfaces of a collider: a solid with its hollows where its mesh has a single solid, each shell for itself elsewhere,
/// so that a hollow then counts as filled. Corners in an order that makes windings add up.
struct ClosedSurfaces {
  std::vector<std::int32_t> group_of_shell;
  std::int32_t count = 0;

  explicit ClosedSurfaces(const PrimitiveSoup& soup) {
    std::map<std::int32_t, std::pair<int, std::int32_t>> solids;  // by source: how many, and the group of the first
    for (std::size_t i = 0; i < soup.shells.size(); ++i) {
      group_of_shell.push_back(count++);
      if (!soup.shells[i].cavity && solids[soup.shells[i].source].first++ == 0) {
        solids[soup.shells[i].source].second = group_of_shell.back();
      }
    }
    for (std::size_t i = 0; i < soup.shells.size(); ++i) {
      const auto& [solid_count, solid] = solids[soup.shells[i].source];
      if (soup.shells[i].cavity && solid_count == 1) group_of_shell[i] = solid;
    }
  }
};

/// What is stated of the colliders: their trees. The format knows no cells of a map: these are stated as boxes that hold them.
class StatedTrees {
 public:
  explicit StatedTrees(const CollisionWorld& world) {
    constexpr int kMost = 200'000;  // a certificate holds all of them, and its verifier looks at each
    for (const Collider& collider : world.colliders()) {
      const SsvTree& tree = *collider.tree;
      const Grains& grains = tree.soup().grains;
      if (grains && grains.count() > kMost) {
        throw InputError("object '" + collider.name + "': certificates take at most " + std::to_string(kMost) +
                         " points or cells, and it has " + std::to_string(grains.count()));
      }
      all_.push_back(grains && grains.cells() ? &boxes_.emplace_back(boxes(grains, collider.name)) : &tree);
    }
  }
  const std::vector<const SsvTree*>& all() const { return all_; }

 private:
  std::vector<const SsvTree*> all_;
  std::list<SsvTree> boxes_;

  static SsvTree boxes(const Grains& grains, const std::string& name) {
    const CellMap& map = *grains.cells();
    std::vector<Geometry> all;
    for (int i = 0; i < map.size(); ++i) {
      Box box{map.half_edges(i)};
      for (double& edge : box.size) edge = 2.0 * add_up(edge, map.rounding(i));
      all.push_back({box, grains.pose() * Eigen::Translation3d(map.center(i)), "cell"});
    }
    return SsvTree::build(all, name);
  }
};

void write_collider(ByteWriter& out, const Collider& collider, const PrimitiveSoup& soup) {
  out.text(collider.name);
  out.u32(number(collider.body));
  out.u8(collider.is_link ? 1 : 0);
  out.u32(soup.vertices.size() + static_cast<std::size_t>(soup.grains ? soup.count() : 0));
  for (const Eigen::Vector3d& v : soup.vertices) write_vector(out, v);
  for (int i = 0; soup.grains && i < soup.count(); ++i) write_vector(out, soup.grains[i].corners[0]);
  out.u32(soup.sources.size());
  for (std::size_t i = 0; i < soup.sources.size(); ++i) {
    const PrimitiveSource& source = soup.sources[i];
    out.u8(source.kind == PrimitiveKind::Cylinder ? 1 : 0);
    out.number(source.radius);
    out.text(source.has_triangles ? "surface" : (source.kind == PrimitiveKind::Cylinder ? "cylinder" : "round"));
  }
  const ClosedSurfaces closed(soup);
  out.u32(number(closed.count));
  out.u32(static_cast<std::size_t>(soup.count()));
  for (int i = 0; soup.grains && i < soup.count(); ++i) {
    for (int k = 0; k < 3; ++k) out.u32(number(i));
    out.u32(0);
    out.u32(number(-1));
  }
  for (const PrimitiveRecord& r : soup.primitives) {
    std::int32_t group = -1;
    bool turned = false;
    if (r.encloses()) {
      const auto shell = static_cast<std::size_t>(soup.shell(r));
      group = closed.group_of_shell[shell];
      const bool hollow_of_solid = soup.shells[shell].cavity && group != static_cast<std::int32_t>(shell);
      turned = r.turned() != hollow_of_solid;
    }
    out.u32(number(r.vertex[0]));
    out.u32(number(r.vertex[turned ? 2 : 1]));
    out.u32(number(r.vertex[turned ? 1 : 2]));
    out.u32(number(soup.source_index(r)));
    out.u32(number(group));
  }
}

void write_pairs(ByteWriter& out, const CollisionWorld& world) {
  const SearchPairs& pairs = world.problem().pairs;
  out.u32(pairs.size());
  for (int p = 0; p < static_cast<int>(pairs.size()); ++p) {
    out.u32(number(world.collider_a(p)));
    out.u32(number(world.collider_b(p)));
    out.number(pairs[static_cast<std::size_t>(p)].margin);
  }
  out.u32(world.exclusions().size());
  for (const auto& [pair, exclusion] : world.exclusions()) {
    out.u32(number(pair.first));
    out.u32(number(pair.second));
    out.text(std::string(to_string(exclusion.reason)) + (exclusion.detail.empty() ? "" : ": " + exclusion.detail));
  }
}

std::string statement(const CheckerParts& parts, const StatedMotion& motion, const StatedTrees& trees,
                      const CertificateOptions& options, const std::vector<std::string>& notes) {
  ByteWriter out;
  out.text("planner_ccd " PLANNER_CCD_VERSION);
  out.text(options.title.empty() ? "robot " + parts.robot->name() : options.title);
  out.number(parts.world.margins().outside);
  out.u32(motion.curves.size());
  for (const StatedLimit& limit : motion.curves) {
    out.text(limit.name);
    out.number(limit.lower);
    out.number(limit.upper);
  }
  out.u32(number(motion.turns));
  write_bodies(out, motion);
  out.u32(parts.world.colliders().size());
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    write_collider(out, parts.world.colliders()[i], trees.all()[i]->soup());
  }
  write_pairs(out, parts.world);
  out.u32(notes.size());
  for (const std::string& note : notes) out.text(note);
  out.u32(options.inputs.size());
  for (const InputFile& input : options.inputs) {
    out.text(input.role);
    out.text(std::filesystem::path(input.path).filename().string());  // where it lay is nobody's business
    out.u64(input.size);
    out.bytes.append(input.sha256.begin(), input.sha256.end());
  }
  write_segments(out, motion);
  return std::move(out.bytes);
}

std::vector<std::string> notes_of(const PathChecker& checker, const CertificateOptions& options) {
  if (!options.notes.empty()) return options.notes;
  std::vector<std::string> notes;
  for (const Assumption& a : assumptions(checker)) notes.push_back(certificate_note(a));
  return notes;
}

/// Segments [first, last) of a motion that are to be proved free.
struct ProofRequest {
  const CollisionWorld& world;
  const StatedMotion& motion;
  int first, last;
  std::int64_t max_steps;  ///< As in CertificateOptions.
};

struct SegmentProofs {
  std::string obstacle;  ///< Why there are none; else empty.
  ByteWriter bytes;
  std::int64_t leaves = 0, splits = 0;
};

/// `volumes`: one for each collider; nodes that proofs need are opened in them.
SegmentProofs prove_segments(const ProofRequest& request, std::vector<VolumeTree>& volumes) {
  SegmentProofs out;
  const CollisionWorld& world = request.world;
  StatedKinematics kinematics(request.motion);
  PairProver prover(kinematics, out.bytes);
  for (int i = request.first; i < request.last; ++i) {
    prover.set_segment(i);
    for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
      const SearchPair& pair = world.problem().pairs[static_cast<std::size_t>(p)];
      const PairChain& chain = world.problem().chains[static_cast<std::size_t>(pair.chain)];
      const auto a = static_cast<std::size_t>(world.collider_a(p)), b = static_cast<std::size_t>(world.collider_b(p));
      const ProvedSide side_a{world.collider_a(p), chain.body_a, &volumes[a]};
      const ProvedSide side_b{world.collider_b(p), chain.body_b, &volumes[b]};
      const std::string why = prover.prove(side_a, side_b, pair.margin, request.max_steps);
      if (why.empty()) continue;
      out.obstacle = world.colliders()[a].name + " and " + world.colliders()[b].name + " in segment " +
                     std::to_string(i) + ": " + why;
      return out;
    }
  }
  out.leaves = prover.leaves;
  out.splits = prover.splits;
  return out;
}

/// The file's head, and the statement.
std::string head_and(const std::string& stated) {
  ByteWriter out;
  out.bytes = "PCCDCERT";
  out.u32(stored::kCertificates);
  const Sha256::Digest digest = Sha256::of(stated.data(), stated.size());
  out.bytes.append(digest.begin(), digest.end());
  return out.bytes + stated;
}

/// Throws InputError for what no statement can say.
void require_statable(const PathChecker& checker, const Trajectory& trajectory) {
  require_clock(checker.robot(), trajectory);
  require_carried(snapshot_of(checker).left_behind());
  if (trajectory.segments.empty()) throw InputError("the trajectory has no segments");
  for (const Collider& c : parts_of(checker).world.colliders()) {
    if (c.displaced > 0.0) {
      throw InputError("a certificate knows no errors of poses, and '" + c.name +
                       "' has one; leave out its pose_error, or give a greater margin instead");
    }
  }
}

}  // namespace

std::string certificate_note(Assumption a) {
  constexpr std::size_t kNames = 50;  // pairs that are not checked have entries of their own
  switch (a.kind) {
    case AssumptionKind::MeshAxes:
    case AssumptionKind::MeshUnit:
    case AssumptionKind::MeshReader:
    case AssumptionKind::CloudRadius:
    case AssumptionKind::UnknownIsFree:
    case AssumptionKind::HeightField:
      for (std::string& name : a.names) name = std::filesystem::path(name).filename().string();
      break;
    default: break;
  }
  return to_line(a, kNames);
}

std::string statement_sha256(const PathChecker& checker, const Trajectory& trajectory) {
  const CheckerParts& parts = parts_of(checker);
  require_statable(checker, trajectory);
  const std::string stated = statement(parts, state_motion(*parts.robot, trajectory), StatedTrees(parts.world), {}, {});
  std::istringstream in(head_and(stated));
  return pccd::to_hex(pccd::meaning_of(in, Sha256::of(stated.data(), stated.size())));
}

CertificateResult make_certificate(const PathChecker& checker, const Trajectory& trajectory,
                                   const CertificateOptions& options) {
  const CheckerParts& parts = parts_of(checker);
  require_statable(checker, trajectory);
  const auto count = static_cast<int>(trajectory.segments.size());
  const int first = options.first_segment, last = options.last_segment < 0 ? count : options.last_segment;
  if (first < 0 || first > last || last > count) throw InputError("the trajectory has no such segments");
  if (options.max_steps <= 0) throw InputError("max_steps must be > 0");
  if (parts.world.problem().pairs.empty()) {
    CertificateResult nothing;
    nothing.obstacle = "no pair of bodies is checked, so there is nothing to prove";
    return nothing;
  }
  const StatedMotion motion = state_motion(*parts.robot, trajectory);
  std::vector<VolumeTree> volumes;
  const StatedTrees trees(parts.world);
  for (const SsvTree* tree : trees.all()) volumes.emplace_back(*tree);

  const SegmentProofs proofs = prove_segments({parts.world, motion, first, last, options.max_steps}, volumes);
  CertificateResult result;
  result.obstacle = proofs.obstacle;
  if (!result.obstacle.empty()) return result;
  result.leaves = proofs.leaves;
  result.splits = proofs.splits;

  const std::string stated = statement(parts, motion, trees, options, notes_of(checker, options));
  ByteWriter out;
  out.bytes = head_and(stated);
  for (const VolumeTree& tree : volumes) tree.write(out);
  const std::uint64_t pairs = parts.world.problem().pairs.size();
  out.u64(static_cast<std::uint64_t>(first) * pairs);
  out.u64(static_cast<std::uint64_t>(last) * pairs);
  out.bytes += proofs.bytes.bytes;

  std::istringstream in(out.bytes);
  const pccd::Outcome checked = pccd::verify(in, first == 0 && last == count);
  if (checked.answer != pccd::Answer::Verified) {
    result.obstacle = checked.reason;
    return result;
  }
  result.proved = true;
  result.bytes = std::move(out.bytes);
  result.size = static_cast<std::int64_t>(result.bytes.size());
  result.sha256 = to_hex(Sha256::of(result.bytes.data(), result.bytes.size()));
  result.statement_sha256 = pccd::to_hex(checked.statement);
  return result;
}

CertificateResult certify(const PathChecker& checker, const Trajectory& trajectory, const std::string& file,
                          const CertificateOptions& options) {
  CertificateResult result = make_certificate(checker, trajectory, options);
  if (!result.proved) return result;
  std::ofstream out(file, std::ios::binary);
  out.write(result.bytes.data(), static_cast<std::streamsize>(result.bytes.size()));
  out.close();
  if (!out) throw InputError(file + ": cannot be written; check the folder and its permissions");
  result.bytes = {};
  return result;
}

Verification verify_certificate(const std::vector<std::string>& files, const std::vector<std::string>& inputs) {
  std::vector<pccd::GivenFile> given;
  for (const std::string& input : inputs) given.push_back({"", input});
  const pccd::Outcome outcome = pccd::verify(files, given);
  Verification out;
  out.verified = outcome.answer == pccd::Answer::Verified;
  out.readable = outcome.answer != pccd::Answer::Unreadable;
  out.reason = outcome.reason;
  out.leaves = static_cast<std::int64_t>(outcome.coverage.leaves);
  if (!out.readable) return out;
  if (out.verified) out.statement_sha256 = pccd::to_hex(outcome.statement);
  out.statement = outcome.shown;
  return out;
}

}  // namespace planner_ccd
