// All contacts of motions with errors. Where an interval's search called a contact what the search of its first instant proved apart, the
// contact ended where it began, and began again 1e-11 later: for ever, with a finding and poses for each (1 GB a second, one random arm
// in 20).
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <map>

#include "planner_ccd/validation/check_trajectory.hpp"
#include "support/displaced.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

// GCC's macros, and clang's word for the same. A sanitizer reserves far more addresses than it uses.
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// So that a failure is an exception, and not the end of the machine.
class MemoryLimit {
 public:
  MemoryLimit() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit less = before_;
    less.rlim_cur = std::min<rlim_t>(before_.rlim_max, rlim_t{3} << 30);
    if (!kSanitized) setrlimit(RLIMIT_AS, &less);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

struct Arm {
  testing::Scenario s;
  TrajectoryOptions options;
  Trajectory motion;

  explicit Arm(unsigned number) {
    Draw draw(testing::seeded(number));
    testing::RandomScenario what;
    what.links = 4 + static_cast<int>(number % 4);
    what.all_joint_types = number % 2 == 1;
    what.margin = number % 3 == 0 ? 0.01 : 0.0;
    s = testing::random_scenario(draw, what);
    options.all_contacts = true;
    if (number % 4 == 3) {
      options.edge.errors = testing::random_errors(draw, s, 0.05);
    } else {
      options.edge.errors.tracking = JointVector::Constant(s.robot->dof(), draw.uniform(0.001, 0.05));
    }
    const testing::EdgeDraw edges(*s.robot, 1.5);
    std::vector<TrajectoryPoint> points;
    JointVector q = edges.configuration(draw);
    for (int k = 0; k < 3; ++k) {
      points.push_back({static_cast<double>(k), q, {}, {}});
      q = edges.beyond(draw, q);
    }
    motion = make_trajectory(*s.robot, points);
  }
};

/// P1: findings of a pair follow each other, at most one for each sample; P2: evaluations are bounded; P3: not vacuous.
TEST(ContactIntervals, OfRandomArmsWithErrorsEnd) {
  const MemoryLimit limit;
  constexpr std::int64_t kMostEvaluations = 10'000'000;  // some twenty times the most that was seen
  int contacts = 0, many = 0;
  std::int64_t most = 0;
  for (unsigned number = 0; number < static_cast<unsigned>(testing::scaled(150, kSanitized ? 30 : 60)); ++number) {
    const Arm arm(number);
    const PathChecker checker(arm.s.robot, arm.s.scene, arm.s.matrix, arm.s.options);
    Workspace workspace(checker);
    const TrajectoryResult report = check_trajectory(checker, arm.motion, workspace, arm.options);
    contacts += report.verdict == Verdict::Contact;
    most = std::max(most, report.counters.evaluations());
    EXPECT_LT(report.counters.evaluations(), kMostEvaluations) << "arm " << number;
    std::map<std::pair<std::string, std::string>, std::vector<const Finding*>> of;
    for (const Finding& f : report.findings) {
      if (f.contact) of[{f.contact->a, f.contact->b}].push_back(&f);
    }
    EXPECT_EQ(report.verdict == Verdict::Contact, !of.empty()) << "arm " << number;
    for (const auto& [pair, findings] : of) {
      many += findings.size() > 1;
      for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& f = *findings[i];
        EXPECT_LE(f.begin.from, f.begin.to);
        if (f.has_end) {
          EXPECT_LE(f.begin.to, f.end.from);
        }
        if (i > 0) {
          EXPECT_GE(f.begin.from, findings[i - 1]->end.to) << "arm " << number;
        }
        // A sample of the resolution lies between the begins of two contacts.
        if (i > 1) {
          EXPECT_GT(f.begin.to - findings[i - 2]->begin.to, arm.options.contact_resolution) << "arm " << number;
        }
      }
    }
  }
  std::printf("%d arms meet something, %d pairs more than once; %lld evaluations at most\n", contacts, many,
              static_cast<long long>(most));
  EXPECT_GT(contacts, kSanitized ? 10 : 20);
  EXPECT_GT(many, 0);
}

}  // namespace
}  // namespace planner_ccd
