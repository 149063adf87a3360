#include "planner_ccd/validation/assumptions.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"

namespace planner_ccd {
namespace {

std::string sentence(ExclusionReason reason) {
  switch (reason) {
    case ExclusionReason::SameBody: return "parts of one rigid body are not checked against each other";
    case ExclusionReason::Adjacent: return "links that a joint holds together are not checked";
    case ExclusionReason::Disabled: return "pairs disabled by the SRDF are not checked";
    case ExclusionReason::NoGeometry: return "pairs of links without geometry are not checked";
    case ExclusionReason::User: return "pairs excluded by the program are not checked";
    case ExclusionReason::ProvedApart: return "pairs taken for proved apart are not checked";
    case ExclusionReason::Allowed: return "pairs allowed by the scene are not checked";
    case ExclusionReason::TouchLink: return "touch links of held objects are not checked against them";
  }
  return "pairs are not checked";
}

class Collector {
 public:
  explicit Collector(const PathChecker& checker) : robot_(checker.robot()), world_(parts_of(checker).world) {}

  std::vector<Assumption> collect() {
    if (world_.problem().pairs.empty()) add(AssumptionKind::NothingChecked, "no pair is checked at all");
    add_links_without_geometry();
    add_open_bodies();
    add_exclusions();
    for (const AllowedForAll& all : world_.allowed_for_all()) {
      const std::string rule = all.rule.a + " and " + all.rule.b;
      Assumption& a =
          add(AssumptionKind::AllowedForAll,
              "'allow' of " + rule + " takes out " + std::to_string(all.pairs) + (all.pairs == 1 ? " pair" : " pairs"));
      a.by = rule;
    }
    add_smaller_margins();
    add_what_stands_still();
    return std::move(all_);
  }

 private:
  const RobotModel& robot_;
  const CollisionWorld& world_;
  std::vector<Assumption> all_;

  const std::string& name_of(int collider) const { return world_.colliders()[collider].name; }

  Assumption& add(AssumptionKind kind, std::string text) {
    all_.push_back({.kind = kind, .text = std::move(text)});
    return all_.back();
  }

  void add_links_without_geometry() {
    std::vector<std::string> names;
    for (const Link& link : robot_.links()) {
      if (link.collision.empty()) names.push_back(link.name);
    }
    if (!names.empty()) add(AssumptionKind::NoGeometry, "no collision geometry, never checked").names = names;
  }

  void add_open_bodies() {
    std::vector<std::string> nowhere, partly;
    for (const OpenBody& body : world_.open_bodies()) {
      (body.has_inside ? partly : nowhere).push_back(name_of(body.collider));
    }
    if (!nowhere.empty()) {
      add(AssumptionKind::NoInside, "no inside (open meshes), what lies wholly within is not seen").names = nowhere;
    }
    if (!partly.empty()) {
      add(AssumptionKind::NoInside,
          "inside only in part (open meshes), what lies wholly within an open part is not seen")
          .names = partly;
    }
  }

  void add_exclusions() {
    std::map<ExclusionReason, std::vector<std::pair<std::string, std::string>>> by_reason;
    for (const auto& [pair, exclusion] : world_.exclusions()) {
      by_reason[exclusion.reason].emplace_back(name_of(pair.first), name_of(pair.second));
    }
    for (auto& [reason, pairs] : by_reason) {
      Assumption& a = add(AssumptionKind::Excluded, sentence(reason));
      a.by = to_string(reason);
      a.pairs = std::move(pairs);
    }
  }

  void add_smaller_margins() {
    std::vector<std::pair<std::string, std::string>> pairs;
    const SearchPairs& checked = world_.problem().pairs;
    for (int p = 0; p < static_cast<int>(checked.size()); ++p) {
      if (checked[p].required >= world_.margin_unless_told(p)) continue;
      pairs.emplace_back(name_of(world_.collider_a(p)), name_of(world_.collider_b(p)));
    }
    if (!pairs.empty()) {
      add(AssumptionKind::SmallerMargin, "pairs with a smaller margin by the scene").pairs = pairs;
    }
  }

  /// Adds links fixed to the world, if anything else is fixed too.
  void add_what_stands_still() {
    std::vector<std::string> names;
    bool others = false;
    for (const Collider& c : world_.colliders()) {
      if (c.body != 0) continue;
      if (c.is_link) names.push_back(c.name);
      others = others || !c.is_link;
    }
    if (names.empty() || !(others || names.size() > 1)) return;
    add(AssumptionKind::StandStill, "fixed to the world, not checked against what else is").names = names;
  }
};

}  // namespace

const char* to_string(AssumptionKind kind) {
  switch (kind) {
    case AssumptionKind::NothingChecked: return "nothing_checked";
    case AssumptionKind::NoGeometry: return "no_geometry";
    case AssumptionKind::NoInside: return "no_inside";
    case AssumptionKind::Excluded: return "excluded";
    case AssumptionKind::AllowedForAll: return "allowed_for_all";
    case AssumptionKind::SmallerMargin: return "smaller_margin";
    case AssumptionKind::StandStill: return "stand_still";
    case AssumptionKind::Held: return "held";
    case AssumptionKind::UnknownStart: return "unknown_start";
    case AssumptionKind::LimitsIgnored: return "limits_ignored";
    case AssumptionKind::MeshAxes: return "mesh_axes";
    case AssumptionKind::MeshUnit: return "mesh_unit";
    case AssumptionKind::MeshReader: return "mesh_reader";
    case AssumptionKind::CloudRadius: return "cloud_radius";
    case AssumptionKind::UnknownIsFree: return "unknown_is_free";
    case AssumptionKind::HeightField: return "height_field";
    case AssumptionKind::PointsDropped: return "points_dropped";
    case AssumptionKind::PoseStep: return "pose_step";
  }
  return "unknown";
}

Assumption cloud_radius(double radius, const std::string& name) {
  std::ostringstream text;
  text << "points of a cloud are balls of a radius of " << radius << " m, and between them is nothing";
  return {.kind = AssumptionKind::CloudRadius, .text = text.str(), .names = {name}};
}

Assumption unknown_is_free(const std::string& name, bool outside) {
  return {.kind = AssumptionKind::UnknownIsFree,
          .by = outside ? "region" : "",
          .text = std::string(outside ? "outside of the map's region, " : "") +
                  "where nobody has looked is taken to be free",
          .names = {name}};
}

std::vector<Assumption> height_field_means(const CellMap& map, const std::string& name) {
  const HeightField& field = *map.field();
  std::ostringstream text;
  text << "heights are solid columns, from " << field.floor << " m up to the greatest of four neighbours";
  if (map.unknown_count() > 0) text << ", where one is missing up to " << field.top << " m";
  text << ", and around them is nothing";
  std::vector<Assumption> all{{.kind = AssumptionKind::HeightField, .text = text.str(), .names = {name}}};
  if (field.left_out > 0) all.push_back(unknown_is_free(name));
  return all;
}

Assumption limits_ignored() {
  return {.kind = AssumptionKind::LimitsIgnored,
          .text = "limits of positions, velocities, accelerations and jerks are not looked at"};
}

std::string to_line(const Assumption& a, std::size_t most) {
  std::vector<std::string> names = a.names;
  for (const auto& [first, second] : a.pairs) names.push_back(first + " - " + second);
  std::string line = a.text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) line += (i == 0 ? ": " : ", ") + names[i];
  if (names.size() > most) line += most == 0 ? "" : ", ... and " + std::to_string(names.size() - most) + " more";
  return line;
}

void merge(std::vector<Assumption>& all, const std::vector<Assumption>& more) {
  for (const Assumption& a : more) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Assumption& b) {
      return b.kind == a.kind && b.by == a.by && b.text == a.text;
    });
    if (same == all.end()) {
      all.push_back(a);
      continue;
    }
    for (const std::string& name : a.names) {
      if (std::find(same->names.begin(), same->names.end(), name) == same->names.end()) same->names.push_back(name);
    }
    same->pairs.insert(same->pairs.end(), a.pairs.begin(), a.pairs.end());
  }
}

std::vector<Assumption> assumptions(const PathChecker& checker, const std::vector<Assumption>& loaded) {
  std::vector<Assumption> all = Collector(checker).collect();
  merge(all, loaded);
  return all;
}

}  // namespace planner_ccd
