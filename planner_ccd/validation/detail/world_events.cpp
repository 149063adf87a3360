#include "planner_ccd/validation/detail/world_events.hpp"

#include <algorithm>
#include <sstream>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/robot/kinematics.hpp"

namespace planner_ccd {
namespace {

constexpr double kNoStep = 1e-9;  // [m] and [rad] Steps below are the rounding of poses in files.

AttachedObject* find_attached(Scene& scene, const std::string& name) {
  const auto found = std::find_if(scene.attached.begin(), scene.attached.end(),
                                  [&](const AttachedObject& a) { return a.object.name == name; });
  return found == scene.attached.end() ? nullptr : &*found;
}

std::vector<std::string> names_in(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneObject& object : scene.objects) names.push_back(object.name);
  for (const AttachedObject& a : scene.attached) names.push_back(a.object.name);
  return names;
}

bool same(const AllowedPair& x, const AllowedPair& y) {
  return (x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a);
}

bool covers(const AllowedPair& rule, const AllowedPair& pair) {
  const auto is = [](const std::string& word, const std::string& name) { return word == "*" || word == name; };
  return (is(rule.a, pair.a) && is(rule.b, pair.b)) || (is(rule.a, pair.b) && is(rule.b, pair.a));
}

const AllowedPair* rule_over(const Scene& scene, const AllowedPair& pair) {
  const auto rule =
      std::find_if(scene.allow.begin(), scene.allow.end(), [&](const AllowedPair& r) { return covers(r, pair); });
  return rule == scene.allow.end() ? nullptr : &*rule;
}

void allow(const TimelineEvent& event, const AllowedPair& pair, Scene& scene) {
  if (const AllowedPair* rule = rule_over(scene, pair)) {
    fail(event, in_quotes(pair.a) + " and " + in_quotes(pair.b) + " may touch already, by 'allow' of " + rule->a +
                    " and " + rule->b + "; leave this out, or forbid that before");
  }
  scene.allow.push_back(pair);
}

void forbid(const TimelineEvent& event, const AllowedPair& pair, Scene& scene) {
  const auto gone = std::erase_if(scene.allow, [&](const AllowedPair& rule) { return same(rule, pair); });
  if (gone == 0) {
    fail(event, "no 'allow' of " + in_quotes(pair.a) + " and " + in_quotes(pair.b) +
                    " holds at that time; name a pair as it was allowed");
  }
  if (const AllowedPair* rule = rule_over(scene, pair)) {
    fail(event, in_quotes(pair.a) + " and " + in_quotes(pair.b) + " may still touch, by 'allow' of " + rule->a +
                    " and " + rule->b + "; forbid that too");
  }
}

}  // namespace

void fail(const TimelineEvent& event, const std::string& message) {
  throw InputError(event.where + ": " + describe(event) + ": " + message);
}

WorldEvents::WorldEvents(const RobotModel& robot, const JointVector& q) : robot_(robot), q_(q) {}

Pose WorldEvents::link_pose(const std::string& link) const {
  const Link& l = robot_.links()[static_cast<std::size_t>(robot_.find_link(link))];
  return kinematics(robot_, q_).bodies[static_cast<std::size_t>(l.body)].pose() * l.X_BodyLink;
}

void WorldEvents::require_link(const TimelineEvent& event, const std::string& link) const {
  if (robot_.find_link(link) >= 0) return;
  std::vector<std::string> names;
  for (const Link& l : robot_.links()) names.push_back(l.name);
  fail(event, in_quotes(link) + " is not a link of robot " + in_quotes(robot_.name()) + ", nor a moving frame" +
                  did_you_mean(link, names));
}

/// The given pose if there is one and it agrees, else that of the instant, in the frame of the event's pose.
Pose WorldEvents::settled(const TimelineEvent& event, const Pose& X_WLink, const Pose& X_WObject,
                          std::vector<Assumption>& steps) const {
  const Pose now = X_WLink.inverse() * X_WObject;
  if (!event.pose) return now;
  const Pose given = rigid(*event.pose, event.where + ": " + describe(event));
  const double step = (given.translation() - now.translation()).norm();
  const double turn = Eigen::Quaterniond(given.linear()).angularDistance(Eigen::Quaterniond(now.linear()));
  std::ostringstream by;
  by.precision(3);
  by << 1e3 * step << " mm and " << turn << " rad";
  if (!(step <= kPoseStep && turn <= kPoseTurn)) {
    fail(event, "the given pose is " + by.str() +
                    " from where the object is at that instant (at most 1 mm and 0.01 rad); correct it or where the "
                    "object stands, or leave it out");
  }
  if (step > kNoStep || turn > kNoStep) {
    steps.push_back({.kind = AssumptionKind::PoseStep,
                     .by = event.where,
                     .text = "an event's pose moves an object by " + by.str() + " at once, unchecked",
                     .names = {event.object}});
  }
  return given;
}

void WorldEvents::attach(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const {
  require_link(event, event.link);
  for (const std::string& link : event.touch_links) require_link(event, link);
  const AttachedObject* holder = find_attached(scene, event.object);
  const SceneObject* standing = scene.objects.find(event.object);
  if (!holder && !standing) {
    fail(event,
         "no object of this name stands in the scene at that time" + did_you_mean(event.object, names_in(scene)));
  }
  if (!holder && !event.from.empty()) {
    fail(event, "nothing holds it at that time; leave out 'from'");
  }
  if (holder && holder->link != event.from) {
    fail(event, in_quotes(holder->link) +
                    " holds it at that time; detach it before, or hand it over (from: " + holder->link + ")");
  }
  if (holder && holder->link == event.link) fail(event, "this link holds it already");
  const Pose X_WObject = holder ? link_pose(holder->link) * holder->object.pose : standing->pose;
  event.pose = settled(event, link_pose(event.link), X_WObject, steps);
  if (holder) scene.detach(event.object, X_WObject);
  scene.attach(event.object, event.link, *event.pose, event.touch_links);
}

void WorldEvents::detach(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const {
  const AttachedObject* holder = find_attached(scene, event.object);
  if (!holder) {
    const bool stands = scene.objects.find(event.object) != nullptr;
    fail(event, stands ? "nothing holds it at that time"
                       : "there is no object of this name" + did_you_mean(event.object, names_in(scene)));
  }
  if (!event.from.empty() && event.from != holder->link) {
    fail(event, in_quotes(holder->link) + " holds it at that time, not " + in_quotes(event.from));
  }
  if (std::any_of(scene.padding.begin(), scene.padding.end(),
                  [&](const Padding& p) { return p.name == event.object; })) {
    fail(event, "it has a padding, which is for what is held; give it margins instead");
  }
  event.from = holder->link;
  event.pose = settled(event, Pose::Identity(), link_pose(holder->link) * holder->object.pose, steps);
  scene.detach(event.object, *event.pose);
}

void WorldEvents::require_names(const TimelineEvent& event, const AllowedPair& pair, const Scene& scene) const {
  std::vector<std::string> names = names_in(scene);
  for (const Link& l : robot_.links()) names.push_back(l.name);
  for (const std::string& name : {pair.a, pair.b}) {
    if (name == "*" || std::find(names.begin(), names.end(), name) != names.end()) continue;
    fail(event, in_quotes(name) + " is neither an object nor a link" + did_you_mean(name, names));
  }
  if (pair.a == pair.b && pair.a != "*") fail(event, "pairs " + in_quotes(pair.a) + " with itself");
}

void WorldEvents::apply(TimelineEvent& event, Scene& scene, std::vector<Assumption>& steps) const {
  switch (event.kind) {
    case EventKind::Attach: return attach(event, scene, steps);
    case EventKind::Detach: return detach(event, scene, steps);
    case EventKind::Allow:
    case EventKind::Forbid:
      if (event.pairs.empty()) fail(event, "names no pair");
      for (const AllowedPair& pair : event.pairs) {
        require_names(event, pair, scene);
        event.kind == EventKind::Allow ? allow(event, pair, scene) : forbid(event, pair, scene);
      }
  }
}

}  // namespace planner_ccd
