#include "planner_ccd/cli/robots.hpp"

#include <algorithm>
#include <filesystem>

#include "planner_ccd/cli/load.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/mount.hpp"

namespace planner_ccd::cli {
namespace {

using ModelPtr = std::shared_ptr<const RobotModel>;

template <class MakeSpec>
ModelPtr build_model(const std::string& file, const MakeSpec& make_spec) {
  try {
    return std::make_shared<const RobotModel>(make_spec());
  } catch (const InputError& error) {
    throw InputError(file + ": " + error.what());
  }
}

std::vector<std::string> prefixes(const std::vector<RobotPart>& parts) {
  std::vector<std::string> names;
  for (const RobotPart& part : parts) {
    if (!part.prefix.empty()) names.push_back(part.prefix);
  }
  return names;
}

void require_own_prefix(const std::string& option, const std::string& prefix, const std::vector<RobotPart>& parts) {
  for (const RobotPart& other : parts) {
    if (other.prefix != prefix) continue;
    throw InputError(option + ": " + in_quotes(prefix) + " is the prefix of " + other.file + " already");
  }
}

std::vector<RobotPart> read_parts(const std::string& name, const Arguments& arguments) {
  std::vector<RobotPart> parts;
  const std::vector<std::string> entries = arguments.all(name);
  const std::string option = name == "robot" ? "--robot" : name;
  if (entries.empty()) throw InputError(option + " is missing: the file of the robot");
  for (const std::string& entry : entries) {
    const Prefixed given = split_prefix(option, entry);
    if (entries.size() > 1 && given.prefix.empty()) {
      throw InputError(option + " " + entry +
                       ": of several robots each needs a prefix for its names; write PREFIX=" + entry);
    }
    require_own_prefix(option + " " + entry, given.prefix, parts);
    parts.push_back({given.prefix, given.value, "", Eigen::Isometry3d::Identity()});
  }
  return parts;
}

RobotPart& find_part(std::vector<RobotPart>& parts, const std::string& option, const std::string& prefix) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const RobotPart& part) { return part.prefix == prefix; });
  if (found != parts.end()) return *found;
  const std::vector<std::string> known = prefixes(parts);
  throw InputError(option + ": " +
                   (prefix.empty() ? "which robot is meant?" : in_quotes(prefix) + " is no robot's prefix") +
                   (known.empty() ? "; the only robot has none" : "; the prefixes are: " + join_names(known, 40)));
}

/// "X,Y,Z" or "X,Y,Z,ROLL,PITCH,YAW", as a URDF's <origin> has them.
Eigen::Isometry3d read_pose(const std::string& option, const std::string& text) {
  std::vector<double> v;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = parse_number(std::string_view(text).substr(begin, end - begin));
    if (!number || v.size() == 6) v.assign(7, 0.0);
    if (v.size() == 7) break;
    v.push_back(*number);
    begin = end + 1;
  }
  if (v.size() != 3 && v.size() != 6) {
    throw InputError(option + ": must end in X,Y,Z in metres, or in X,Y,Z,ROLL,PITCH,YAW with radians");
  }
  v.resize(6, 0.0);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << v[0], v[1], v[2];
  if (pose.translation().cwiseAbs().maxCoeff() > kMaxCoordinate) {
    throw InputError(option + ": lies beyond 1e7 m; check the unit");
  }
  pose.linear() =
      (Eigen::AngleAxisd(v[5], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(v[4], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(v[3], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return pose;
}

/// --base [PREFIX=]X,Y,Z[,ROLL,PITCH,YAW] of every robot that has one. True when there is any.
bool read_bases(const Arguments& arguments, std::vector<RobotPart>& parts) {
  std::vector<std::string> placed;
  for (const std::string& entry : arguments.all("base")) {
    const std::size_t equals = entry.find('=');
    const std::string prefix = equals == std::string::npos ? "" : entry.substr(0, equals);
    const std::string option = "--base " + entry;
    RobotPart& part = find_part(parts, option, prefix);
    if (!part.link.empty()) throw InputError(option + ": this tool is mounted; --mount says where");
    if (std::find(placed.begin(), placed.end(), prefix) != placed.end()) {
      throw InputError(option + ": this robot has a base already");
    }
    placed.push_back(prefix);
    part.base = read_pose(option, equals == std::string::npos ? entry : entry.substr(equals + 1));
  }
  return !placed.empty();
}

/// --mount [PREFIX=]FILE:LINK[,X,Y,Z[,ROLL,PITCH,YAW]]
void read_mounts(const Arguments& arguments, std::vector<RobotPart>& parts) {
  for (const std::string& entry : arguments.all("mount")) {
    const std::string option = "--mount " + entry;
    const std::size_t colon = entry.rfind(':'), comma = entry.find(',', colon);
    const bool complete = colon != std::string::npos && colon > 0 && colon + 1 < std::min(comma, entry.size());
    if (!complete) throw InputError(option + ": must read [PREFIX=]FILE:LINK[,X,Y,Z[,ROLL,PITCH,YAW]]");
    const Prefixed given = split_prefix("--mount", entry.substr(0, colon));
    if (!given.prefix.empty()) require_own_prefix(option, given.prefix, parts);
    RobotPart tool{given.prefix, given.value, "", Eigen::Isometry3d::Identity()};
    tool.link = entry.substr(colon + 1, comma == std::string::npos ? comma : comma - colon - 1);
    if (comma != std::string::npos) tool.base = read_pose(option, entry.substr(comma + 1));
    parts.push_back(std::move(tool));
  }
}

/// The --srdf of each robot by its prefix. A file without one is for all robots together, by their full names.
std::map<std::string, std::string> read_srdf_files(const Arguments& arguments, std::vector<RobotPart>& parts) {
  std::map<std::string, std::string> files;
  for (const std::string& entry : arguments.all("srdf")) {
    const Prefixed given = split_prefix("--srdf", entry);
    if (!given.prefix.empty()) find_part(parts, "--srdf " + entry, given.prefix);
    if (!files.emplace(given.prefix, given.value).second) {
      throw InputError("--srdf " + entry + ": there is " + files[given.prefix] + " already");
    }
  }
  return files;
}

Loaded<Srdf> read_srdf(const std::string& file, const RobotModel& model, Notes& notes) {
  const FilesRead noted(notes.inputs, "srdf");
  Loaded<Srdf> srdf = load_srdf(file, model);
  notes.note(srdf);
  return srdf;
}

}  // namespace

Prefixed split_prefix(const std::string& option, const std::string& entry) {
  const std::size_t equals = entry.find('=');
  std::error_code error;
  if (equals == std::string::npos || std::filesystem::exists(entry, error)) return {"", entry};
  Prefixed split{entry.substr(0, equals), entry.substr(equals + 1)};
  if (split.prefix.empty() || split.value.empty()) {
    throw InputError(option + " " + entry + ": must read FILE or PREFIX=FILE");
  }
  return split;
}

LoadedRobot load_robots(const std::string& name, const Arguments& arguments, const std::vector<MovingFrame>& frames) {
  LoadedRobot robot;
  robot.parts = read_parts(name, arguments);
  const std::size_t robots = robot.parts.size();
  read_mounts(arguments, robot.parts);
  const bool placed = read_bases(arguments, robot.parts);
  std::map<std::string, std::string> srdf_files = read_srdf_files(arguments, robot.parts);
  MeshCache meshes;
  UrdfOptions options;
  options.resources = resource_options(arguments);
  options.use_visual = arguments.has("use-visual");
  options.load_visuals = arguments.has("html");
  options.meshes = &meshes;
  std::vector<PlacedRobot> specs;
  std::vector<Srdf> rules;
  ModelPtr own;
  for (RobotPart& part : robot.parts) {
    Loaded<RobotSpec> spec = [&] {
      const FilesRead noted(robot.inputs, "robot");
      return load_urdf(part.file, options);
    }();
    robot.note(spec);
    part.name = spec.value.name;
    robot.file += (robot.file.empty() ? "" : ", ") + part.file;
    specs.push_back({std::move(spec.value), part.prefix, part.base});
    own = build_model(part.file, [&] { return specs.back().spec; });
    const auto file = srdf_files.find(part.prefix);
    if (file == srdf_files.end() || part.prefix.empty()) continue;
    const Loaded<Srdf> srdf = read_srdf(file->second, *own, robot);
    rules.push_back(with_prefix(srdf.value, part.prefix, *own));
  }
  const bool alone = !placed && robot.parts[0].prefix.empty();
  const auto whole = [&] {
    const std::vector<PlacedRobot> standing(specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(robots));
    RobotSpec all = alone ? specs[0].spec : combine(standing);
    for (std::size_t i = robots; i < specs.size(); ++i) {
      all = mount(all, {specs[i].spec, specs[i].prefix, robot.parts[i].link, specs[i].base});
    }
    return all;
  };
  robot.bare = alone && robot.parts.size() == 1 ? own : build_model(robot.file, whole);
  robot.model = robot.bare;
  if (!frames.empty()) robot.model = std::make_shared<const RobotModel>(with_moving_frames(whole(), frames));
  if (const auto file = srdf_files.find(""); file != srdf_files.end()) {
    const Loaded<Srdf> srdf = read_srdf(file->second, *robot.model, robot);
    rules.push_back(srdf.value);
  }
  robot.srdf = combine(rules);
  robot.matrix = build_collision_matrix(*robot.model, robot.srdf);
  return robot;
}

}  // namespace planner_ccd::cli
