// Validators shared by threads, as OMPL's parallel planners share them. CI runs this under the thread sanitizer as well.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "adapters/ompl/ompl_support.hpp"

namespace planner_ccd::testing {
namespace {

constexpr int kThreads = 4;

TEST(OmplValidators, SharedByThreadsAnswerAsInOneAndCountEveryMotion) {
  const OmplCase c(own_scenario("puma and car", "puma", "puma_car"));
  Draw draw(20267);
  const int count = std::max(40, scaled(200));
  std::vector<ob::State*> states;
  for (int i = 0; i < count; ++i) {
    states.push_back(c.si->allocState());
    draw_state(draw, *c.scenario.robot, c.map, 1.0, states.back());
  }
  const auto ask = [&](int i) {
    std::pair<ob::State*, double> last(nullptr, -1.0);
    const ob::State *a = states[i], *b = states[(i + 1) % count];
    return std::make_tuple(c.si->isValid(a), c.si->checkMotion(a, b), c.si->checkMotion(a, b, last), last.second);
  };
  std::vector<decltype(ask(0))> alone;
  for (int i = 0; i < count; ++i) alone.push_back(ask(i));
  const auto& validator = *c.si->getMotionValidator();
  const unsigned valid = validator.getValidMotionCount(), invalid = validator.getInvalidMotionCount();
  EXPECT_GT(valid, 0u);
  EXPECT_GT(invalid, 0u);

  std::atomic<int> differences = 0;
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; ++id) {
    threads.emplace_back([&, id] {
      for (int k = 0; k < count; ++k) {
        const int i = (k + id * count / kThreads) % count;
        if (ask(i) != alone[i]) ++differences;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, 0);
  EXPECT_EQ(validator.getValidMotionCount(), (1 + kThreads) * valid);
  EXPECT_EQ(validator.getInvalidMotionCount(), (1 + kThreads) * invalid);
  for (ob::State* state : states) c.si->freeState(state);
}

// Threads that outlive a validator, and validators that outlive the threads which used them.
TEST(OmplValidators, ComeAndGoWhileThreadsStay) {
  const OmplCase c(own_scenario("puma alone", "puma", ""));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int id = 0; id < kThreads; ++id) {
    threads.emplace_back([&] {
      ob::ScopedState<> state(c.space);
      c.map.write(c.scenario.robot->neutral(), state.get());
      for (int i = 0; i < 20; ++i) {
        const OmplMotionValidator mine(c.si, c.checker);
        if (!mine.checkMotion(state.get(), state.get())) ++wrong;
        if (!c.si->checkMotion(state.get(), state.get())) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace planner_ccd::testing
