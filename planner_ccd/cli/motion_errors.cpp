#include "planner_ccd/cli/motion_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

double read_error(const std::string& option, std::string_view text, const char* unit) {
  const auto number = parse_number(text);
  if (!number || !(*number >= 0.0) || !(*number <= kMostError)) {
    throw InputError(option + ": " + in_quotes(std::string(text)) + " must be a number from 0 to 1000, in " + unit);
  }
  return *number;
}

/// --tracking-error [JOINT=]E; a later entry counts more than one before.
void read_tracking(const Arguments& arguments, const RobotModel& robot, MotionErrors& out) {
  for (const std::string& entry : arguments.all("tracking-error")) {
    const std::string option = "--tracking-error " + entry;
    const std::size_t equals = entry.rfind('=');
    const double error = read_error(
        option, std::string_view(entry).substr(equals == std::string::npos ? 0 : equals + 1), "radians or metres");
    if (out.tracking.size() == 0) out.tracking = JointVector::Zero(robot.dof());
    if (equals == std::string::npos) {
      out.tracking.setConstant(error);
      continue;
    }
    const std::string name = entry.substr(0, equals);
    std::vector<std::string> names;
    bool found = false;
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
      const std::string& joint = robot.joints()[static_cast<std::size_t>(c.joint)].name;
      names.push_back(joint);
      if (name != c.name && name != joint) continue;
      out.tracking[i] = error;
      found = true;
    }
    if (!found)
      throw InputError(option + ": the robot has no joint " + in_quotes(name) + " of its own" +
                       did_you_mean(name, names));
  }
}

/// The base of the part with this prefix: of those whose names begin with it, that which no longer prefix fits.
std::vector<std::string> bases_of(const std::string& option, const std::string& prefix, const LoadedRobot& robot) {
  const std::vector<std::string> bases = base_links(*robot.model);
  std::vector<std::string> known;
  for (const RobotPart& part : robot.parts) {
    if (!part.prefix.empty() && part.link.empty()) known.push_back(part.prefix);
  }
  if (prefix.empty()) return bases;
  if (std::find(known.begin(), known.end(), prefix) == known.end()) {
    throw InputError(option + ": " + in_quotes(prefix) + " is no robot's prefix" +
                     (known.empty() ? "; the only robot has none" : "; the prefixes are: " + join_names(known, 40)));
  }
  std::vector<std::string> out;
  for (const std::string& base : bases) {
    const bool longer = std::any_of(known.begin(), known.end(), [&](const std::string& other) {
      return other.size() > prefix.size() && base.starts_with(other);
    });
    if (base.starts_with(prefix) && !longer) out.push_back(base);
  }
  return out;
}

/// --base-error [PREFIX=]XYZ[,ANGLE]
void read_bases(const Arguments& arguments, const LoadedRobot& robot, MotionErrors& out) {
  for (const std::string& entry : arguments.all("base-error")) {
    const std::string option = "--base-error " + entry;
    const std::size_t equals = entry.rfind('='), begin = equals == std::string::npos ? 0 : equals + 1;
    const std::size_t comma = entry.find(',', begin);
    PoseError error;
    error.xyz = read_error(
        option, std::string_view(entry).substr(begin, comma == std::string::npos ? comma : comma - begin), "metres");
    if (comma != std::string::npos)
      error.angle = read_error(option, std::string_view(entry).substr(comma + 1), "radians");
    if (equals == 0) throw InputError(option + ": must read [PREFIX=]XYZ[,ANGLE]");
    for (const std::string& base :
         bases_of(option, equals == std::string::npos ? "" : entry.substr(0, equals), robot)) {
      const auto same =
          std::find_if(out.links.begin(), out.links.end(), [&](const LinkError& e) { return e.link == base; });
      if (same != out.links.end()) throw InputError(option + ": the base " + in_quotes(base) + " has an error already");
      out.links.push_back({base, error});
    }
  }
}

std::string pose_text(const std::string& name, const PoseError& error) {
  return name + " " + format_number(error.xyz) + " m, " + format_number(error.angle) + " rad";
}

std::vector<const SceneObject*> loose_objects(const Scene& scene) {
  std::vector<const SceneObject*> out;
  for (auto at = scene.objects.begin(); at != scene.objects.end(); ++at) {
    if (at->pose_error.any()) out.push_back(at.shared().get());
  }
  for (const AttachedObject& held : scene.attached) {
    if (held.object.pose_error.any()) out.push_back(&held.object);
  }
  return out;
}

JointVector greatest_of(const std::vector<JointVector>& by_segment) {
  JointVector most;
  for (const JointVector& errors : by_segment) most = most.size() == 0 ? errors : most.cwiseMax(errors);
  return most;
}

/// To four digits, downwards: what is printed is proved as well.
std::string proved_text(double value) {
  if (!(value > 0.0)) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", std::floor(value / unit) * unit);
  return text.data();
}

}  // namespace

MotionErrors motion_errors(const Arguments& arguments, const LoadedRobot& robot) {
  MotionErrors out;
  read_tracking(arguments, *robot.model, out);
  read_bases(arguments, robot, out);
  return out;
}

std::string errors_text(const MotionErrors& errors, double delay, const RobotModel& robot, const Scene& scene,
                        const std::vector<JointVector>& by_segment) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "  errors               " : "; ") + more; };
  if (errors.tracking.size() > 0) {
    const double most = errors.tracking.maxCoeff();
    if (errors.tracking.minCoeff() == most) {
      add("every joint " + format_number(most));
    } else {
      for (int i = 0; i < robot.dof(); ++i) {
        if (errors.tracking[i] > 0.0)
          add(robot.coordinates()[static_cast<std::size_t>(i)].name + " " + format_number(errors.tracking[i]));
      }
    }
  }
  const JointVector most = greatest_of(by_segment);
  for (int i = 0; i < static_cast<int>(most.size()); ++i) {
    if (most[i] > 0.0) {
      add("by its columns " + robot.coordinates()[static_cast<std::size_t>(i)].name + " up to " +
          format_number(most[i]));
    }
  }
  if (delay > 0.0) add("up to " + format_number(delay) + " s behind");
  for (const LinkError& e : errors.links) add(pose_text(e.link, e.error));
  const std::vector<const SceneObject*> objects = loose_objects(scene);
  for (std::size_t i = 0; i < std::min<std::size_t>(objects.size(), 8); ++i)
    add(pose_text(objects[i]->name, objects[i]->pose_error));
  if (objects.size() > 8) add("and " + std::to_string(objects.size() - 8) + " more objects");
  return text.empty() ? text : text + "\n";
}

ordered_json errors_json(const MotionErrors& errors, double delay, const RobotModel& robot, const Scene& scene,
                         const std::vector<JointVector>& by_segment) {
  ordered_json columns = ordered_json::object();
  const JointVector most = greatest_of(by_segment);
  for (int i = 0; i < static_cast<int>(most.size()); ++i) {
    columns[robot.coordinates()[static_cast<std::size_t>(i)].name] = most[i];
  }
  ordered_json tracking = ordered_json::object(), links = ordered_json::object(), objects = ordered_json::object();
  for (int i = 0; i < static_cast<int>(errors.tracking.size()); ++i) {
    tracking[robot.coordinates()[static_cast<std::size_t>(i)].name] = errors.tracking[i];
  }
  const auto pose = [](const PoseError& e) { return ordered_json{{"xyz", e.xyz}, {"angle", e.angle}}; };
  for (const LinkError& e : errors.links) links[e.link] = pose(e.error);
  for (const SceneObject* object : loose_objects(scene)) objects[object->name] = pose(object->pose_error);
  return {{"tracking", tracking}, {"columns", columns}, {"delay", delay}, {"links", links}, {"objects", objects}};
}

std::string tracking_limit_text(const TrackingLimit& limit) {
  std::string text = "  tracking error       ";
  if (limit.proved < 0.0) {
    text += "none: not even the motion itself is proved free";
  } else {
    text += "proved free with " + proved_text(limit.proved) + " of every joint (rad, m)";
  }
  if (limit.segment < 0) return text + ", the greatest tried\n";
  if (limit.proved >= 0.0) text += ", not with " + format_number(limit.failed);
  const std::string where = " in segment " + std::to_string(limit.segment);
  if (limit.edge.contact) {
    const Contact& c = *limit.edge.contact;
    return text + ": " + c.a + " and " + c.b + where + ", t = " + format_number(c.t) + "\n";
  }
  return text + ": " + (limit.edge.open ? limit.edge.open->a + " and " + limit.edge.open->b : "undecided") + where +
         "\n";
}

ordered_json tracking_limit_json(const TrackingLimit& limit) {
  ordered_json out = {{"proved", limit.proved < 0.0 ? ordered_json(nullptr) : ordered_json(limit.proved)},
                      {"failed", limit.segment < 0 ? ordered_json(nullptr) : ordered_json(limit.failed)},
                      {"segment", limit.segment < 0 ? ordered_json(nullptr) : ordered_json(limit.segment)},
                      {"t", nullptr},
                      {"a", nullptr},
                      {"b", nullptr}};
  if (limit.edge.contact) {
    out["t"] = limit.edge.contact->t;
    out["a"] = limit.edge.contact->a;
    out["b"] = limit.edge.contact->b;
  } else if (limit.edge.open) {
    out["a"] = limit.edge.open->a;
    out["b"] = limit.edge.open->b;
  }
  return out;
}

}  // namespace planner_ccd::cli
