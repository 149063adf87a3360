#pragma once

// ------------------------------------------------------------------------------------------------------------------------
// THE THEOREM
//
// A certificate (FORMAT.md) states: rigid bodies in a tree, each placed on its parent by a rotation, a shift and moves, whose
// values are polynomials of u in [0, 1], segment by segment; colliders, each a set of primitives on a body; pairs of colliders
// with margins. A primitive is a triangle, segment or point thickened by a ball, or a solid cylinder. All numbers of the file
// are doubles taken as the real numbers that they are; quaternions and axes are taken divided by their lengths.
//
// If this program answers "verified", then for every segment, every u in [0, 1], every pair (A, B), and all values of the moves
// that differ from the stated ones by no more than the stated tubes:
//
//   (i)  |a - b| > margin for all points a of the primitives of A and b of those of B;
//   (ii) no closed surface of A winds about any piece of B, nor of B about A. What it winds about 0 times is not inside of it: its
//        hollows, or everything where its own parts cancel;
//
// and every two colliders on different bodies are such a pair, or are listed as excluded.
//
// WHY. Fix a segment and a pair, and look at A's points from the frame of B. The proof is a tree. Its root is (all primitives
// of A) x (all primitives of B) x [0, 1]; a split divides the primitives of one body, or time, in two, and hands on both
// parts (proof.cpp, prove_pair). So the leaves below a root cover all of it, and (i) needs only:
//
// (L) A leaf (V_A, V_B, [t0, t1], n) is apart. The volumes hold the primitives: each is found to (volume.cpp). Let m be the
//     middle of [t0, t1] and h half its length; let c be a point of V_A's generator, x(s) its place in B's frame at m + s, and
//     x', x'' its exact derivatives at s = 0. By Taylor's theorem, for |s| <= h,
//         n.x(s) <= n.x + s n.x' + s^2/2 |n| B2                                                                       (a)
//         n.x(s) <= n.x + s n.x' + s^2/2 max(0, n.x'') + |s|^3/6 |n| B3                                               (b)
//     where B2, B3 bound |x''|, |x'''| on [t0, t1]. The right sides are convex in s: what they do not reach at s = -h and at
//     s = h they do not reach in between. V_A lies at every instant within r_A of the moving generator, so n.a <= n.x(s) +
//     |n| r_A for some c, and n.b >= least n.(generator of V_B) - |n| r_B. If at both ends
//         least n.b  >  greatest over c of (a), or of (b),  + |n| (r_A + r_B + margin + tube)
//     then n.(b - a) > |n| (margin + tube) all along, and |b - a| > margin + tube, for the stated motion. The tube moves no point of
//     V_A's generator in B's frame by more than `tube` (mean value theorem: sum of its half-widths times levers), and the balls about
//     these with it, so margin remains.
//
// (W) A leaf (V_A, V_B, [t0, t1]) of boxes is apart. With the world in place of B, and n one of its axes or the reverse, (a) bounds
//     how far V_A reaches along n, its balls and tube included; likewise V_B. So each stays in a box, and along one axis the
//     boxes are more than the margin apart.
//
// (M) B2, B3 and the tube come from one recursion over the moves between A and B (motion.cpp, bound), with the moves' rates bounded
//     on [t0, t1] by Taylor's formula, which is exact for polynomials. Fixed placements enlarge levers and nothing else; whatever
//     is above the common ancestor cancels.
//
// (ii) holds by (i) and continuity: a connected piece that never meets a surface keeps its winding number. It is 0 at an instant
//     at which a plane separates the whole bodies (a leaf of the roots: (L) or (W)), or else is counted along a ray from one point of
//     the piece at u = 0 (volume.cpp, outside). The surfaces said to be closed are found to be (model.cpp, require_closed).
//
// Every number computed on the way has a bound on what it differs by from the real one (near.hpp), and every comparison is made with
// what is worse for the claim.
// ------------------------------------------------------------------------------------------------------------------------

#include <iosfwd>
#include <string>
#include <vector>

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {

/// What a walk through the proofs has seen; of several files the last one's units, and all leaves, splits and rays.
struct Coverage {
  std::uint64_t first = 0, last = 0;  ///< Units [first, last) are proved; unit = segment * pairs + pair.
  std::uint64_t leaves = 0, splits = 0;
  std::uint64_t rays = 0;  ///< Points found outside of a closed body, by other means than a separating plane.
};

/// Reads the proofs to the end of the file and checks every step. Memory does not grow with what is read. Throws Refuted with
/// the place and the reason, Unreadable for what is no proof.
void check_proofs(Reader& in, Statement& statement, Coverage& coverage);

enum class Answer { Verified = 0, Refuted = 1, Unreadable = 2 };  ///< Exit codes of planner_ccd_verify.

struct Outcome {
  Answer answer = Answer::Unreadable;
  std::string reason;  ///< Empty when verified.
  Digest statement{};  ///< SHA-256 of what is stated, in canonical form (meaning.hpp), once that was read.
  std::string shown;   ///< The same in plain words, of files.
  std::uint64_t units = 0;
  Coverage coverage;
};

/// A file given to be compared with what the certificate says of its inputs: role ("robot", ...; empty: any) and path.
struct GivenFile {
  std::string role, path;
};

/// One certificate, or the parts of one: statements must be the same, and the parts together must prove every unit.
Outcome verify(const std::vector<std::string>& files, const std::vector<GivenFile>& given = {});
/// A single one that is in memory; `whole`: it has to prove every unit.
Outcome verify(std::istream& in, bool whole = true);

/// What is stated, in plain words.
std::string show(const Statement& statement);

}  // namespace pccd
