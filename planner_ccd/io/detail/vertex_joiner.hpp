#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// Joins corners that files repeat for every triangle that uses them. Exactly equal ones are merged, so that the surface is
/// connected.
class VertexJoiner {
 public:
  explicit VertexJoiner(TriangleMesh& mesh) : mesh_(mesh) {}

  int index_of(const Eigen::Vector3d& point) {
    const Eigen::Vector3d p = point + Eigen::Vector3d::Zero();  // -0 becomes 0
    const auto [entry, is_new] = index_.try_emplace(p, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(p);
    return entry->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Eigen::Vector3d& p) const {
      std::uint64_t hash = 0;
      for (int i = 0; i < 3; ++i) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(p[i])) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };
  struct Equal {
    bool operator()(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const {
      return std::memcmp(a.data(), b.data(), sizeof(double) * 3) == 0;
    }
  };

  TriangleMesh& mesh_;
  std::unordered_map<Eigen::Vector3d, int, Hash, Equal> index_;
};

}  // namespace planner_ccd
