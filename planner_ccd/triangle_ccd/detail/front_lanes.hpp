#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::leaf {

/// The front (front.hpp) for many queries, several in one instruction.
///
/// Lane l of every vector belongs to query l, and performs, operation by operation, what front.hpp does for one pair:
/// IEEE additions, multiplications, divisions and square roots are the same in a lane as alone, and nothing is
/// contracted. So the proofs are those of front.hpp, and the answer does not depend on the instruction set, which is
/// chosen at run time. Between steps the remaining queries are packed together, so that no lane idles and no branch
/// needs predicting.

/// The result of step 3 for a query that the first two left open.
struct FrontAnswer {
  std::uint32_t index;  ///< In the block.
  bool apart;           ///< All of [0, t_max] is proved.
  double until;         ///< [0, until) is proved.
};

inline constexpr std::size_t kFrontBlock = 256;

/// Writes the answers of the queries, at most kFrontBlock, that steps 1 and 2 do not dismiss, in order; returns their
/// number.
std::size_t front_lanes(std::span<const VertexFaceMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers);
std::size_t front_lanes(std::span<const EdgeEdgeMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers);

/// Both motions are four points one after the other, so a query is 24 numbers.
template <class Motion>
const double* numbers(std::span<const Motion> queries) {
  static_assert(sizeof(MovingPoint) == 6 * sizeof(double) && sizeof(Motion) == 4 * sizeof(MovingPoint));
  return reinterpret_cast<const double*>(queries.data());
}

/// Instruction sets this program can use on this machine, for tests: `use_instruction_set` forces one, "" the best.
std::vector<std::string> instruction_sets();
void use_instruction_set(const std::string& name);

}  // namespace planner_ccd::leaf
#pragma GCC visibility pop
