#include "planner_ccd/cli/inspect_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/report/parts.hpp"

namespace planner_ccd::cli {
namespace {

using json = nlohmann::ordered_json;

const char* to_string(JointType type) {
  switch (type) {
    case JointType::Fixed: return "fixed";
    case JointType::Revolute: return "revolute";
    case JointType::Continuous: return "continuous";
    case JointType::Prismatic: return "prismatic";
    case JointType::Planar: return "planar";
    case JointType::Floating: return "floating";
  }
  return "unknown";
}

const char* shape_name(const Geometry& geometry) {
  static constexpr std::array<const char*, 8> kNames = {"sphere", "box",  "cylinder", "capsule",
                                                        "convex", "mesh", "cloud",    "octomap"};
  const auto* cells = std::get_if<CellsPtr>(&geometry.shape);
  return cells != nullptr && (*cells)->field() != nullptr ? "height field" : kNames[geometry.shape.index()];
}

const TriangleMesh* mesh_of(const Geometry& geometry) {
  const auto* mesh = std::get_if<MeshPtr>(&geometry.shape);
  return mesh ? mesh->get() : nullptr;
}

std::size_t triangle_count(const Link& link) {
  std::size_t count = 0;
  for (const Geometry& g : link.collision) count += mesh_of(g) ? mesh_of(g)->triangles.size() : 0;
  return count;
}

using Pair = std::pair<std::string, std::string>;

std::vector<Pair> checked_pairs(const LoadedRobot& robot) {
  std::vector<Pair> pairs;
  const auto& links = robot.model->links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (std::size_t k = i + 1; k < links.size(); ++k) {
      if (!robot.matrix.find(links[i].name, links[k].name)) pairs.emplace_back(links[i].name, links[k].name);
    }
  }
  return pairs;
}

json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

const std::string& master_name(const LoadedRobot& robot, const Joint& joint) {
  static const std::string none;
  return joint.q_index < 0 ? none : robot.model->coordinates()[static_cast<std::size_t>(joint.q_index)].name;
}

/// True if all surfaces of a link's shape enclose something.
bool is_closed(const CollisionWorld& world, const std::string& link, std::size_t shape) {
  for (const OpenBody& body : world.open_bodies()) {
    if (world.colliders()[static_cast<std::size_t>(body.collider)].name != link) continue;
    return std::find(body.geometries.begin(), body.geometries.end(), static_cast<int>(shape)) == body.geometries.end();
  }
  return true;
}

json link_json(const LoadedRobot& robot, const CollisionWorld& world, const Link& link) {
  json shapes = json::array();
  for (std::size_t i = 0; i < link.collision.size(); ++i) {
    const Geometry& g = link.collision[i];
    json shape = {{"type", shape_name(g)}, {"source", g.source}};
    if (const TriangleMesh* mesh = mesh_of(g)) {
      shape["triangles"] = mesh->triangles.size();
      shape["vertices"] = mesh->vertices.size();
      shape["closed"] = is_closed(world, link.name, i);
    }
    shapes.push_back(std::move(shape));
  }
  const json parent = link.parent_joint < 0
                          ? json(nullptr)
                          : json(robot.model->joints()[static_cast<std::size_t>(link.parent_joint)].name);
  return {{"name", link.name},
          {"body", link.body},
          {"parent_joint", parent},
          {"triangles", triangle_count(link)},
          {"collision", std::move(shapes)}};
}

json joint_json(const LoadedRobot& robot, const Joint& joint) {
  const auto link_name = [&](int i) { return robot.model->links()[static_cast<std::size_t>(i)].name; };
  json coordinates = json::array();
  for (int k = 0; k < joint.q_size; ++k) {
    coordinates.push_back(robot.model->coordinates()[static_cast<std::size_t>(joint.q_index + k)].name);
  }
  json mimic = nullptr;
  if (joint.is_mimic) {
    const std::string& master = master_name(robot, joint);
    mimic = {{"joint", master.empty() ? json(nullptr) : json(master)},
             {"multiplier", joint.multiplier},
             {"offset", joint.offset}};
  }
  return {{"name", joint.name},
          {"type", to_string(joint.type)},
          {"parent", link_name(joint.parent_link)},
          {"child", link_name(joint.child_link)},
          {"axis", {joint.axis.x(), joint.axis.y(), joint.axis.z()}},
          {"lower", finite_or_null(joint.lower)},
          {"upper", finite_or_null(joint.upper)},
          {"velocity", finite_or_null(joint.max_velocity)},
          {"mimic", std::move(mimic)},
          {"coordinates", std::move(coordinates)}};
}

// Columns padded to the widest cell.
class TextTable {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string str() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()), 0);
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i)
        line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string count_of(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string link_shapes(const Link& link) {
  std::map<std::string, int> counts;
  for (const Geometry& g : link.collision) ++counts[shape_name(g)];
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back((count > 1 ? std::to_string(count) + " " : "") + name);
  return parts.empty() ? "-" : join_names(parts);
}

std::string rounded(double value) {
  if (!std::isfinite(value)) return value < 0.0 ? "-inf" : "inf";
  return format_number(std::round(value * 1e4) / 1e4);
}

std::string links_text(const LoadedRobot& robot) {
  TextTable table;
  table.add({"link", "body", "shapes", "triangles"});
  for (const Link& link : robot.model->links()) {
    table.add({link.name, std::to_string(link.body), link_shapes(link), std::to_string(triangle_count(link))});
  }
  return "links\n" + table.str();
}

std::string joints_text(const LoadedRobot& robot) {
  TextTable table;
  table.add({"joint", "type", "limits", "velocity", "moves"});
  for (const Joint& joint : robot.model->joints()) {
    if (joint.type == JointType::Fixed) continue;
    std::string limits = "[" + rounded(joint.lower) + ", " + rounded(joint.upper) + "]";
    if (joint.is_mimic) {
      limits = "= " + rounded(joint.multiplier) + " * " + master_name(robot, joint) + " + " + rounded(joint.offset);
    }
    table.add({joint.name, to_string(joint.type), limits, rounded(joint.max_velocity),
               robot.model->links()[static_cast<std::size_t>(joint.child_link)].name});
  }
  return "joints (rad, m, per second)\n" + table.str();
}

// Pairs without geometry are many and say nothing new: they are only counted.
std::string excluded_text(const LoadedRobot& robot) {
  TextTable table;
  std::size_t without_geometry = 0;
  for (const auto& [pair, exclusion] : robot.matrix.exclusions()) {
    if (exclusion.reason == ExclusionReason::NoGeometry) {
      ++without_geometry;
    } else {
      table.add({pair.first, pair.second, planner_ccd::to_string(exclusion.reason), exclusion.detail});
    }
  }
  std::string text = "excluded pairs: " + std::to_string(robot.matrix.exclusions().size()) + "\n" + table.str();
  if (without_geometry > 0) text += "  and " + std::to_string(without_geometry) + " because a link has no geometry\n";
  return text;
}

void exclude_proved(LoadedRobot& robot, const PathChecker& checker) {
  for (const LinkPair& pair : checker.proved_apart()) {
    robot.matrix.exclude(pair.a, pair.b, ExclusionReason::ProvedApart, "for all joint values within the limits");
  }
}

json suggest_json(const SuggestReport& suggest) {
  json pairs = json::array();
  for (const PairSuggestion& pair : suggest.found.pairs) {
    pairs.push_back({{"a", pair.a},
                     {"b", pair.b},
                     {"reason", planner_ccd::to_string(pair.reason)},
                     {"contacts", pair.contacts},
                     {"proved", pair.proved}});
  }
  return {{"samples", suggest.options.samples},
          {"seed", suggest.options.seed},
          {"pairs_asked", suggest.found.pairs_asked},
          {"pairs", std::move(pairs)}};
}

std::string suggest_text(const SuggestReport& suggest) {
  std::map<std::string, int> counts;
  TextTable table;
  for (const PairSuggestion& pair : suggest.found.pairs) {
    const std::string reason = planner_ccd::to_string(pair.reason);
    ++counts[reason];
    table.add({pair.a, pair.b, reason,
               pair.proved ? "proved within the joint limits" : "in contact in " + std::to_string(pair.contacts)});
  }
  std::string text = "suggested to leave out: " + std::to_string(suggest.found.pairs.size()) + " of " +
                     std::to_string(suggest.found.pairs_asked) + " pairs, from " +
                     count_of(static_cast<std::size_t>(suggest.options.samples), "random configuration") + " (seed " +
                     std::to_string(suggest.options.seed) + ")\n" + table.str();
  for (const auto& [reason, count] : counts) text += "  " + reason + ": " + std::to_string(count) + "\n";
  text += "  what is not proved was only not seen: a rare contact may have been missed\n";
  return text;
}

}  // namespace

std::string inspect_json(LoadedRobot robot, const PathChecker& checker, const std::optional<SuggestReport>& suggest) {
  exclude_proved(robot, checker);
  json report = {{"robot", robot.model->name()},
                 {"file", robot.file},
                 {"robots", robots_json(robot.parts)},
                 {"dof", robot.model->dof()}};
  std::size_t triangles = 0;
  for (const Link& link : robot.model->links()) triangles += triangle_count(link);
  report["triangles"] = triangles;
  report["bodies"] = json::array();
  for (const Body& body : robot.model->bodies()) {
    json links = json::array();
    for (const int link : body.links) links.push_back(robot.model->links()[static_cast<std::size_t>(link)].name);
    const json joint =
        body.joint < 0 ? json(nullptr) : json(robot.model->joints()[static_cast<std::size_t>(body.joint)].name);
    report["bodies"].push_back({{"parent", body.parent < 0 ? json(nullptr) : json(body.parent)},
                                {"joint", joint},
                                {"links", std::move(links)}});
  }
  report["links"] = json::array();
  for (const Link& link : robot.model->links()) {
    report["links"].push_back(link_json(robot, parts_of(checker).world, link));
  }
  report["joints"] = json::array();
  for (const Joint& joint : robot.model->joints()) report["joints"].push_back(joint_json(robot, joint));
  report["pairs"] = json::array();
  for (const auto& [a, b] : checked_pairs(robot)) report["pairs"].push_back(json::array({a, b}));
  report["excluded"] = json::array();
  for (const auto& [pair, exclusion] : robot.matrix.exclusions()) {
    report["excluded"].push_back({{"a", pair.first},
                                  {"b", pair.second},
                                  {"reason", planner_ccd::to_string(exclusion.reason)},
                                  {"detail", exclusion.detail}});
  }
  if (suggest) report["suggested"] = suggest_json(*suggest);
  report["assumptions"] = assumptions_json(assumptions(checker, robot.assumptions));
  report["warnings"] = warnings_json(robot.warnings);
  report["inputs"] = inputs_json(robot.inputs);
  return report.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string inspect_text(LoadedRobot robot, const PathChecker& checker, const std::optional<SuggestReport>& suggest) {
  exclude_proved(robot, checker);
  const RobotModel& model = *robot.model;
  std::size_t triangles = 0;
  for (const Link& link : model.links()) triangles += triangle_count(link);
  std::string text = model.name() + ": " + count_of(static_cast<std::size_t>(model.dof()), "coordinate") + ", " +
                     std::to_string(model.bodies().size() - 1) +
                     (model.bodies().size() == 2 ? " moving body, " : " moving bodies, ") +
                     count_of(model.links().size(), "link") + ", " + count_of(triangles, "triangle") + "\n\n";
  text += links_text(robot) + "\n" + joints_text(robot) + "\n";
  const auto pairs = checked_pairs(robot);
  TextTable table;
  for (const auto& [a, b] : pairs) table.add({a, b});
  text += "checked pairs: " + std::to_string(pairs.size()) + "\n" + table.str() + "\n" + excluded_text(robot);
  if (suggest) text += "\n" + suggest_text(*suggest);
  text += "\n" + assumptions_text(assumptions(checker, robot.assumptions), false);
  if (!robot.warnings.empty()) text += "\nwarnings\n";
  for (const InputWarning& w : robot.warnings) text += "  " + std::string(to_string(w.kind)) + ": " + w.text + "\n";
  return text;
}

}  // namespace planner_ccd::cli
