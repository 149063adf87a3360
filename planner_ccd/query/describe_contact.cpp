#include "planner_ccd/query/describe_contact.hpp"

namespace planner_ccd {

Contact describe_contact(const CollisionWorld& world, EdgeState& edge, const SearchContact& found) {
  return describe_contact(world.problem().pairs[found.pair], world.colliders()[world.collider_a(found.pair)].name,
                          world.colliders()[world.collider_b(found.pair)].name, edge, found);
}

Contact describe_contact(const SearchPair& pair, const std::string& name_a, const std::string& name_b, EdgeState& edge,
                         const SearchContact& found) {
  const SearchProblem& problem = edge.problem();
  Contact contact;
  contact.a = name_a;
  contact.b = name_b;
  contact.t = found.t;
  contact.distance = found.distance;
  contact.margin = pair.required;
  contact.error = found.nearer + (pair.margin - pair.required);
  contact.inside = found.primitive_a < 0;
  contact.q = edge.motion().configuration(found.t);
  const Kinematics& k = edge.kinematics(found.t);
  const Eigen::Isometry3d X_WB = k.bodies[problem.chains[pair.chain].body_b].pose();
  if (contact.inside) {
    const Eigen::Isometry3d X_WA = k.bodies[problem.chains[pair.chain].body_a].pose();
    contact.point_a = X_WA * pair.tree_a->primitive(0).corners[0];
    contact.point_b = X_WB * pair.tree_b->primitive(0).corners[0];
    contact.normal = Eigen::Vector3d::UnitZ();
    return contact;
  }
  const Primitive a = pair.tree_a->primitive(found.primitive_a);
  const Primitive b = pair.tree_b->primitive(found.primitive_b);
  contact.geometry_a = a.geometry;
  contact.geometry_b = b.geometry;
  contact.triangle_a = a.triangle;
  contact.triangle_b = b.triangle;
  contact.point_a = X_WB * found.point_a;
  contact.point_b = X_WB * found.point_b;
  contact.normal = -(X_WB.linear() * found.normal);
  return contact;
}

}  // namespace planner_ccd
