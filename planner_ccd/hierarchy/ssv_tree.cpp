#include "planner_ccd/hierarchy/ssv_tree.hpp"

#include "planner_ccd/hierarchy/grain_tree_builder.hpp"
#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"

namespace planner_ccd {

SsvTree SsvTree::build(const std::vector<Geometry>& geometry, const std::string& name, const SsvTreeOptions& options) {
  require_ieee_arithmetic();
  if (options.leaf_size < 0 || options.leaf_size > 64) {
    throw InputError(name + ": leaf_size must lie in 0..64, not " + std::to_string(options.leaf_size));
  }
  PrimitiveSoup soup = make_soup(geometry, name);
  SsvTree tree =
      soup.grains ? GrainTreeBuilder(std::move(soup)).build() : SsvTreeBuilder(std::move(soup), options).build();
  tree.name_ = name;
  return tree;
}

Primitive SsvTree::primitive(int i) const {
  if (soup_.grains) return soup_.grains[i];
  const PrimitiveRecord& record = soup_.primitives[i];
  const int geometry = soup_.source_index(record);
  const PrimitiveSource& source = soup_.sources[geometry];
  return {source.kind, triangle(i), source.radius, geometry,
          source.has_triangles ? record.number() - source.begin : -1};
}

int SsvTree::open_parts() const {
  int parts = 0;
  for (const PrimitiveSource& s : soup_.sources) parts += s.open_parts;
  return parts;
}

std::size_t SsvTree::memory() const {
  return sizeof(*this) + nodes_.size() * sizeof(Node) + soup_.primitives.size() * sizeof(PrimitiveRecord) +
         soup_.vertices.size() * sizeof(Eigen::Vector3d) + soup_.sources.size() * sizeof(PrimitiveSource) +
         soup_.components.size() * sizeof(SurfaceComponent) + soup_.shells.size() * sizeof(SoupShell) +
         soup_.shell_of.size() * sizeof(std::int32_t);
}

}  // namespace planner_ccd
