#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/papers/by_name.hpp"
#include "query/planted.hpp"
#include "support/verdict_check.hpp"

/// No planted contact is missed, by any method.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;
using namespace testing::planted;

void run(const Family& family, int count, unsigned seed) {
  Draw draw(testing::seeded(seed));
  int planted = 0, contact = 0, undecided = 0, brief = 0;
  while (planted < testing::scaled(count) && !::testing::Test::HasFailure()) {
    const std::optional<Planted> p = plant(draw, family);
    if (!p) continue;
    ++planted;
    brief += p->until - p->from < 1e-3L;
    const Scenario& s = p->scenario;
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace w(checker);
    EdgeOptions options;
    options.angles = family.angles;
    options.tolerance = std::pow(10.0, -draw.integer(2, 6));
    std::string method = "taylor";
    if (draw.integer(0, 7) == 0) method = search_method_names()[draw.integer(1, 4)];
    options.method = search_method_named(method);
    const std::string where = std::string(family.name) + " number " + std::to_string(planted) + ", " + p->what + ", " +
                              method + ", " + testing::describe(p->edge);
    EXPECT_FALSE(p->segment ? checker.is_free(*p->segment, w, options)
                            : checker.is_free(p->edge.q0, p->edge.q1, w, options))
        << where;
    const EdgeResult r = p->segment ? checker.first_contact(*p->segment, w, options)
                                    : checker.first_contact(p->edge.q0, p->edge.q1, w, options);
    EXPECT_NE(r.verdict, Verdict::Free) << where;
    EXPECT_LE(r.t_free, static_cast<double>(p->until) + 1e-15)
        << where << ": planted between " << static_cast<double>(p->from) << " and " << static_cast<double>(p->until);
    contact += r.verdict == Verdict::Contact;
    undecided += r.verdict == Verdict::Undecided;
  }
  std::printf("  %-28s %6d planted (%d within a thousandth of the edge): %d contact, %d undecided, 0 missed\n",
              family.name, planted, brief, contact, undecided);
  // Where rounding exceeds the tolerance, only Undecided can be expected.
  if (family.away == 0.0 && family.turns == 0.0) {
    EXPECT_LE(undecided, 0.01 * planted + 1);
  }
  EXPECT_GE(brief, 0.2 * planted);
}
constexpr int kCount = 80;

TEST(PlantedContacts, OfMeshesWithObstacles) {
  run({"meshes, obstacles", of(testing::Material::Meshes, false)}, kCount, 1);
  run({"all joint types, obstacles", of(testing::Material::Meshes, true)}, kCount, 2);
}

TEST(PlantedContacts, OfThinThings) { run({"thin things, obstacles", of(testing::Material::Thin, true)}, kCount, 3); }

TEST(PlantedContacts, OfPrimitives) {
  run({"primitives, obstacles", of(testing::Material::Primitives, true)}, kCount, 4);
}

TEST(PlantedContacts, OfTwoLinks) {
  run({"meshes, two links", of(testing::Material::Meshes, false), true}, kCount, 5);
  run({"all joint types, two links", of(testing::Material::Anything, true), true}, kCount, 6);
}

TEST(PlantedContacts, UnderAMargin) {
  run({"margin 1 cm, obstacles", of(testing::Material::Anything, true, 0.01)}, kCount, 7);
  run({"margin 1 cm, two links", of(testing::Material::Anything, true, 0.01), true}, kCount, 8);
}

TEST(PlantedContacts, OnWrappedEdges) {
  run({"wrapped, obstacles", of(testing::Material::Anything, true), false, AnglePolicy::Wrap}, kCount, 9);
  run({"wrapped, two links", of(testing::Material::Anything, true), true, AnglePolicy::Wrap}, kCount, 10);
}

/// Rounding errors of poses exceed many of the depths here: the pads must suffice.
TEST(PlantedContacts, FarFromTheOrigin) {
  run({"1 km away, obstacles", of(testing::Material::Anything, true), false, AnglePolicy::Literal, 1e3}, kCount, 11);
  run({"1000 km away, obstacles", of(testing::Material::Meshes, true), false, AnglePolicy::Literal, 1e6}, kCount, 12);
  run({"1000 km away, two links", of(testing::Material::Meshes, true), true, AnglePolicy::Literal, 1e6}, kCount, 13);
}

TEST(PlantedContacts, AfterManyTurns) {
  run({"1e6 rad, obstacles", of(testing::Material::Meshes, true), false, AnglePolicy::Literal, 0.0, 1e6}, kCount, 14);
  run({"1e9 rad, two links", of(testing::Material::Meshes, true), true, AnglePolicy::Wrap, 0.0, 1e9}, kCount, 15);
}

TEST(PlantedContacts, OnCurves) {
  run({"curves, obstacles", of(testing::Material::Meshes, true), false, AnglePolicy::Literal, 0.0, 0.0, true}, kCount,
      16);
  run({"curves, two links", of(testing::Material::Anything, true), true, AnglePolicy::Literal, 0.0, 0.0, true}, kCount,
      17);
  run({"curves, margin 1 cm", of(testing::Material::Anything, true, 0.01), true, AnglePolicy::Literal, 0.0, 0.0, true},
      kCount, 18);
}

}  // namespace
}  // namespace planner_ccd
