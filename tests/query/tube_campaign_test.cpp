#include <gtest/gtest.h>

#include <cstdio>

#include "support/displaced.hpp"
#include "support/verdict_check.hpp"

/// Motions with errors against robots, scenes and configurations displaced within them, by the oracle. For random errors of joints,
/// bases, links, held and standing objects:
///   P1  nothing within the tube of a motion that is Free, nor before t_free, comes within its margin;
///   P2  a contact is within margin + error + tolerance of the motion itself;
///   P3  both verdicts, and contacts that only errors make, are frequent.
/// Looks are random, at the tube's corners, and driven towards contact by turning one joint's error after another.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

const unsigned kSeed = testing::seeded(171);

struct Tally {
  long edges = 0, free = 0, contact = 0, by_errors = 0, undecided = 0, looks = 0, contradicted = 0, too_early = 0;
  double used = 0.0;  ///< Sum over contacts by errors: the share of Contact::error that the looks could take.
  long of_used = 0;
};

class Campaign {
 public:
  Campaign(Draw& draw, Scenario scenario, double size) : draw_(draw), s_(std::move(scenario)) {
    options_.errors = testing::random_errors(draw, s_, size);
    options_.tolerance = 1e-4;
    for (int i = 0; i < 3; ++i) {
      const testing::Displaced d = testing::displaced(draw, s_, options_.errors, i > 0);
      worlds_.emplace_back(d.spec, d.scene, s_.matrix, s_.options.margin, s_.options.self_margin);
    }
    checker_ = std::make_unique<PathChecker>(s_.robot, s_.scene, s_.matrix, s_.options);
    exact_ = std::make_unique<truth::Oracle>(s_.spec, s_.scene, s_.matrix, s_.options.margin, s_.options.self_margin);
  }

  void run(int edges, double& length, Tally& tally) {
    testing::EdgeDraw draws(*s_.robot, length);
    Workspace workspace(*checker_);
    for (int i = 0; i < edges && !::testing::Test::HasFailure(); ++i) {
      JointVector q0 = draws.configuration(draw_);
      for (int k = 0; k < 40 && checker_->in_contact(q0, workspace, options_); ++k) q0 = draws.configuration(draw_);
      truth::Edge edge{q0, draws.beyond(draw_, q0)};
      edge.angles = options_.angles = draw_.integer(0, 1) ? AnglePolicy::Wrap : AnglePolicy::Literal;
      const EdgeResult first = checker_->first_contact(edge.q0, edge.q1, workspace, options_);
      const EdgeResult any = checker_->any_contact(edge.q0, edge.q1, workspace, options_);
      const bool free = checker_->is_free(edge.q0, edge.q1, workspace, options_);
      EXPECT_EQ(free, any.verdict == Verdict::Free);
      ++tally.edges;
      tally.free += free;
      tally.contact += any.verdict == Verdict::Contact;
      tally.undecided += any.verdict == Verdict::Undecided || first.verdict == Verdict::Undecided;
      if (free) look(edge, 1.0, true, tally);
      if (first.verdict == Verdict::Contact && first.t_free > 0.0) look(edge, first.t_free, false, tally);
      for (const EdgeResult* r : {&first, &any}) {
        if (r->contact) check(edge, *r->contact, tally);
      }
      draws.learn(any.verdict);
    }
    length = draws.length();
  }

 private:
  Draw& draw_;
  Scenario s_;
  EdgeOptions options_;
  std::vector<truth::Oracle> worlds_;
  std::unique_ptr<PathChecker> checker_;
  std::unique_ptr<truth::Oracle> exact_;

  Eigen::VectorXd signs(bool corner) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(s_.robot->dof());
    for (int i = 0; corner && i < out.size(); ++i) out[i] = draw_.integer(0, 1) ? 1.0 : -1.0;
    return out;
  }
  /// Distance less margin of one pair; above 5 cm, within a factor 0.6.
  double clearance(const truth::Oracle& world, int pair, const JointVector& q) {
    return static_cast<double>(world.distance({q, q}, pair, 0, 0.05L) - world.pairs()[pair].margin);
  }

  void look(const truth::Edge& edge, double until, bool closed, Tally& tally) {
    for (const truth::Oracle& world : worlds_) {
      for (int k = 0; k < 3; ++k) {
        const double t = closed && k == 0 ? draw_.integer(0, 1) : until * draw_.uniform(0.0, 0.999999);
        const JointVector q = testing::nominal(*s_.robot, edge, t);
        Eigen::VectorXd sign = signs(k != 2);
        const JointVector there = testing::tracked(draw_, *s_.robot, q, options_.errors, sign);
        double least = std::numeric_limits<double>::infinity();
        int nearest = -1;
        for (int p = 0; p < static_cast<int>(world.pairs().size()); ++p) {
          const double c = clearance(world, p, there);
          if (c < least) least = c, nearest = p;
        }
        ++tally.looks;
        for (int i = 0; i < sign.size() && least > 0.0 && least < 0.1 && options_.errors.tracking.size() > 0; ++i) {
          if (sign[i] == 0.0 || options_.errors.tracking[i] == 0.0) continue;
          sign[i] = -sign[i];
          const double turned = clearance(world, nearest, testing::tracked(draw_, *s_.robot, q, options_.errors, sign));
          ++tally.looks;
          if (turned < least) {
            least = turned;
          } else {
            sign[i] = -sign[i];
          }
        }
        if (least > -1e-9) continue;
        ++tally.contradicted;
        ADD_FAILURE() << "proved free until " << until << ", but " << least << " m at " << t << " within the errors; "
                      << testing::describe(edge);
      }
    }
  }

  void check(const truth::Edge& edge, const Contact& c, Tally& tally) {
    const int pair = exact_->find_pair(c.a, c.b);
    ASSERT_GE(pair, 0) << c.a << ", " << c.b;
    if (c.inside) return;
    if (exact_->nested_at(edge, pair, c.t)) return;  // a part of one is inside of the other: surfaces say nothing
    const truth::Oracle::Pair& p = exact_->pairs()[pair];
    const auto over = static_cast<double>(exact_->distance(edge, pair, c.t) - p.margin);
    const auto slack = static_cast<double>(exact_->bodies()[p.a].cylinder_error + exact_->bodies()[p.b].cylinder_error);
    EXPECT_GE(c.error, 0.0);
    EXPECT_NEAR(c.margin, static_cast<double>(p.margin), 1e-12);
    if (over > options_.tolerance + c.error + slack + 1e-9 ||
        c.distance > c.margin + c.error + options_.tolerance + 1e-9) {
      ++tally.too_early;
      ADD_FAILURE() << c.a << " and " << c.b << " at " << c.t << ": " << over << " m above the margin, error "
                    << c.error << "; " << testing::describe(edge);
    }
    if (!(over > options_.tolerance + slack)) return;
    ++tally.by_errors;
    // How much of the stated error can be had, by corners of the tube in the displaced worlds.
    double least = over;
    for (const truth::Oracle& world : worlds_) {
      const JointVector q = testing::nominal(*s_.robot, edge, c.t);
      const auto at = [&](const Eigen::VectorXd& sign) {
        const JointVector d = testing::tracked(draw_, *s_.robot, q, options_.errors, sign);
        return static_cast<double>(world.distance({d, d}, pair, 0) - p.margin);
      };
      Eigen::VectorXd sign = signs(true);
      double now = at(sign);
      for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < sign.size(); ++i) {
          sign[i] = -sign[i];
          const double turned = at(sign);
          if (turned < now) {
            now = turned;
          } else {
            sign[i] = -sign[i];
          }
        }
      }
      least = std::min(least, now);
    }
    tally.used += std::min(1.0, (over - least) / c.error);
    ++tally.of_used;
  }
};

void run(const std::string& name, const testing::RandomScenario& what, double size, int scenarios, unsigned seed) {
  Draw draw(seed);
  Tally tally;
  double length = 2.0;
  for (int i = 0; i < testing::scaled(scenarios, 4) && !::testing::Test::HasFailure(); ++i) {
    testing::RandomScenario one = what;
    one.attached = draw.integer(0, 1) == 0;
    one.margin = draw.integer(0, 1) ? 0.0 : 0.01;
    Scenario s = testing::random_scenario(draw, one);
    s.options.self_margin = s.options.margin;
    Campaign(draw, std::move(s), size).run(10, length, tally);
  }
  std::printf(
      "  %-22s seed %u, %5ld edges: %ld free, %ld contact, %ld undecided; %ld contacts by errors alone, of whose error "
      "%.0f %% can be had; %ld looks, %ld contradicted\n",
      name.c_str(), seed, tally.edges, tally.free, tally.contact, tally.undecided, tally.by_errors,
      100.0 * tally.used / static_cast<double>(std::max(1l, tally.of_used)), tally.looks, tally.contradicted);
  EXPECT_EQ(tally.contradicted, 0);
  EXPECT_EQ(tally.too_early, 0);
  EXPECT_EQ(tally.undecided, 0);
  EXPECT_GT(5 * tally.free, tally.edges);
  EXPECT_GT(5 * tally.contact, tally.edges);
  EXPECT_GT(20 * tally.by_errors, tally.edges);
}

TEST(TubeCampaign, SmallErrors) {
  testing::RandomScenario what;
  what.objects = 8;
  run("1 cm, 0.01 rad", what, 0.01, 16, kSeed);
}

TEST(TubeCampaign, LargeErrors) {
  testing::RandomScenario what;
  what.objects = 3;
  what.links = 4;
  run("10 cm, 0.1 rad", what, 0.1, 10, kSeed + 1);
}

TEST(TubeCampaign, JointsOfRobotsWithCells) {
  testing::RandomScenario what;
  what.all_joint_types = false;
  what.links = 6;
  what.objects = 3;
  run("arms, 5 mm", what, 0.005, 10, kSeed + 2);
}

}  // namespace
}  // namespace planner_ccd
