// Timelines against the oracle: random motions during which objects change hands and ride on moving frames. Poses at events come from
// the specification (truth::Mechanism), the worlds between events are sampled, and every part is checked by hand in a checker of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "planner_ccd/validation/timeline.hpp"
#include "support/oracle.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

constexpr double kEnd = 8.0;

Pose to_pose(const truth::Mat4& X) {
  Pose out = Pose::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 4; ++k) out.matrix()(i, k) = static_cast<double>(X.m[i][k]);
  }
  return out;
}

/// Where something is at time t by its key frames: straight, turning about one axis.
Pose between(const std::vector<double>& times, const std::vector<Pose>& poses, double t) {
  std::size_t i = 1;
  while (i + 1 < times.size() && times[i] < t) ++i;
  const double u = (t - times[i - 1]) / (times[i] - times[i - 1]);
  Pose out = Pose::Identity();
  out.translation() = (1.0 - u) * poses[i - 1].translation() + u * poses[i].translation();
  out.linear() =
      Eigen::Quaterniond(poses[i - 1].linear()).slerp(u, Eigen::Quaterniond(poses[i].linear())).toRotationMatrix();
  return out;
}

double between(const std::vector<double>& times, const std::vector<double>& values, double t) {
  std::size_t i = 1;
  while (i + 1 < times.size() && times[i] < t) ++i;
  const double u = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return (1.0 - u) * values[i - 1] + u * values[i];
}

/// A gantry with a turning hand, things around it, a belt and a turntable.
struct Story {
  RobotSpec spec;
  std::shared_ptr<const RobotModel> bare, robot;
  std::vector<double> times;
  std::vector<JointVector> waypoints;
  std::vector<MovingFrame> frames;
  Scene scene;
  std::vector<TimelineEvent> events;

  explicit Story(Draw& draw) {
    spec = testing::ChainSpec()
               .slide({1, 0, 0})
               .slide({0, 1, 0})
               .slide({0, 0, 1})
               .turn({0, 0, 1})
               .with({Box{{0.2, 0.1, 0.1}}, Eigen::Isometry3d::Identity(), "hand"})
               .spec;
    bare = std::make_shared<const RobotModel>(spec);
    times = {0.0, draw.uniform(2.0, 3.0), draw.uniform(4.0, 6.0), kEnd};
    for (std::size_t i = 0; i < times.size(); ++i) {
      JointVector q(4);
      q << draw.vector(1.0), draw.uniform(-2.0, 2.0);
      waypoints.push_back(q);
    }
    MovingFrame belt{.name = "belt", .times = {-1.0, draw.uniform(2.0, 6.0), kEnd + 1.0}, .carries = {"crate"}};
    for (int i = 0; i < 3; ++i) belt.poses.push_back(draw.pose(0.6));
    for (int i = 1; i < 3; ++i) {  // less than half a turn
      belt.poses[i].linear() =
          Eigen::AngleAxisd(draw.uniform(-2.0, 2.0), draw.direction()).toRotationMatrix() * belt.poses[i - 1].linear();
    }
    MovingFrame table{.name = "table", .type = JointType::Revolute, .origin = draw.pose(0.6), .axis = draw.axis()};
    table.times = {0.0, kEnd};
    table.values = {draw.uniform(-1.0, 1.0), draw.uniform(-9.0, 9.0)};
    table.carries = {"plate"};
    frames = {belt, table};
    for (const char* name : {"crate", "plate", "cup", "jar", "post"}) add(draw, name);
    robot = std::make_shared<const RobotModel>(with_moving_frames(spec, frames));
  }

  void add(Draw& draw, const std::string& name) {
    SceneObject object;
    object.name = name;
    const Eigen::Isometry3d X = draw.pose(0.05);
    if (draw.integer(0, 1) == 0) {
      object.geometry.push_back({Sphere{draw.uniform(0.04, 0.12)}, X, "ball"});
    } else {
      object.geometry.push_back({Box{{draw.uniform(0.05, 0.2), 0.1, draw.uniform(0.05, 0.2)}}, X, "box"});
    }
    object.pose = draw.pose(1.0);
    scene.objects.push_back(object);
  }

  /// The configuration at time t, from way points and key frames alone.
  Eigen::VectorXd at(double t) const {
    Eigen::VectorXd q(4 + 7 + 1);
    for (int i = 0; i < 4; ++i) {
      std::vector<double> values;
      for (const JointVector& w : waypoints) values.push_back(w[i]);
      q[i] = between(times, values, t);
    }
    const Pose belt = between(frames[0].times, frames[0].poses, t);
    q.segment<3>(4) = belt.translation();
    q.segment<4>(7) = Eigen::Quaterniond(belt.linear()).coeffs();
    q[11] = between(frames[1].times, frames[1].values, t);
    return q;
  }

  Trajectory motion() const {
    JointPath path{waypoints, times};
    return with_moving_frames(*robot, make_trajectory(*bare, path), frames);
  }
};

/// The worlds between events, by hand.
struct ByHand {
  std::vector<double> cuts;  ///< Start, events, end.
  std::vector<Scene> scenes;
};

/// Poses of links at time t, from the specification.
std::map<std::string, Pose> links_at(const Story& story, double t) {
  const RobotSpec all = with_moving_frames(story.spec, story.frames);
  const truth::Mechanism mechanism(all);
  const Eigen::VectorXd q = story.at(t);
  const std::vector<truth::Mat4> poses = mechanism.poses({q, q}, 0);
  std::map<std::string, Pose> out;
  for (std::size_t i = 0; i < all.links.size(); ++i) out[all.links[i].name] = to_pose(poses[i]);
  return out;
}

Pose pose_of(const Scene& scene, const std::string& name, const std::map<std::string, Pose>& links,
             std::string& holder) {
  holder.clear();
  if (const SceneObject* object = scene.objects.find(name)) return object->pose;
  for (const AttachedObject& a : scene.attached) {
    if (a.object.name != name) continue;
    holder = a.link;
    return links.at(a.link) * a.object.pose;
  }
  ADD_FAILURE() << name << " is nowhere";
  return Pose::Identity();
}

/// Draws events and does by hand what they should do.
ByHand draw_events(Draw& draw, Story& story) {
  ByHand truth;
  Scene scene = story.scene;
  std::map<std::string, Pose> links = links_at(story, 0.0);
  for (const auto& [object, frame] : {std::pair("crate", "belt"), std::pair("plate", "table")}) {
    scene.attach(object, frame, links[frame].inverse() * scene.objects.find(object)->pose, {});
  }
  truth.cuts.push_back(0.0);
  truth.scenes.push_back(scene);
  double t = 0.0;
  const int count = draw.integer(1, 4);
  for (int i = 0; i < count; ++i) {
    TimelineEvent event;
    const double before = t;
    t = std::min(kEnd, t + draw.uniform(0.3, 3.0));
    if (draw.integer(0, 3) == 0) {
      const int way = draw.integer(0, 3);
      if (story.times[way] > before) event.waypoint = way, t = story.times[way];
    }
    if (t <= before) break;
    if (!event.waypoint) event.time = t;
    links = links_at(story, t);
    event.object = std::array{"cup", "jar", "crate", "plate"}[draw.integer(0, 3)];
    std::string holder;
    const Pose now = pose_of(scene, event.object, links, holder);
    if (!holder.empty() && draw.integer(0, 1) == 0) {
      event.kind = EventKind::Detach;
      scene.detach(event.object, now);
      if (draw.integer(0, 1) == 0) event.pose = now;
    } else {
      event.link = draw.integer(0, 3) == 0 && holder != "belt" ? "belt" : "l4";
      if (holder == event.link) event.link = holder == "l4" ? "table" : "l4";
      event.from = holder;
      if (!holder.empty()) scene.detach(event.object, now);
      const Pose X = links[event.link].inverse() * now;
      if (draw.integer(0, 3) == 0) event.pose = X;
      scene.attach(event.object, event.link, X, {});
    }
    story.events.push_back(event);
    truth.cuts.push_back(t);
    truth.scenes.push_back(scene);
  }
  truth.cuts.push_back(kEnd);
  return truth;
}

/// Knots of [from, to]: where some joint or frame begins another straight line.
std::vector<double> knots(const Story& story, double from, double to) {
  std::vector<double> all = {from, to};
  for (const auto* times : {&story.times, &story.frames[0].times, &story.frames[1].times}) {
    for (const double t : *times) {
      if (from < t && t < to) all.push_back(t);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_same_world(const Scene& scene, const Scene& truth, const std::string& label) {
  ASSERT_EQ(scene.objects.size(), truth.objects.size()) << label;
  ASSERT_EQ(scene.attached.size(), truth.attached.size()) << label;
  for (const SceneObject& object : scene.objects) {
    const SceneObject* same = truth.objects.find(object.name);
    ASSERT_NE(same, nullptr) << label << object.name;
    EXPECT_LT((object.pose.matrix() - same->pose.matrix()).norm(), 1e-12) << label << object.name;
  }
  for (const AttachedObject& a : scene.attached) {
    const auto same = std::find_if(truth.attached.begin(), truth.attached.end(),
                                   [&](const AttachedObject& b) { return b.object.name == a.object.name; });
    ASSERT_NE(same, truth.attached.end()) << label << a.object.name;
    EXPECT_EQ(a.link, same->link) << label;
    EXPECT_LT((a.object.pose.matrix() - same->object.pose.matrix()).norm(), 1e-12) << label << a.object.name;
  }
}

struct Counts {
  int free = 0, contact = 0, changed = 0, samples = 0, later = 0, parts = 0;
};

/// No sample before `until` may be in contact: of each part in its own world.
void expect_no_contact(const Story& story, const ByHand& truth, double until, double margin, Counts& counts,
                       const std::string& label) {
  const RobotSpec all = with_moving_frames(story.spec, story.frames);
  for (std::size_t k = 0; k < truth.scenes.size() && truth.cuts[k] < until; ++k) {
    const truth::Oracle oracle(all, truth.scenes[k], CollisionMatrix(), margin);
    const std::vector<double> all_knots = knots(story, truth.cuts[k], truth.cuts[k + 1]);
    for (std::size_t i = 0; i + 1 < all_knots.size() && all_knots[i] < until; ++i) {
      const truth::Edge edge{story.at(all_knots[i]), story.at(all_knots[i + 1])};
      const double last = std::min(1.0, (until - all_knots[i]) / (all_knots[i + 1] - all_knots[i]));
      for (int p = 0; p < static_cast<int>(oracle.pairs().size()); ++p) {
        const truth::Scan scan = oracle.scan(edge, p, 0, last);
        counts.samples += scan.samples;
        const bool hit = scan.hit && (until == kEnd || *scan.hit < last - 1e-9L);
        EXPECT_FALSE(hit) << label << ": proved free until " << until << ", but part " << k << " has "
                          << oracle.bodies()[oracle.pairs()[p].a].name << " and "
                          << oracle.bodies()[oracle.pairs()[p].b].name << " meet at "
                          << static_cast<double>(all_knots[i] +
                                                 (scan.hit ? *scan.hit : 0) * (all_knots[i + 1] - all_knots[i]));
      }
    }
  }
}

/// The verdict of every part in a checker of its own, up to the first that is not free: its number and the time.
std::pair<Verdict, double> by_hand(const Story& story, const ByHand& truth, double margin) {
  std::vector<MovingFrame> frames = story.frames;
  for (MovingFrame& frame : frames) frame.carries.clear();  // on the way it may be taken from them, and then stands
  const auto robot = std::make_shared<const RobotModel>(with_moving_frames(story.spec, frames));
  for (std::size_t k = 0; k < truth.scenes.size(); ++k) {
    const PathChecker checker(robot, truth.scenes[k], CollisionMatrix(), {.margin = margin, .self_margin = margin});
    std::vector<TrajectoryPoint> points;
    for (const double t : knots(story, truth.cuts[k], truth.cuts[k + 1])) points.push_back({t, story.at(t), {}, {}});
    if (truth.cuts[k] == truth.cuts[k + 1]) points.resize(1);
    Workspace workspace(checker);
    const TrajectoryResult report = check_trajectory(checker, make_trajectory(*story.robot, points), workspace);
    if (report.verdict != Verdict::Free) return {report.verdict, report.findings.front().begin.to};
  }
  return {Verdict::Free, kEnd};
}

TEST(Timeline, AgreesWithSamplesAndWithItsPartsCheckedByHand) {
  const unsigned seed = testing::seeded(1915);
  std::printf("  seed %u\n", seed);
  Draw draw(seed);
  Counts counts;
  int grazing = 0;
  const int stories = testing::scaled(150, 60);
  for (int i = 0; i < stories && !HasFailure(); ++i) {
    const std::string label = "story " + std::to_string(i);
    Story story(draw);
    const double margin = i % 3 == 0 ? 0.01 : 0.0;
    const ByHand truth = draw_events(draw, story);
    const Trajectory motion = story.motion();
    const Scene start = with_carried(*story.robot, story.scene, motion, story.frames);
    const PathChecker checker(story.robot, start, CollisionMatrix(), {.margin = margin, .self_margin = margin});
    JointPath path{story.waypoints, story.times};
    const Timeline timeline(checker, start, motion, at_times(story.events, make_trajectory(*story.bare, path)));
    ASSERT_EQ(timeline.stages().size(), truth.scenes.size()) << label;
    for (std::size_t k = 0; k < truth.scenes.size(); ++k) {
      expect_same_world(timeline.stages()[k].scene, truth.scenes[k], label + ", part " + std::to_string(k) + ": ");
      EXPECT_EQ(timeline.stages()[k].begin, truth.cuts[k]) << label;
    }
    Workspace workspace(checker);
    const TrajectoryResult report = check_timeline(timeline, workspace);
    const bool free = report.verdict == Verdict::Free;
    ASSERT_NE(report.verdict, Verdict::Undecided) << label;
    (free ? counts.free : counts.contact) += 1;
    counts.parts += static_cast<int>(truth.scenes.size());
    const double begin = free ? kEnd : report.findings.front().begin.from;
    counts.later += !free && begin > truth.cuts[1] ? 1 : 0;
    expect_no_contact(story, truth, begin, margin, counts, label);
    if (!free) {
      EXPECT_LE(report.edge.contact->distance, margin + 1.01e-4) << label;
    }
    const auto [verdict, when] = by_hand(story, truth, margin);
    if (verdict != report.verdict || (!free && std::abs(when - report.findings.front().begin.to) > 0.02)) ++grazing;
    const PathChecker still(story.robot, start, CollisionMatrix(), {.margin = margin, .self_margin = margin});
    counts.changed += check_trajectory(still, motion, workspace).verdict != report.verdict ? 1 : 0;
  }
  std::printf(
      "  %d free, %d contacts (%d after an event), %d parts, %d samples; the verdict is another without events: %d; "
      "grazing %d\n",
      counts.free, counts.contact, counts.later, counts.parts, counts.samples, counts.changed, grazing);
  EXPECT_GE(counts.free, stories / 5);
  EXPECT_GE(counts.contact, stories / 5);
  EXPECT_GE(counts.later, stories / 20);
  EXPECT_GE(counts.changed, stories / 20);
  EXPECT_LE(grazing, stories / 50);
}

/// Bodies on frames are where the key frames put them.
TEST(MovingFrame, FollowsItsKeyFrames) {
  Draw draw(77);
  for (int i = 0; i < 50; ++i) {
    const Story story(draw);
    const Trajectory motion = story.motion();
    EXPECT_EQ(motion.segments.front().t0, 0.0);
    EXPECT_EQ(motion.segments.back().t1, kEnd);
    const double t = draw.uniform(0.0, kEnd);
    const Eigen::VectorXd q = configuration(*story.robot, motion, t), truth = story.at(t);
    EXPECT_LT((q.head(7) - truth.head(7)).norm(), 1e-12);
    EXPECT_NEAR(std::abs(q.segment<4>(7).dot(truth.segment<4>(7))), 1.0, 1e-12);
    EXPECT_NEAR(q[11], truth[11], 1e-12);
  }
}

}  // namespace
}  // namespace planner_ccd
