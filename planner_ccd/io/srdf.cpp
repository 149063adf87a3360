#include "planner_ccd/io/srdf.hpp"

#include <algorithm>
#include <set>

#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using tinyxml2::XMLElement;

const Joint* find_joint(const RobotModel& model, const std::string& name) {
  for (const Joint& joint : model.joints()) {
    if (joint.name == name) return &joint;
  }
  return nullptr;
}

class SrdfReader {
 public:
  SrdfReader(const std::string& text, const std::string& name, const RobotModel& model)
      : file_(text, name), model_(model) {}

  Loaded<Srdf> read() {
    const XMLElement& root = file_.root();
    if (std::string(root.Name()) != "robot") file_.fail(root, "an SRDF must begin with <robot>");
    if (root.FirstChildElement("link")) file_.fail(root, "this is a URDF, not an SRDF; give it as the robot");
    srdf_.robot = file_.optional(root, "name").value_or("");
    if (srdf_.robot != model_.name()) {
      warn(WarningKind::OtherRobot, file_.where(root) + ": is for robot " + in_quotes(srdf_.robot) + ", the model is " +
                                        in_quotes(model_.name()));
    }
    collect_virtual_joints();
    for (const XMLElement* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) read_element(*e);
    note_contradictions();
    list_unknown("links", unknown_links_);
    list_unknown("joints", unknown_joints_);
    return {std::move(srdf_), std::move(warnings_)};
  }

 private:
  void collect_virtual_joints() {
    const XMLElement* e = file_.root().FirstChildElement("virtual_joint");
    for (; e; e = e->NextSiblingElement("virtual_joint")) virtual_joints_.insert(file_.required(*e, "name"));
  }

  void read_element(const XMLElement& e) {
    static const std::set<std::string> kReadOver = {"virtual_joint", "end_effector", "passive_joint", "joint_property",
                                                    "link_sphere_approximation"};
    const std::string kind = e.Name();
    if (kind == "disable_collisions") {
      read_pair(e, srdf_.disabled);
    } else if (kind == "enable_collisions") {
      read_pair(e, srdf_.enabled);
    } else if (kind == "disable_default_collisions") {
      const std::string link = file_.required(e, "link");
      if (is_link(link)) srdf_.disabled_default.push_back(link);
    } else if (kind == "group") {
      read_group(e);
    } else if (kind == "group_state") {
      read_state(e);
    } else if (!kReadOver.count(kind)) {
      warn(WarningKind::NotRead, file_.where(e) + ": this element is not understood and not used");
    }
  }

  void warn(WarningKind kind, std::string text) { warnings_.push_back({kind, std::move(text)}); }

  void read_pair(const XMLElement& e, std::vector<SrdfPair>& pairs) {
    SrdfPair pair{file_.required(e, "link1"), file_.required(e, "link2"), file_.optional(e, "reason").value_or("")};
    const bool first = is_link(pair.a), second = is_link(pair.b);
    if (pair.a == pair.b) file_.fail(e, "link1 and link2 are the same link " + in_quotes(pair.a));
    if (first && second) pairs.push_back(std::move(pair));
  }

  void read_group(const XMLElement& e) {
    SrdfGroup group;
    group.name = file_.required(e, "name");
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      const std::string kind = c->Name();
      if (kind == "link") {
        const std::string link = file_.required(*c, "name");
        if (is_link(link)) group.links.push_back(link);
      } else if (kind == "joint") {
        const std::string joint = file_.required(*c, "name");
        if (is_joint(joint)) group.joints.push_back(joint);
      } else if (kind == "chain") {
        const std::string base = file_.required(*c, "base_link"), tip = file_.required(*c, "tip_link");
        const bool has_base = is_link(base), has_tip = is_link(tip);
        if (has_base && has_tip) group.chains.emplace_back(base, tip);
      } else if (kind == "group") {
        group.subgroups.push_back(file_.required(*c, "name"));
      } else if (kind != "passive_joint") {
        warn(WarningKind::NotRead, file_.where(*c) + ": this element is not understood and not used");
      }
    }
    srdf_.groups.push_back(std::move(group));
  }

  void read_state(const XMLElement& e) {
    SrdfGroupState state{file_.required(e, "name"), file_.required(e, "group"), {}};
    for (const XMLElement* j = e.FirstChildElement("joint"); j; j = j->NextSiblingElement("joint")) {
      const std::string joint = file_.required(*j, "name");
      std::vector<double> values;
      const std::string text = file_.required(*j, "value");
      for (const auto word : split_blanks(text)) values.push_back(file_.parse(*j, "value", std::string(word)));
      if (!virtual_joints_.count(joint) && is_joint(joint)) state.joints[joint] = std::move(values);
    }
    srdf_.states.push_back(std::move(state));
  }

  void note_contradictions() {
    std::set<std::pair<std::string, std::string>> enabled;
    for (const SrdfPair& pair : srdf_.enabled) enabled.insert(std::minmax(pair.a, pair.b));
    for (const SrdfPair& pair : srdf_.disabled) {
      if (!enabled.count(std::minmax(pair.a, pair.b))) continue;
      warn(WarningKind::Structure, file_.name() + ": " + in_quotes(pair.a) + " and " + in_quotes(pair.b) +
                                       " are both enabled and disabled; they are not checked");
    }
  }

  bool is_link(const std::string& name) {
    const bool known = model_.find_link(name) >= 0;
    if (!known) unknown_links_.insert(name);
    return known;
  }

  bool is_joint(const std::string& name) {
    const bool known = find_joint(model_, name) != nullptr;
    if (!known && !virtual_joints_.count(name)) unknown_joints_.insert(name);
    return known;
  }

  void list_unknown(const std::string& what, const std::set<std::string>& names) {
    if (names.empty()) return;
    warn(WarningKind::UnknownNames, file_.name() + ": names " + what + " that the robot does not have (left out): " +
                                        join_names({names.begin(), names.end()}, names.size()));
  }

  XmlFile file_;
  const RobotModel& model_;
  Srdf srdf_;
  std::vector<InputWarning> warnings_;
  std::set<std::string> virtual_joints_, unknown_links_, unknown_joints_;
};

}  // namespace

Loaded<Srdf> parse_srdf(const std::string& text, const std::string& name, const RobotModel& model) {
  return SrdfReader(text, name, model).read();
}

Loaded<Srdf> load_srdf(const std::string& path, const RobotModel& model) {
  return parse_srdf(read_file(path, kMaxDescriptionBytes), path, model);
}

namespace {

/// Adds to `names`; `depth` stops groups that contain themselves.
void collect_group(const Srdf& srdf, const std::string& name, const RobotModel& model, int depth,
                   std::set<std::string>& names) {
  const auto group =
      std::find_if(srdf.groups.begin(), srdf.groups.end(), [&](const SrdfGroup& g) { return g.name == name; });
  if (group == srdf.groups.end()) {
    std::vector<std::string> known;
    for (const SrdfGroup& g : srdf.groups) known.push_back(g.name);
    throw InputError("the SRDF has no group " + in_quotes(name) + did_you_mean(name, known) +
                     (known.empty() ? "" : " (groups: " + join_names(known) + ")"));
  }
  if (depth > static_cast<int>(srdf.groups.size())) throw InputError("group " + in_quotes(name) + " is part of itself");
  names.insert(group->joints.begin(), group->joints.end());
  const auto joint_above = [&](int link) { return model.links()[static_cast<std::size_t>(link)].parent_joint; };
  for (const std::string& link : group->links) {
    const int joint = joint_above(model.find_link(link));
    if (joint >= 0) names.insert(model.joints()[static_cast<std::size_t>(joint)].name);
  }
  for (const auto& [base, tip] : group->chains) {
    int link = model.find_link(tip);
    const int end = model.find_link(base);
    while (link != end && joint_above(link) >= 0) {
      const Joint& joint = model.joints()[static_cast<std::size_t>(joint_above(link))];
      names.insert(joint.name);
      link = joint.parent_link;
    }
    if (link != end) {
      throw InputError("group " + in_quotes(name) + ": " + in_quotes(base) + " is not above " + in_quotes(tip));
    }
  }
  for (const std::string& inner : group->subgroups) collect_group(srdf, inner, model, depth + 1, names);
}

}  // namespace

std::vector<std::string> group_joints(const Srdf& srdf, const std::string& group, const RobotModel& model) {
  std::set<std::string> names;
  collect_group(srdf, group, model, 0, names);
  std::vector<std::string> joints;
  for (const Joint& joint : model.joints()) {
    if (joint.q_size > 0 && !joint.is_mimic && names.count(joint.name) > 0) joints.push_back(joint.name);
  }
  if (joints.empty()) throw InputError("group " + in_quotes(group) + " of the SRDF has no joint that moves");
  return joints;
}

JointVector apply_group_state(const Srdf& srdf, const std::string& group, const std::string& state,
                              const RobotModel& model, JointVector base) {
  const auto found = std::find_if(srdf.states.begin(), srdf.states.end(),
                                  [&](const SrdfGroupState& s) { return s.group == group && s.name == state; });
  if (found == srdf.states.end()) {
    throw InputError("the SRDF has no state " + in_quotes(state) + " of group " + in_quotes(group));
  }
  for (const auto& [name, values] : found->joints) {
    const Joint* joint = find_joint(model, name);
    if (!joint || joint->is_mimic || joint->q_size == 0) continue;
    if (static_cast<int>(values.size()) != joint->q_size) {
      throw InputError("state " + in_quotes(state) + ": joint " + in_quotes(name) + " needs " +
                       std::to_string(joint->q_size) + " values, not " + std::to_string(values.size()));
    }
    for (int k = 0; k < joint->q_size; ++k) base[joint->q_index + k] = values[static_cast<std::size_t>(k)];
  }
  return base;
}

}  // namespace planner_ccd
