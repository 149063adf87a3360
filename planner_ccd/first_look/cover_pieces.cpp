#include "planner_ccd/first_look/cover_pieces.hpp"

#include "planner_ccd/hierarchy/primitive.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr int kMostPrimitives = 3000;  ///< Larger bodies are divided into their tree's volumes,
constexpr int kVolumes = 1500;         ///< this many of them.
constexpr int kMostPieces = 6000;
constexpr double kFinest = 0.1;  ///< Triangles are not cut below this share of the body's size.

/// Halves the longest edge of a triangle or segment until none is longer than `finest`.
void cut(const CoverPiece& piece, double finest, std::vector<CoverPiece>& out) {
  int from = 0, to = 1;
  double longest = 0.0;
  for (int i = 0; i < piece.count; ++i) {
    for (int j = i + 1; j < piece.count; ++j) {
      const double length = (piece.point[j] - piece.point[i]).norm();
      if (length > longest) longest = length, from = i, to = j;
    }
  }
  if (!(longest > finest) || out.size() >= static_cast<std::size_t>(kMostPieces)) return out.push_back(piece);
  const Vector3d middle = 0.5 * (piece.point[from] + piece.point[to]);
  CoverPiece half = piece;
  half.point[from] = middle;
  cut(half, finest, out);
  half = piece;
  half.point[to] = middle;
  cut(half, finest, out);
}

}  // namespace

bool are_primitives(const SsvTree& tree) { return tree.primitive_count() <= kMostPrimitives; }

std::vector<CoverPiece> cover_pieces(const SsvTree& tree) {
  std::vector<CoverPiece> pieces;
  if (are_primitives(tree)) {
    const double finest = kFinest * 2.0 * tree.bounding_radius();
    for (int i = 0; i < tree.primitive_count(); ++i) {
      const Primitive p = tree.primitive(i);
      if (p.kind == PrimitiveKind::Cube) {
        const Vector3d& c = p.corners[0];
        pieces.push_back({{c, c, c, c}, 1, reach_of_cube(p), false});
        continue;
      }
      CoverPiece piece{{p.corners[0], p.corners[1], p.corners[2], {}}, 3, p.radius, p.kind == PrimitiveKind::Cylinder};
      if (p.corners[1] == p.corners[2]) piece.count = p.corners[0] == p.corners[1] && !piece.cylinder ? 1 : 2;
      cut(piece, finest, pieces);
    }
    return pieces;
  }
  std::vector<int> nodes{0};
  for (std::size_t next = 0; next < nodes.size() && nodes.size() < static_cast<std::size_t>(kVolumes);) {
    const int node = nodes[next];
    if (tree.is_leaf(node)) {
      ++next;
      continue;
    }
    nodes[next] = tree.left(node);  // level by level, nearly: a child takes its parent's place
    nodes.push_back(tree.right(node));
    ++next;
    if (next == nodes.size()) next = 0;
  }
  for (const int node : nodes) {
    const Ssv v = tree.volume(node);
    CoverPiece piece{{}, v.corner_count(), v.radius, false};
    for (int i = 0; i < piece.count; ++i) piece.point[i] = v.corner(i);
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace planner_ccd
