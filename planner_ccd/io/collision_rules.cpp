#include "planner_ccd/io/collision_rules.hpp"

#include <algorithm>
#include <set>

namespace planner_ccd {
namespace {

// [m] Hinge centres closer than this are one point: a micrometre, far below the play of any joint.
constexpr double kSameCentre = 1e-6;

bool is_hinge(const Joint& joint) { return joint.type == JointType::Revolute || joint.type == JointType::Continuous; }

void exclude_still_pairs(const RobotModel& model, CollisionMatrix& matrix) {
  const auto& links = model.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (std::size_t k = i + 1; k < links.size(); ++k) {
      const bool bare_i = links[i].collision.empty(), bare_k = links[k].collision.empty();
      if (bare_i || bare_k) {
        const std::string detail = bare_i && bare_k ? "both" : links[bare_i ? i : k].name;
        matrix.exclude(links[i].name, links[k].name, ExclusionReason::NoGeometry, detail);
      } else if (links[i].body == links[k].body) {
        matrix.exclude(links[i].name, links[k].name, ExclusionReason::SameBody, "joined by fixed joints");
      }
    }
  }
}

// Walks up from a link to the nearest ancestor with geometry, as long as the joints between hold the two together.
void exclude_with_holder(const RobotModel& model, const Link& link, CollisionMatrix& matrix) {
  std::vector<const Joint*> moving;
  for (const Link* at = &link; at->parent_joint >= 0;) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(at->parent_joint)];
    if (joint.type == JointType::Planar || joint.type == JointType::Floating) return;
    if (joint.type != JointType::Fixed) {
      // The joint passed before is attached to this joint's child body: does it turn about the same point?
      const bool same_centre = moving.empty() || (is_hinge(joint) && is_hinge(*moving.back()) &&
                                                  moving.back()->X_ParentBodyJoint.translation().norm() < kSameCentre);
      if (!same_centre) return;
      moving.push_back(&joint);
    }
    at = &model.links()[static_cast<std::size_t>(joint.parent_link)];
    if (at->collision.empty()) continue;
    std::string detail = "through";
    for (auto j = moving.rbegin(); j != moving.rend(); ++j) detail += (detail == "through" ? " " : ", ") + (*j)->name;
    matrix.exclude(at->name, link.name, ExclusionReason::Adjacent, detail);
    return;
  }
}

void apply_srdf(const RobotModel& model, const Srdf& srdf, CollisionMatrix& matrix) {
  std::set<std::pair<std::string, std::string>> enabled;
  for (const SrdfPair& pair : srdf.enabled) {
    enabled.insert(std::minmax(pair.a, pair.b));
    const Exclusion* exclusion = matrix.find(pair.a, pair.b);
    if (exclusion && exclusion->reason == ExclusionReason::Adjacent) matrix.include(pair.a, pair.b);
  }
  for (const SrdfPair& pair : srdf.disabled) {
    matrix.exclude(pair.a, pair.b, ExclusionReason::Disabled, pair.reason.empty() ? "SRDF" : "SRDF: " + pair.reason);
  }
  for (const std::string& link : srdf.disabled_default) {
    for (const Link& other : model.links()) {
      if (other.name == link || enabled.count(std::minmax(link, other.name))) continue;
      matrix.exclude(link, other.name, ExclusionReason::Disabled, "SRDF: default of " + link);
    }
  }
}

}  // namespace

CollisionMatrix build_collision_matrix(const RobotModel& model, const Srdf& srdf, const CollisionRules& rules) {
  CollisionMatrix matrix;
  exclude_still_pairs(model, matrix);
  if (rules.exclude_adjacent) {
    for (const Link& link : model.links()) {
      if (!link.collision.empty()) exclude_with_holder(model, link, matrix);
    }
  }
  apply_srdf(model, srdf, matrix);
  return matrix;
}

}  // namespace planner_ccd
