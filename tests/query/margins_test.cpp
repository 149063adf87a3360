// Margins through every entry point. Two robots of balls that slide side by side along x, so that all distances are
// constant or least where they pass, and known. For each kind of pair the least distance is compared with its margin:
// with a slightly smaller one the answer is free, although the other margin is 5 m; with a slightly larger one it is a
// contact, although the other one is 0.
#include <gtest/gtest.h>

#include <functional>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "planner_ccd/roadmap/roadmap.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.1, kHair = 1e-3;

/// Links "body", which rests, and "tip" and "side", which slide along x.
RobotSpec slider() {
  RobotSpec spec;
  spec.name = "slider";
  spec.links.push_back({"body", {testing::ball(kRadius)}, {}});
  const std::pair<const char*, Vector3d> moving[] = {{"tip", {0.0, 0.5, 0.0}}, {"side", {0.0, 1.1, 0.0}}};
  for (const auto& [name, at] : moving) {
    spec.links.push_back({name, {testing::ball(kRadius)}, {}});
    JointSpec joint;
    joint.name = std::string(name) + "_slide";
    joint.type = JointType::Prismatic;
    joint.parent = "body";
    joint.child = name;
    joint.origin = testing::shift(at);
    joint.axis = Vector3d::UnitX();
    joint.lower = -2.0;
    joint.upper = 2.0;
    spec.joints.push_back(joint);
  }
  return spec;
}

SceneObject ball_at(const std::string& name, const Vector3d& at) {
  SceneObject object;
  object.name = name;
  object.geometry.push_back(testing::ball(kRadius));
  object.pose = testing::shift(at);
  return object;
}

struct Setting {
  std::shared_ptr<const RobotModel> robot = std::make_shared<const RobotModel>(
      combine({{slider(), "a_", Eigen::Isometry3d::Identity()}, {slider(), "b_", testing::shift({0.0, 0.2, -0.9})}}));
  Scene scene;
  JointVector from = JointVector::Constant(4, -1.0), to = JointVector::Constant(4, 1.0);

  Setting() {
    scene.objects.push_back(ball_at("wall", {0.0, 0.5, 0.6}));
    scene.attached.push_back({ball_at("cup", {0.0, 0.0, 0.3}), "a_tip", {}});
    scene.attached.push_back({ball_at("post", {0.0, 0.5, -0.4}), "a_body", {}});
  }

  /// The least distance on the motion: all moving links move alike.
  double gap(const std::string& a, const std::string& b) const {
    const auto place = [](const std::string& name) -> Vector3d {
      if (name == "wall") return {0.0, 0.5, 0.6};
      if (name == "cup") return {0.0, 0.5, 0.3};
      if (name == "post") return {0.0, 0.5, -0.4};
      const Vector3d base = name[0] == 'b' ? Vector3d(0.0, 0.2, -0.9) : Vector3d::Zero();
      const std::string link = name.substr(2);
      return base + Vector3d(0.0, link == "tip" ? 0.5 : link == "side" ? 1.1 : 0.0, 0.0);
    };
    return (place(a) - place(b)).norm() - 2.0 * kRadius;
  }

  /// All other pairs are allowed.
  void leave_only(const std::string& a, const std::string& b) {
    const char* names[] = {"a_body", "a_tip", "a_side", "b_body", "b_tip", "b_side", "wall", "cup", "post"};
    for (int i = 0; i < 9; ++i) {
      for (int k = 0; k < i; ++k) {
        if ((names[i] == a && names[k] == b) || (names[i] == b && names[k] == a)) continue;
        scene.allow.push_back({names[i], names[k]});
      }
    }
  }
};

struct Kind {
  const char *a, *b;
  bool own;  ///< Both belong to one robot.
};
const Kind kKinds[] = {{"a_tip", "wall", false},   {"cup", "wall", false},    {"a_tip", "a_body", true},
                       {"a_tip", "a_side", true},  {"cup", "a_body", true},   {"cup", "a_side", true},
                       {"a_tip", "b_body", false}, {"a_tip", "b_tip", false}, {"b_side", "a_body", false},
                       {"cup", "b_body", false},   {"cup", "b_tip", false},   {"a_tip", "post", true},
                       {"cup", "post", true},      {"b_tip", "post", false}};

using Door = std::function<Verdict(const Setting&, const CheckerOptions&)>;

Verdict verdict_of(bool is_free) { return is_free ? Verdict::Free : Verdict::Contact; }

/// Every way to ask whether the motion is free.
std::vector<std::pair<std::string, Door>> doors() {
  std::vector<std::pair<std::string, Door>> all;
  const auto checker = [](const Setting& s, const CheckerOptions& o) { return PathChecker(s.robot, s.scene, {}, o); };
  const auto edge = [&](const std::string& name, auto ask) {
    all.emplace_back(name, [checker, ask](const Setting& s, const CheckerOptions& o) {
      const PathChecker c = checker(s, o);
      Workspace w;
      return ask(c, s, w);
    });
  };
  edge("is_free", [](const auto& c, const auto& s, auto& w) { return verdict_of(c.is_free(s.from, s.to, w)); });
  edge("any_contact", [](const auto& c, const auto& s, auto& w) { return c.any_contact(s.from, s.to, w).verdict; });
  edge("first_contact", [](const auto& c, const auto& s, auto& w) {
    const EdgeResult r = c.first_contact(s.from, s.to, w);
    if (r.contact) {
      EXPECT_LE(r.contact->distance, r.contact->margin + EdgeOptions().tolerance);
    }
    return r.verdict;
  });
  edge("in_contact",
       [](const auto& c, const auto&, auto& w) { return verdict_of(!c.in_contact(JointVector::Zero(4), w)); });
  for (const std::string& method : search_method_names()) {
    edge("method " + method, [method](const auto& c, const auto& s, auto& w) {
      EdgeOptions options;
      options.method = search_method_named(method);
      return c.first_contact(s.from, s.to, w, options).verdict;
    });
  }
  edge("curve", [](const auto& c, const auto& s, auto& w) {
    Eigen::MatrixXd points(4, 4);
    for (int i = 0; i < 4; ++i) points.col(i) = s.from + (i / 3.0) * (s.to - s.from);
    return c.first_contact(bezier_trajectory(*s.robot, points, 0.0, 1.0).segments[0], w).verdict;
  });
  edge("path", [](const auto& c, const auto& s, auto& w) { return check_path(c, {{s.from, s.to}, {}}, w).verdict; });
  for (const bool every : {false, true}) {
    edge(every ? "all contacts" : "trajectory", [every](const auto& c, const auto& s, auto& w) {
      TrajectoryOptions options;
      options.all_contacts = every;
      options.check_limits = false;
      const TrajectoryResult r =
          check_trajectory(c, make_trajectory(*s.robot, JointPath{{s.from, s.to}, {}}), w, options);
      for (const Finding& f : r.findings) {
        EXPECT_EQ(f.kind, FindingKind::Margin) << f.message;
        EXPECT_NE(f.message.find("comes within"), std::string::npos) << f.message;
        EXPECT_NEAR(f.value, f.contact->margin - kHair, 0.011 * f.limit) << f.message;
        EXPECT_EQ(f.limit, f.contact->margin);
      }
      EXPECT_EQ(r.findings.empty(), r.verdict == Verdict::Free);
      return r.verdict;
    });
  }
  edge("batch", [](const auto& c, const auto& s, auto&) {
    const Edge one{s.from, s.to};
    return check_edges(c, {&one, 1}).edges[0].verdict;
  });
  edge("certificate", [](const auto& c, const auto& s, auto&) {
    return verdict_of(make_certificate(c, make_trajectory(*s.robot, JointPath{{s.from, s.to}, {}})).proved);
  });
  all.emplace_back("sweep and prune", [checker](const Setting& s, CheckerOptions o) {
    o.broad_phase = box_index_named("sweep_and_prune");
    Workspace w;
    return checker(s, o).first_contact(s.from, s.to, w).verdict;
  });
  all.emplace_back("without cells", [checker](const Setting& s, CheckerOptions o) {
    o.cell_evaluations = 0;
    Workspace w;
    return checker(s, o).first_contact(s.from, s.to, w).verdict;
  });
  for (const bool enough : {false, true}) {
    all.emplace_back(enough ? "prepared" : "prepared for less", [enough](const Setting& s, const CheckerOptions& o) {
      const PrepareOptions asked{enough ? o.margin : 0.0, 100, enough ? o.self_margin : 0.0};
      Workspace w;
      return PathChecker(PreparedRobot(s.robot, {}, asked), s.scene, o).first_contact(s.from, s.to, w).verdict;
    });
  }
  all.emplace_back("roadmap", [](const Setting& s, const CheckerOptions& o) {
    RoadmapOptions options;
    options.checker = o;
    options.threads = 1;
    Roadmap roadmap(s.robot, s.scene, {}, options);
    const Edge one{s.from, s.to};
    roadmap.add({&one, 1});
    return roadmap.verdict(0);
  });
  for (const bool rules_too : {false, true}) {
    all.emplace_back(rules_too ? "roadmap, changed" : "roadmap, wall moved",
                     [=](const Setting& s, const CheckerOptions& o) {
                       RoadmapOptions options;
                       options.checker = o;
                       options.threads = 1;
                       Scene before = s.scene;
                       before.objects.move("wall", testing::shift({0.0, 0.5, 50.0}));
                       if (rules_too) before.padding.clear(), before.margins.clear();
                       Roadmap roadmap(s.robot, before, {}, options);
                       const Edge one{s.from, s.to};
                       roadmap.add({&one, 1});
                       roadmap.change_scene(s.scene);
                       return roadmap.verdict(0);
                     });
  }
  return all;
}

void expect_at_every_door(const Setting& s, CheckerOptions options, Verdict truth, const std::string& what) {
  options.cell_evaluations = 100;
  for (const auto& [name, ask] : doors()) EXPECT_EQ(ask(s, options), truth) << name << ": " << what;
}

TEST(Margins, CountOutsideOfARobotAndWithinItApart) {
  for (const Kind& kind : kKinds) {
    Setting s;
    s.leave_only(kind.a, kind.b);
    const double gap = s.gap(kind.a, kind.b);
    const std::string what = std::string(kind.a) + " and " + kind.b;
    CheckerOptions less, more;
    (kind.own ? less.self_margin : less.margin) = gap - kHair;
    (kind.own ? less.margin : less.self_margin) = 5.0;
    (kind.own ? more.self_margin : more.margin) = gap + kHair;
    expect_at_every_door(s, less, Verdict::Free, what + ", just kept");
    expect_at_every_door(s, more, Verdict::Contact, what + ", not kept");
  }
}

TEST(Margins, OfTheSceneByStarCountOutsideOfARobotAlone) {
  for (const Kind& kind : kKinds) {
    Setting s;
    s.leave_only(kind.a, kind.b);
    const double gap = s.gap(kind.a, kind.b);
    const std::string what = std::string(kind.a) + " and " + kind.b;
    for (const double by : {-kHair, kHair}) {
      for (const char* first : {"*", kind.a, kind.b}) {
        s.scene.margins = {{first, "*", gap + by}};
        expect_at_every_door(s, {}, by < 0 || kind.own ? Verdict::Free : Verdict::Contact, what + " by a star");
      }
      s.scene.margins = {{"*", "*", 5.0}, {kind.b, kind.a, gap + by}};
      expect_at_every_door(s, {}, by < 0 ? Verdict::Free : Verdict::Contact, what + " by name");
    }
  }
}

TEST(Margins, PaddingComesOnTopOutsideOfARobotAlone) {
  for (const Kind& kind : kKinds) {
    Setting s;
    s.leave_only(kind.a, kind.b);
    const double gap = s.gap(kind.a, kind.b);
    const std::string what = std::string(kind.a) + " and " + kind.b + ", padded";
    for (const double by : {-kHair, kHair}) {
      s.scene.padding = {{kind.a, 0.05 + by}};
      if (std::string(kind.b) != "wall") s.scene.padding = {{kind.a, 0.03}, {kind.b, 0.02 + by}};
      CheckerOptions options;
      options.margin = gap - 0.05;
      options.self_margin = gap - kHair;
      expect_at_every_door(s, options, by < 0 || kind.own ? Verdict::Free : Verdict::Contact, what);
      s.scene.margins = {{kind.a, kind.b, gap - 0.05}};
      expect_at_every_door(s, {}, by < 0 || kind.own ? Verdict::Free : Verdict::Contact, what + " over its own margin");
    }
  }
}

/// Trees of a specification not made by `combine` are robots too.
TEST(Margins, RobotsAreTheTreesOfASpecification) {
  RobotSpec two = slider();
  for (const PlacedRobot& placed : {PlacedRobot{slider(), "b_", Eigen::Isometry3d::Identity()}}) {
    const RobotSpec other = combine({placed});
    two.links.insert(two.links.end(), other.links.begin(), other.links.end());
    two.joints.insert(two.joints.end(), other.joints.begin(), other.joints.end());
  }
  const RobotModel model(two);
  const auto robot = [&](const char* link) { return model.links()[model.find_link(link)].robot; };
  EXPECT_EQ(robot("tip"), robot("side"));
  EXPECT_EQ(robot("b_tip"), robot("b_body"));
  EXPECT_NE(robot("tip"), robot("b_tip"));
  const RobotModel nested(
      combine({{two, "x_", Eigen::Isometry3d::Identity()}, {slider(), "y_", Eigen::Isometry3d::Identity()}}));
  const auto inner = [&](const char* link) { return nested.links()[nested.find_link(link)].robot; };
  EXPECT_EQ(inner("x_tip"), inner("x_body"));
  EXPECT_NE(inner("x_tip"), inner("x_b_tip"));
  EXPECT_NE(inner("x_b_tip"), inner("y_tip"));
  EXPECT_NE(inner("x_tip"), inner("y_tip"));
}

/// A link called "world" does not conflict with the common root.
TEST(Margins, ARobotMayHaveALinkCalledWorld) {
  RobotSpec spec = slider();
  spec.links.push_back({"world", {}, {}});
  JointSpec joint;
  joint.name = "stand";
  joint.parent = "world";
  joint.child = "body";
  spec.joints.push_back(joint);
  const RobotModel model(combine({{spec, "", testing::shift({0.0, 0.0, 1.0})}}));
  EXPECT_GE(model.find_link("world_2"), 0);
  const Link& body = model.links()[static_cast<std::size_t>(model.find_link("body"))];
  EXPECT_EQ(body.X_BodyLink.translation().z(), 1.0);
}

TEST(Margins, WhatMeetsIsAContactAlsoWithAMargin) {
  Setting s;
  s.leave_only("a_tip", "wall");
  s.scene.objects.move("wall", testing::shift({0.0, 0.5, 0.15}));  // 0.05 m deep
  CheckerOptions options;
  options.margin = 0.2;
  const PathChecker checker(s.robot, s.scene, {}, options);
  Workspace w;
  for (const bool every : {false, true}) {
    TrajectoryOptions asked;
    asked.all_contacts = every;
    const TrajectoryResult r =
        check_trajectory(checker, make_trajectory(*s.robot, JointPath{{s.from, s.to}, {}}), w, asked);
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].kind, FindingKind::Contact);
    EXPECT_EQ(r.findings[0].message, "a_tip meets wall (margin 200 mm)");
  }
}

TEST(Margins, OnlyMarginsThatTheSceneTakesBackAreAssumptions) {
  Setting s;
  CheckerOptions options;
  options.margin = 0.05;
  const auto smaller = [&] {
    for (const Assumption& a : assumptions(PathChecker(s.robot, s.scene, {}, options))) {
      if (a.kind == AssumptionKind::SmallerMargin) return a.pairs.size();
    }
    return std::size_t{0};
  };
  EXPECT_EQ(smaller(), 0u);
  s.scene.margins = {{"a_tip", "wall", 0.01}, {"a_tip", "a_side", 0.01}};
  EXPECT_EQ(smaller(), 1u);
  options.self_margin = 0.02;
  EXPECT_EQ(smaller(), 2u);
}

TEST(Margins, RefuseWhatIsNone) {
  Setting s;
  const auto expect_refused = [&](const CheckerOptions& options, const char* word) {
    try {
      const PathChecker checker(s.robot, s.scene, {}, options);
      ADD_FAILURE() << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  CheckerOptions negative;
  negative.self_margin = -1.0;
  expect_refused(negative, "margin");
  s.scene.padding = {{"wall", 0.1}};
  expect_refused({}, "stands in the scene");
  s.scene.padding = {{"nobody", 0.1}};
  expect_refused({}, "nobody");
  s.scene.padding = {{"a_tip", -0.1}};
  expect_refused({}, "0 or more");
  s.scene.padding = {{"a_tip", 0.1}, {"a_tip", 0.2}};
  expect_refused({}, "two paddings");
}

}  // namespace
}  // namespace planner_ccd
