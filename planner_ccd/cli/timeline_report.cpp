#include "planner_ccd/cli/timeline_report.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

ordered_json pose_json(const Pose& pose) {
  const Eigen::Vector3d p = pose.translation();
  const Eigen::Quaterniond q(pose.linear());
  return {{"xyz", {p.x(), p.y(), p.z()}}, {"quaternion", {q.x(), q.y(), q.z(), q.w()}}};
}

ordered_json event_json(const TimelineEvent& event) {
  const auto text = [](const std::string& s) { return s.empty() ? ordered_json(nullptr) : ordered_json(s); };
  ordered_json pairs = ordered_json::array();
  for (const AllowedPair& pair : event.pairs) pairs.push_back(ordered_json::array({pair.a, pair.b}));
  return {{"time", *event.time},
          {"kind", to_string(event.kind)},
          {"object", text(event.object)},
          {"from", text(event.from)},
          {"to", text(event.link)},
          {"touch_links", event.touch_links},
          {"pose", event.pose ? pose_json(*event.pose) : ordered_json(nullptr)},
          {"pairs", pairs},
          {"where", event.where}};
}

/// Where every object is during a stage.
void add_stays(const RobotModel& robot, const Timeline::Stage& stage, std::vector<viewer::Stay>& stays) {
  for (const SceneObject& object : stage.scene.objects) stays.push_back({object.name, stage.begin, 0, object.pose});
  for (const AttachedObject& a : stage.scene.attached) {
    const Link& link = robot.links()[static_cast<std::size_t>(robot.find_link(a.link))];
    stays.push_back({a.object.name, stage.begin, link.body, link.X_BodyLink * a.object.pose});
  }
}

}  // namespace

ordered_json events_json(const CheckReport& report) {
  if (!report.timeline) return nullptr;
  ordered_json all = ordered_json::array();
  for (const TimelineEvent& event : report.timeline->events()) all.push_back(event_json(event));
  return all;
}

std::string events_text(const CheckReport& report) {
  if (!report.timeline) return "";
  std::ostringstream out;
  out << std::setprecision(6);
  const char* unit = report.trajectory.timed ? " s" : "";
  const auto& events = report.timeline->events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::ostringstream when;
    when << std::setprecision(6) << *events[i].time << unit;
    out << (i == 0 ? "  events               " : "                       ") << "at " << when.str() << ": "
        << describe(events[i]) << "\n";
  }
  return out.str();
}

const Scene& scene_during(const CheckReport& report, int segment) {
  return report.timeline ? report.timeline->stage_of(segment).scene : report.scene;
}

void show_events(const Timeline& timeline, viewer::PageContent& content) {
  const RobotModel& robot = timeline.stages()[0].checker.robot();
  std::set<std::string> handled;
  for (const TimelineEvent& event : timeline.events()) {
    if (!event.object.empty()) handled.insert(event.object);
    viewer::Entry entry;
    entry.kind = viewer::EntryKind::Event;
    entry.title = to_string(event.kind);
    entry.title[0] = static_cast<char>(entry.title[0] - 'a' + 'A');
    entry.text = describe(event);
    entry.begin = entry.end = entry.moment = *event.time;
    if (!event.object.empty()) entry.a = {event.object};
    content.findings.push_back(std::move(entry));
  }
  std::stable_sort(content.findings.begin(), content.findings.end(),
                   [](const viewer::Entry& x, const viewer::Entry& y) { return x.begin < y.begin; });
  for (const Timeline::Stage& stage : timeline.stages()) add_stays(robot, stage, content.stays);
  std::erase_if(content.stays, [&](const viewer::Stay& stay) { return handled.count(stay.item) == 0; });
}

}  // namespace planner_ccd::cli
