#include "planner_ccd/triangle_ccd/plucker_axis.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>
#include <random>

#include "support/scale.hpp"
#include "triangle_ccd/axis_oracle.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Kind = AxisMotion::Kind;

Vector3d cube(std::mt19937_64& rng, double size = 1.0) {
  std::uniform_real_distribution<double> unit(-size, size);
  return {unit(rng), unit(rng), unit(rng)};
}

enum class Draw {
  Cube,
  Small,
  Turns,
  AxisThroughCorner,
  AxisAlongEdge,
  EdgeParallelToAxis,
  Coplanar,
  CoplanarGrid,
  ZeroEdge,
  ZeroAngle,
  Sliver,
  Far,
  Slide,
  Count
};

struct Query {
  Triangle a;
  Triangle b;
  AxisMotion motion;
  double size = 1.0;
};

Triangle triangle(std::mt19937_64& rng, double size = 0.7) {
  const Vector3d centre = cube(rng, 0.4);
  return {centre + cube(rng, size), centre + cube(rng, size), centre + cube(rng, size)};
}

Query draw_query(std::mt19937_64& rng, Draw draw, Kind kind) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Query q{triangle(rng), triangle(rng), {kind, cube(rng), cube(rng), unit(rng), 2.0 * unit(rng)}};
  if (draw == Draw::Small) q.motion.to = q.motion.from + 0.02 * unit(rng);
  if (draw == Draw::Turns) q.motion.to = 20.0 * unit(rng);
  if (draw == Draw::AxisThroughCorner) q.motion.origin = unit(rng) > 0 ? q.a[1] : q.b[2];
  if (draw == Draw::AxisAlongEdge) q.motion.origin = q.a[0], q.motion.axis = q.a[1] - q.a[0];
  if (draw == Draw::EdgeParallelToAxis)
    q.a[1] = q.a[0] + unit(rng) * q.motion.axis, q.b[1] = q.b[0] - 0.5 * q.motion.axis;
  if (draw == Draw::Coplanar || draw == Draw::CoplanarGrid) {
    for (auto* t : {&q.a, &q.b}) {
      for (auto& x : *t) x[2] = 0.375;
    }
    q.motion.axis = kind == Kind::Rotation ? Vector3d(0, 0, -2) : Vector3d(unit(rng), unit(rng), 0);
  }
  if (draw == Draw::CoplanarGrid) {
    for (auto* t : {&q.a, &q.b}) {
      for (auto& x : *t) x.head<2>() = (4.0 * x.head<2>()).array().round().matrix();
    }
    q.size = 4.0;
    if (kind == Kind::Rotation) q.motion.origin = q.motion.origin.array().round();
  }
  if (draw == Draw::ZeroEdge)
    q.a[1] = q.a[0], q.b[2] = unit(rng) > 0 ? q.b[1] : Vector3d(0.25 * q.b[0] + 0.75 * q.b[1]);
  if (draw == Draw::Sliver) {  // the normal is far smaller than the product of the edges
    for (auto* t : {&q.a, &q.b}) (*t)[2] = (*t)[0] + 0.4 * ((*t)[1] - (*t)[0]) + 1e-8 * cube(rng);
  }
  if (draw == Draw::ZeroAngle) q.motion.to = q.motion.from;
  if (draw == Draw::Far) {
    const Vector3d shift = 1e3 * cube(rng);
    for (auto* t : {&q.a, &q.b}) {
      for (auto& x : *t) x += shift;
    }
    q.motion.origin += shift + 100.0 * unit(rng) * q.motion.axis;
    q.size = 1e3;
  }
  if (draw == Draw::Slide) {  // a vertex that slides along B's plane, or turns about its normal
    const Vector3d n = (q.b[1] - q.b[0]).cross(q.b[2] - q.b[0]).normalized();
    const double lift = 1e-3 * unit(rng);
    for (auto& x : q.a) x += (lift - n.dot(x - q.b[0]) + 0.3 * std::abs(unit(rng))) * n;
    q.a[0] -= (n.dot(q.a[0] - q.b[0]) - lift) * n;
    q.motion.axis = kind == Kind::Rotation ? n : Vector3d(q.b[1] - q.b[0]);
  }
  return q;
}

struct Tally {
  int apart = 0;
  int contact = 0;
  int undecided = 0;
  int loose = 0;  ///< Contacts whose triangles, on the samples, come no nearer than the separation plus 1e-9.
  long long iterations = 0;
  double bracket = 0.0;
};

double least_distance(const Query& q, double until, int samples) {
  double least = std::numeric_limits<double>::infinity();
  for (int s = 0; s <= samples; ++s) {
    const double t = until * s / samples;
    const double d = static_cast<double>(test::triangle_distance_by_candidates<long double>(
        test::moved<long double>(q.a, q.motion, t),
        {q.b[0].cast<long double>(), q.b[1].cast<long double>(), q.b[2].cast<long double>()}, 1e-9L));
    least = std::min(least, d);
  }
  return least;
}

/// P1: the proved prefix keeps the separation. P2: a contact is real.
void check(const Query& q, const LeafResult& r, const LeafOptions& options, Tally& tally) {
  const double slack = 4e-15 * q.size;
  const double proved = r.verdict == Verdict::Free ? options.t_max : r.t_lo;
  if (proved > 0.0) {
    ASSERT_GT(least_distance(q, proved * (r.verdict == Verdict::Free ? 1.0 : 0.999999), 40),
              options.min_separation - slack);
  }
  if (r.verdict == Verdict::Contact) {
    ASSERT_LE(r.t_lo, r.t_hi);
    const auto a = test::moved<long double>(q.a, q.motion, r.t_hi);
    Eigen::Matrix<long double, 3, 1> pa = r.weights_a[0] * a[0] + r.weights_a[1] * a[1] + r.weights_a[2] * a[2];
    const Vector3d pb = r.weights_b[0] * q.b[0] + r.weights_b[1] * q.b[1] + r.weights_b[2] * q.b[2];
    ASSERT_LE((pa - pb.cast<long double>()).norm(), options.min_separation + options.tolerance + 1e-12 * q.size);
    ASSERT_LE((pa.cast<double>() - r.point_a).norm(), 1e-11 * q.size);
    ASSERT_LE((pb - r.point_b).norm(), 1e-11 * q.size);
    tally.bracket += r.t_hi - r.t_lo;
  }
  tally.apart += r.verdict == Verdict::Free;
  tally.contact += r.verdict == Verdict::Contact;
  tally.undecided += r.verdict == Verdict::Undecided;
  tally.iterations += r.iterations;
}

void campaign(Kind kind, double min_separation, unsigned seed) {
  std::mt19937_64 rng(seed);
  Tally tally;
  int slivers = 0;
  const int count = testing::scaled(3'000, 1'000);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Count));
    const Query q = draw_query(rng, draw, kind);
    LeafOptions options;
    options.min_separation = min_separation;
    options.t_max = i % 3 == 0 ? 0.6 : 1.0;
    const LeafResult r = axis_triangle_ccd(q.a, q.b, q.motion, options);
    ASSERT_NO_FATAL_FAILURE(check(q, r, options, tally)) << "seed " << seed << " draw " << i << " kind " << int(draw);
    slivers += draw == Draw::Sliver && r.verdict == Verdict::Undecided;
  }
  std::printf("%d apart, %d contact, %d undecided, %.2f evaluations each, mean bracket %.2g\n", tally.apart,
              tally.contact, tally.undecided, double(tally.iterations) / count,
              tally.bracket / std::max(1, tally.contact));
  EXPECT_GT(tally.apart, count * 3 / 10);
  EXPECT_GT(tally.contact, count * 2 / 10);
  EXPECT_EQ(tally.undecided, slivers);
  EXPECT_LE(slivers, count / 1000);  // their own normals are rounded too much to decide some
}

TEST(PluckerAxis, RotationKeepsItsPromises) { campaign(Kind::Rotation, 0.0, 201); }
TEST(PluckerAxis, RotationKeepsTheSeparation) { campaign(Kind::Rotation, 0.03, 202); }
TEST(PluckerAxis, TranslationKeepsItsPromises) { campaign(Kind::Translation, 0.0, 203); }
TEST(PluckerAxis, TranslationKeepsTheSeparation) { campaign(Kind::Translation, 0.03, 204); }

/// Motions built around a touch at a known time, for every pair of features; rounding moves it by less than 1e-12.
TEST(PluckerAxis, PlantedContactsAreNeverMissed) {
  std::mt19937_64 rng(205);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  LeafOptions options;
  const int count = testing::scaled(20'000, 6'000);
  for (int i = 0; i < count; ++i) {
    const Draw draw = static_cast<Draw>(i % static_cast<int>(Draw::Far));
    Query q = draw_query(rng, draw, i % 2 == 0 ? Kind::Rotation : Kind::Translation);
    const double t = draw == Draw::ZeroAngle ? 1.0 : unit(rng);
    const double u = i % 5 == 0 ? 0.0 : unit(rng);
    const double v = i % 7 == 0 ? 0.0 : unit(rng) * (1 - u);
    const auto a = test::moved<long double>(q.a, q.motion, t);
    const Eigen::Matrix<long double, 3, 1> touch = i % 3 == 0
                                                       ? Eigen::Matrix<long double, 3, 1>(a[0])
                                                       : Eigen::Matrix<long double, 3, 1>((1 - u) * a[0] + u * a[1]);
    // B is shifted so that its own point meets that of A.
    const double w = i % 3 == 0 ? v : 0.0;
    const Vector3d mine = (1 - u - w) * q.b[0] + u * q.b[1] + w * q.b[2];
    const Vector3d shift = touch.cast<double>() - mine;
    for (auto& x : q.b) x += shift;
    options.min_separation = 1e-12 * (1.0 + shift.norm());
    const LeafResult r = axis_triangle_ccd(q.a, q.b, q.motion, options);
    ASSERT_NE(r.verdict, Verdict::Free) << "seed 205 draw " << i << " kind " << int(draw);
    ASSERT_LE(r.t_lo, t + 1e-12);
    const LeafResult turned = axis_triangle_ccd(
        q.b, q.a, {q.motion.kind, q.motion.origin, q.motion.axis, -q.motion.from, -q.motion.to}, options);
    ASSERT_NE(turned.verdict, Verdict::Free) << "seed 205 draw " << i << " B moves";
  }
}

/// Up to 1,000 km from the origin the point of the axis about which everything turns is rounded by more than a vertex
/// bulges across a plane.
TEST(PluckerAxis, AllowsForTheRoundingOfADistantAxis) {
  using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
  using Vec = Eigen::Matrix<Real, 3, 1>;
  std::mt19937_64 rng(209);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const int count = testing::scaled(2'000, 1'000);
  LeafOptions options;
  options.tolerance = 1e-15;  // else a graze ends as a contact within the tolerance
  int planted = 0, proved = 0;
  for (int i = 0; i < count; ++i) {
    const Eigen::Matrix3d Q = Eigen::Quaterniond(unit(rng), unit(rng), unit(rng), unit(rng)).normalized().matrix();
    const Vector3d place = 1e6 * cube(rng);
    const auto at = [&](double x, double y, double z) { return Vector3d(place + Q * Vector3d(x, y, z)); };
    const Triangle a{at(std::cos(1.0), -std::sin(1.0), 0), at(0.2, -0.5, -0.3), at(0.1, -0.4, 0.4)};
    Triangle b{at(1, -5, -5), at(1, 5, -5), at(1, 0, 8)};
    const AxisMotion motion{Kind::Rotation, at(0, 0, 1.0 + unit(rng)), Q.col(2), 0.0, 2.0};
    // The height of the vertex above B's plane is C + A cos + B sin of the angle; it is greatest within the motion.
    const auto top = [&] {
      const Vec b0 = b[0].cast<Real>(), e1 = b[1].cast<Real>() - b0, e2 = b[2].cast<Real>() - b0;
      const Vec n = e1.cross(e2).normalized(), k = motion.axis.cast<Real>().normalized();
      const Vec r = a[0].cast<Real>() - motion.origin.cast<Real>(), along = k * k.dot(r), across = r - along;
      const Real A = n.dot(across), B = n.dot(k.cross(across));
      const Real C = n.dot(motion.origin.cast<Real>() + along - b0);
      return static_cast<double>(Real(C + sqrt(A * A + B * B)));
    };
    const bool meets = i % 2 == 0;
    const Vector3d n = (b[1] - b[0]).cross(b[2] - b[0]).normalized();
    const Vector3d shift = (top() - (meets ? 1e-10 * unit(rng) : -1e-5)) * n;
    for (Vector3d& x : b) x += shift;
    const double height = top();  // of the rounded corners
    const LeafResult r = axis_triangle_ccd(a, b, motion, options);
    if (height > 0.0) {
      ++planted;
      ASSERT_NE(r.verdict, Verdict::Free) << "seed 209 draw " << i << ", depth " << height;
    }
    proved += !meets && r.verdict == Verdict::Free;
  }
  std::printf("%d planted, %d proved\n", planted, proved);
  EXPECT_GT(planted, count / 6);
  EXPECT_GT(proved, count * 4 / 10);
}

/// Contact and its bracket against the same query in another number type; `slack` covers the oracle's rounding.
template <typename Real>
void compare(int count, unsigned seed, const Real& touch, double slack) {
  std::mt19937_64 rng(seed);
  int contacts = 0;
  int false_alarms = 0;
  double loosest = 0.0;
  double widest = 0.0;
  const Draw draws[] = {Draw::Cube, Draw::Small, Draw::Turns, Draw::AxisThroughCorner, Draw::EdgeParallelToAxis,
                        Draw::Slide};
  for (int i = 0; i < count; ++i) {
    const Query q = draw_query(rng, draws[i / 2 % 6], i % 2 == 0 ? Kind::Rotation : Kind::Translation);
    const LeafOptions options;
    const LeafResult r = axis_triangle_ccd(q.a, q.b, q.motion, options);
    const Real truth = test::AxisOracle<Real>{q.a, q.b, q.motion, touch}.first_contact();
    if (truth <= 1) {
      ++contacts;
      ASSERT_NE(r.verdict, Verdict::Free) << "missed: seed " << seed << " draw " << i;
      ASSERT_LE(Real(r.t_lo), truth + slack) << "seed " << seed << " draw " << i;
      if (r.verdict == Verdict::Contact) widest = std::max(widest, static_cast<double>(truth - r.t_lo));
    } else if (r.verdict != Verdict::Free) {
      ++false_alarms;
      ASSERT_EQ(r.verdict, Verdict::Contact);
      loosest = std::max(loosest, r.tolerance_reached);
    }
  }
  std::printf("%d queries, %d contacts, %d false alarms (distance <= %.2g), t_lo at most %.2g early\n", count, contacts,
              false_alarms, loosest, widest);
  EXPECT_GT(contacts, count * 3 / 20);
  EXPECT_LE(false_alarms, 2 + count / 1000);
}

TEST(PluckerAxis, FirstContactEqualsThatOfFiftyDigits) {
  using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
  compare<Real>(testing::scaled(300, 100), 206, Real(1e-30), 0.0);
}

TEST(PluckerAxis, FirstContactEqualsThatOfLongDoubles) {
  compare<long double>(testing::scaled(10'000, 3'000), 207, 1e-16L, 1e-15);
}

TEST(PluckerAxis, BadNumbersAreUndecided) {
  const Triangle a{Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(1, 0, 1)};
  const Triangle b{Vector3d(5, 5, 5), Vector3d(5, 6, 5), Vector3d(5, 5, 6)};
  AxisMotion motion;
  motion.to = 1.0;
  EXPECT_EQ(axis_triangle_ccd(a, b, motion, {}).verdict, Verdict::Free);
  motion.axis.setZero();
  EXPECT_EQ(axis_triangle_ccd(a, b, motion, {}).verdict, Verdict::Undecided);
  motion.axis = Vector3d::UnitX();
  motion.to = std::numeric_limits<double>::infinity();
  EXPECT_EQ(axis_triangle_ccd(a, b, motion, {}).verdict, Verdict::Undecided);
  motion.to = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(axis_triangle_ccd(a, b, motion, {}).verdict, Verdict::Undecided);
  motion.to = 1.0;
  Triangle bad = a;
  bad[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(axis_triangle_ccd(bad, b, motion, {}).verdict, Verdict::Undecided);
}

}  // namespace
}  // namespace planner_ccd
