#pragma once

#include <cstdint>
#include <string_view>

namespace planner_ccd {

/// How an edge is searched. All give the same verdicts; they are there to be compared.
enum class Method : std::uint8_t {
  Taylor,      ///< Two-sided Taylor advancement: the project's own, and the fastest.
  C2a,         ///< Controlled conservative advancement with the directed motion bound.
  Hca,         ///< Hierarchical conservative advancement with temporal culling and the directed motion bound.
  Catch,       ///< As Hca, with the bound of CATCH: only the first joint is projected on the direction.
  Undirected,  ///< As Hca, with the bound of Schwarzer, Saha and Latombe: lengths of trajectories.
};

inline constexpr Method kMethods[] = {Method::Taylor, Method::C2a, Method::Hca, Method::Catch, Method::Undirected};

/// "taylor", "c2a", "hca", "catch", "undirected".
const char* to_string(Method method);
/// The inverse; false when there is no such method.
bool parse_method(std::string_view name, Method& method);

}  // namespace planner_ccd
