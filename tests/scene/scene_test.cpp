#include "planner_ccd/scene/scene.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

SceneObject ball(const std::string& name) {
  SceneObject object;
  object.name = name;
  object.geometry.push_back({Sphere{0.1}, Eigen::Isometry3d::Identity(), "sphere"});
  return object;
}

Eigen::Isometry3d at(double x) { return Eigen::Isometry3d(Eigen::Translation3d(x, 0, 0)); }

Scene two_balls() {
  Scene scene;
  scene.objects = {ball("a"), ball("b")};
  return scene;
}

template <class Change>
std::string fault_of(Change change) {
  Scene scene = two_balls();
  try {
    change(scene);
    validate(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "valid";
}

TEST(Scene, AttachingMovesAnObjectFromTheWorldToALink) {
  Scene scene = two_balls();
  scene.attach("a", "hand", at(2), {"hand", "finger"});
  ASSERT_EQ(scene.objects.size(), 1u);
  EXPECT_EQ(scene.objects[0].name, "b");
  ASSERT_EQ(scene.attached.size(), 1u);
  EXPECT_EQ(scene.attached[0].object.name, "a");
  EXPECT_EQ(scene.attached[0].object.pose.translation().x(), 2.0);
  EXPECT_EQ(scene.attached[0].link, "hand");
  EXPECT_EQ(scene.attached[0].touch_links.size(), 2u);
  EXPECT_NO_THROW(validate(scene));
}

TEST(Scene, DetachingPutsItBack) {
  Scene scene = two_balls();
  scene.attach("a", "hand", at(2), {});
  scene.detach("a", at(3));
  EXPECT_TRUE(scene.attached.empty());
  ASSERT_EQ(scene.objects.size(), 2u);
  EXPECT_EQ(scene.objects[1].name, "a");
  EXPECT_EQ(scene.objects[1].pose.translation().x(), 3.0);
}

TEST(Scene, AFailedAttachOrDetachChangesNothing) {
  Scene scene = two_balls();
  Eigen::Isometry3d bad = at(1);
  bad.linear() *= 2.0;
  EXPECT_THROW(scene.attach("x", "hand", at(0), {}), InputError);
  EXPECT_THROW(scene.attach("a", "", at(0), {}), InputError);
  EXPECT_THROW(scene.attach("a", "hand", bad, {}), InputError);
  EXPECT_THROW(scene.detach("a", at(0)), InputError);
  EXPECT_EQ(scene.objects.size(), 2u);
  scene.attach("a", "hand", at(0), {});
  EXPECT_THROW(scene.attach("a", "hand", at(0), {}), InputError);
  EXPECT_THROW(scene.detach("a", bad), InputError);
  EXPECT_EQ(scene.attached.size(), 1u);
}

TEST(Scene, ValidationNamesWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(fault_of([](Scene&) {}), "valid");
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.objects.push_back(ball("a")); }), "'a': another object has the same name"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.attached.push_back({ball("a"), "hand", {}}); }), "same name"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.attached.push_back({ball("c"), "", {}}); }), "the link has no name"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.objects.push_back(ball("")); }), "no name"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.objects.push_back(ball("*")); }), "stands for all"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.objects.replace({"a", {}}); }), "'a': it has no geometry"));
  EXPECT_TRUE(has(fault_of([](Scene& s) {
                    SceneObject object = ball("a");
                    object.geometry[0].shape = Sphere{-1};
                    s.objects.replace(std::move(object));
                  }),
                  "'a', sphere"));
  EXPECT_TRUE(
      has(fault_of([](Scene& s) { s.objects.move("a", at(std::numeric_limits<double>::quiet_NaN())); }), "'a'"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.allow.push_back({"a", ""}); }), "empty name"));
  EXPECT_TRUE(has(fault_of([](Scene& s) { s.margins.push_back({"a", "b", -1}); }), "margin of 'a' and 'b'"));
  EXPECT_TRUE(has(fault_of([](Scene& s) {
                    s.margins.push_back({"a", "b", std::numeric_limits<double>::infinity()});
                  }),
                  "margin"));
}

}  // namespace
}  // namespace planner_ccd
