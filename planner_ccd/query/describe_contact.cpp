#include "planner_ccd/query/describe_contact.hpp"

#include <array>
#include <cstdio>

namespace planner_ccd {

Contact describe_contact(const CollisionWorld& world, EdgeState& edge, const SearchContact& found) {
  return describe_contact(world.problem().pairs[static_cast<std::size_t>(found.pair)],
                          world.colliders()[static_cast<std::size_t>(world.collider_a(found.pair))].name,
                          world.colliders()[static_cast<std::size_t>(world.collider_b(found.pair))].name, edge, found);
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

std::string millimetres(double metres) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g mm", 1e3 * metres);
  return text.data();
}

std::string unsettled(const std::optional<LinkPair>& pair) {
  return (pair ? pair->a + " and " + pair->b + " are" : std::string("it is")) +
         " not settled within the budget; more evaluations or a greater tolerance may settle it";
}

void describe_finding(Finding& f, double nearest, double at, double tolerance) {
  const Contact& c = *f.contact;
  const std::string asked = c.margin > 0.0 ? " (margin " + millimetres(c.margin) + ")" : "";
  if (c.inside) {
    f.message = c.a + " and " + c.b + ": one is inside the other";
  } else if (!(nearest > tolerance)) {
    f.message = c.a + " meets " + c.b + asked;
  } else {
    const bool by_errors = nearest > c.margin + tolerance;
    f.kind = FindingKind::Margin;
    f.message = c.a + " comes within " + millimetres(nearest) + " of " + c.b + asked +
                (by_errors ? ", and errors may bring them " + millimetres(c.error) + " nearer" : "");
    f.value = nearest;
    f.limit = by_errors ? c.margin + c.error : c.margin;
    f.at = at;
  }
}

}  // namespace planner_ccd
