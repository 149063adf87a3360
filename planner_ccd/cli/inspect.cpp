#include <algorithm>
#include <fstream>
#include <iostream>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/inspect_log.hpp"
#include "planner_ccd/cli/inspect_report.hpp"
#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/srdf_write.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd::cli {
namespace {

std::optional<SuggestReport> suggest(const Arguments& arguments, const LoadedRobot& robot, const PathChecker& checker) {
  const auto samples = arguments.integer("suggest", 1, 100'000'000);
  const auto seed = arguments.integer("seed", 0, std::numeric_limits<long long>::max());
  if (!samples && seed) throw InputError("--seed is for the random configurations of --suggest, which is not given");
  if (!samples) return std::nullopt;
  SuggestReport report;
  report.options.samples = static_cast<int>(*samples);
  report.options.seed = static_cast<std::uint64_t>(seed.value_or(1));
  report.found = suggest_pairs(checker, report.options);
  // Pairs that the SRDF explicitly enables are not suggested.
  std::erase_if(report.found.pairs, [&](const PairSuggestion& pair) {
    return std::any_of(robot.srdf.enabled.begin(), robot.srdf.enabled.end(), [&](const SrdfPair& enabled) {
      return std::minmax(enabled.a, enabled.b) == std::minmax(pair.a, pair.b);
    });
  });
  return report;
}

/// The SRDF reason for two links of one body: a joint connects them, or they touch always or never.
std::string still_reason(const LoadedRobot& robot, const CollisionWorld& world, const std::string& a,
                         const std::string& b) {
  for (const Joint& joint : robot.model->joints()) {
    const std::string& parent = robot.model->links()[static_cast<std::size_t>(joint.parent_link)].name;
    const std::string& child = robot.model->links()[static_cast<std::size_t>(joint.child_link)].name;
    if (std::minmax(parent, child) == std::minmax(a, b)) return "Adjacent";
  }
  const auto tree = [&](const std::string& name) -> const SsvTree& {
    return *std::find_if(world.colliders().begin(), world.colliders().end(), [&](const Collider& c) {
              return c.name == name;
            })->tree;
  };
  const Eigen::Isometry3d same = Eigen::Isometry3d::Identity();
  return collide(tree(a), same, tree(b), same).collide ? "Always" : "Never";
}

/// Every excluded or suggested pair with geometry, for an SRDF that states them all for other tools as well.
std::vector<SrdfPair> disabled_pairs(const LoadedRobot& robot, const CollisionWorld& world,
                                     const std::optional<SuggestReport>& suggest) {
  std::vector<SrdfPair> pairs;
  for (const auto& [names, exclusion] : robot.matrix.exclusions()) {
    const auto& [a, b] = names;
    switch (exclusion.reason) {
      case ExclusionReason::SameBody: pairs.push_back({a, b, still_reason(robot, world, a, b)}); break;
      case ExclusionReason::Adjacent: pairs.push_back({a, b, "Adjacent"}); break;
      case ExclusionReason::User: pairs.push_back({a, b, "User"}); break;
      case ExclusionReason::Disabled:    // already in the SRDF
      case ExclusionReason::NoGeometry:  // nothing to say
      case ExclusionReason::ProvedApart:
      case ExclusionReason::Allowed:  // from scenes
      case ExclusionReason::TouchLink: break;
    }
  }
  if (suggest) {
    for (const PairSuggestion& pair : suggest->found.pairs) pairs.push_back({pair.a, pair.b, to_string(pair.reason)});
  }
  return pairs;
}

void write_srdf(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw InputError(file + ": cannot be written; check the folder and its permissions");
}

}  // namespace

int run_inspect(const Arguments& arguments) {
  const std::vector<std::string> files = arguments.all("ROBOT.urdf");
  if (files.size() == 1 && is_log(files[0])) return inspect_log(arguments, files[0]);
  LoadedRobot robot = load_robots("ROBOT.urdf", arguments);
  CheckerOptions options;
  options.cell_evaluations = cell_evaluations(arguments);
  const PathChecker checker(robot.model, {}, robot.matrix, options);
  const std::optional<SuggestReport> suggested = suggest(arguments, robot, checker);
  if (const auto file = arguments.text("write-srdf")) {
    const std::vector<std::string> given = arguments.all("srdf");
    const bool as_it_is = given.size() == 1 && split_prefix("--srdf", given[0]).prefix.empty();
    const std::string name = given.empty() ? "" : given[0];
    const std::string text = as_it_is        ? read_file(name, kMaxDescriptionBytes)
                             : given.empty() ? ""
                                             : format_srdf(robot.srdf, robot.model->name());
    write_srdf(*file, add_disabled_pairs(text, name, robot.model->name(),
                                         disabled_pairs(robot, parts_of(checker).world, suggested)));
  }
  std::cout << (arguments.has("json") ? inspect_json(std::move(robot), checker, suggested)
                                      : inspect_text(std::move(robot), checker, suggested))
            << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
