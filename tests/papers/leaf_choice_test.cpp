#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <map>

#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "support/scenarios.hpp"
#include "support/verdict_check.hpp"

/// EdgeOptions::leaf has an effect: the given kernel is used, and whatever it can or cannot decide, the search's claims
/// hold.
namespace planner_ccd {
namespace {

using testing::Draw;

/// Counts the queries and forwards them to another kernel; without one it answers Undecided.
class Recorder final : public LeafKernel {
 public:
  explicit Recorder(std::shared_ptr<const LeafKernel> kernel) : kernel_(std::move(kernel)) {}

  std::string_view name() const override { return "recorder"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override {
    return answer(motion, options);
  }
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override {
    return answer(motion, options);
  }
  bool takes_parts() const override { return kernel_ && kernel_->takes_parts(); }
  long asked() const { return *asked_; }

 private:
  std::shared_ptr<const LeafKernel> kernel_;
  std::shared_ptr<std::atomic<long>> asked_ = std::make_shared<std::atomic<long>>(0);

  template <class Motion>
  LeafResult answer(const Motion& motion, const LeafOptions& options) const {
    ++*asked_;
    if (kernel_) return kernel_->decide(motion, options);
    LeafResult gives_up;
    gives_up.t_hi = options.t_max;
    return gives_up;
  }
};

TEST(LeafChoice, TheChosenKernelIsAskedAndItsSearchKeepsItsWord) {
  Draw draw(testing::seeded(47));
  std::map<std::string, std::shared_ptr<const Recorder>> kernels;
  for (const std::string& name : leaf_kernel_names()) {
    kernels[name] = std::make_shared<const Recorder>(leaf_kernel_named(name));
  }
  kernels["gives up"] = std::make_shared<const Recorder>(nullptr);
  int verdicts[3] = {0, 0, 0}, others = 0;
  double length = 1.0;
  for (int i = 0; i < testing::scaled(12, 12) && !HasFailure(); ++i) {
    testing::RandomScenario what;
    what.links = 3;
    what.objects = 4;
    what.cell_evaluations = 0;
    what.material = testing::Material::Meshes;
    const testing::Scenario s = testing::random_scenario(draw, what);
    testing::Judge judge(s);
    if (judge.oracle().pairs().empty()) continue;
    testing::EdgeDraw edges(*s.robot, length);
    for (int e = 0; e < 8; ++e) {
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      EdgeOptions options;
      options.tolerance = 1e-8;  // contacts are hard to show, so leaves are queried
      const EdgeResult own = judge.check(q0, q1, options, s.name);
      edges.learn(own.verdict);
      ++verdicts[static_cast<int>(own.verdict)];
      for (const auto& [name, kernel] : kernels) {
        options.leaf = kernel;
        const EdgeResult first = judge.checker().first_contact(q0, q1, judge.workspace(), options);
        const EdgeResult any = judge.checker().any_contact(q0, q1, judge.workspace(), options);
        judge.check_claims({q0, q1}, first, options, true, s.name + " " + name);
        if (any.verdict == Verdict::Contact) judge.check_claims({q0, q1}, any, options, false, s.name + " " + name);
        if (own.verdict == Verdict::Contact && own.contact->distance <= own.contact->margin) {
          EXPECT_NE(first.verdict, Verdict::Free) << name;
          EXPECT_NE(any.verdict, Verdict::Free) << name;
        }
        others += first.verdict != own.verdict;
      }
    }
    length = edges.length();
  }
  std::printf("  %d free, %d contact, %d undecided; %d other verdicts;", verdicts[0], verdicts[1], verdicts[2], others);
  for (const auto& [name, kernel] : kernels) {
    std::printf(" %s %ld", name.c_str(), kernel->asked());
    EXPECT_GT(kernel->asked(), 0) << name;
  }
  std::printf(" questions\n");
  EXPECT_GT(verdicts[0], 0);
  EXPECT_GT(verdicts[1], 0);
}

/// The default kernel, given by name, changes no bit.
TEST(LeafChoice, TheDefaultByNameIsTheDefault) {
  Draw draw(testing::seeded(48));
  const testing::Scenario s = testing::own_scenario("puma and car", "puma", "puma_car");
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace workspace(checker);
  testing::EdgeDraw edges(*s.robot, 0.3);
  for (int i = 0; i < testing::scaled(200); ++i) {
    const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
    EdgeOptions options;
    const EdgeResult own = checker.first_contact(q0, q1, workspace, options);
    options.leaf = leaf_kernel_named("inclusion");
    options.method = search_method_named("taylor");
    const EdgeResult named = checker.first_contact(q0, q1, workspace, options);
    ASSERT_EQ(named.verdict, own.verdict);
    ASSERT_EQ(named.t_free, own.t_free);
    ASSERT_EQ(named.counters.node_evaluations, own.counters.node_evaluations);
    ASSERT_EQ(named.counters.primitive_evaluations, own.counters.primitive_evaluations);
  }
}

TEST(ByName, SaysWhatThereIs) {
  for (const auto& ask : {+[] { search_method_named("guess"); }, +[] { leaf_kernel_named("guess"); },
                          +[] { box_index_named("guess"); }}) {
    try {
      ask();
      ADD_FAILURE() << "accepted";
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("'guess'; there are "), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(search_method_names().front(), "taylor");
  EXPECT_EQ(leaf_kernel_names().front(), "inclusion");
  EXPECT_EQ(box_index_names().front(), "tree");
}

}  // namespace
}  // namespace planner_ccd
