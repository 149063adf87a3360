#include <gtest/gtest.h>
#include <time.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/triangle_ccd/plucker_axis.hpp"
#include "support/scale.hpp"
#include "triangle_ccd/chords.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

double cpu_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Query {
  Triangle a;
  Triangle b;
  AxisMotion motion;
};

Query draw(std::mt19937_64& rng) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto cube = [&](double size) { return Vector3d(size * unit(rng), size * unit(rng), size * unit(rng)); };
  Query q;
  const Vector3d centre = cube(1.0);
  for (Triangle* t : {&q.a, &q.b}) {
    const Vector3d shift = centre + cube(0.15);
    for (Vector3d& x : *t) x = shift + cube(0.1);
  }
  q.motion = {AxisMotion::Kind::Rotation, cube(1.0), cube(1.0), 0.0, 0.3 * unit(rng)};
  return q;
}

TEST(PluckerChords, RotationAgreesWithLinearKernelsOnChords) {
  std::mt19937_64 rng(501);
  LeafOptions options;
  options.tolerance = 1e-5;
  const int count = testing::scaled(3'000);
  for (const std::string& kernel : leaf_kernel_names()) {
    if (kernel == "plucker") continue;
    int contacts = 0;
    int chord_only = 0;
    double axis_time = 0.0;
    double chord_time = 0.0;
    for (int i = 0; i < count; ++i) {
      const Query q = draw(rng);
      const double start = cpu_time();
      const LeafResult exact = axis_triangle_ccd(q.a, q.b, q.motion, options);
      const double middle = cpu_time();
      const test::ChordResult chord = test::by_chords(*leaf_kernel_named(kernel), q.a, q.b, q.motion, options);
      chord_time += cpu_time() - middle;
      axis_time += middle - start;
      if (exact.verdict != Verdict::Free) {
        ++contacts;
        ASSERT_NE(chord.verdict, Verdict::Free) << "seed 501 draw " << i;
        ASSERT_LE(chord.t, exact.t_hi + 1e-12) << "seed 501 draw " << i;
      } else if (chord.verdict != Verdict::Free) {
        ++chord_only;
        // With chords, motion within the tolerance may be reported as a contact.
        const auto at = test::moved<long double>(q.a, q.motion, static_cast<long double>(chord.t));
        const auto fixed = std::array{test::Vec<long double>(q.b[0].cast<long double>()),
                                      test::Vec<long double>(q.b[1].cast<long double>()),
                                      test::Vec<long double>(q.b[2].cast<long double>())};
        ASSERT_LE(test::triangle_distance_by_candidates<long double>(at, fixed, 1e-12L), 2.0 * options.tolerance);
      }
    }
    std::printf("kernel %s: %d queries, %d contacts, %d more by chords; time by chords / by rotation: %.1f\n",
                kernel.c_str(), count, contacts, chord_only, chord_time / axis_time);
    EXPECT_GT(contacts, count / 30);
    EXPECT_LE(chord_only, 1 + count / 500);
  }
}

}  // namespace
}  // namespace planner_ccd
