#include "planner_ccd/adapters/ompl/state_prover.hpp"

#include <ompl/base/ScopedState.h>
#include <ompl/util/Console.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

const PathChecker& required(const std::shared_ptr<const PathChecker>& checker) {
  if (checker == nullptr) throw InputError("OMPL adapter: the PathChecker is null");
  return *checker;
}

}  // namespace

/// The current checker, and a pool of scratch memory.
class OmplStateProver::Pool {
 public:
  struct Scratch {
    Workspace workspace;
    JointVector q0, q1;
  };

  explicit Pool(PathChecker checker) : checker_(std::move(checker)) {
    idle_.push_back(std::make_unique<Scratch>());  // ready before the first query
    idle_.back()->workspace = Workspace(checker_);
  }

  PathChecker checker() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return checker_;
  }
  void use(PathChecker checker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(checker_, checker);  // the old checker is destroyed outside the lock
  }
  std::pair<PathChecker, std::unique_ptr<Scratch>> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return {checker_, std::make_unique<Scratch>()};
    std::unique_ptr<Scratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return {checker_, std::move(scratch)};
  }
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  PathChecker checker_;                         // guarded by mutex_
  std::vector<std::unique_ptr<Scratch>> idle_;  // guarded by mutex_
};

/// A checker and scratch memory, borrowed for one query.
class OmplStateProver::Loan {
 public:
  explicit Loan(const OmplStateProver& prover) : pool_(*prover.pool_), taken_(pool_.take()) {}
  ~Loan() { pool_.give_back(std::move(taken_.second)); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  const PathChecker& checker() const { return taken_.first; }
  Pool::Scratch* operator->() const { return taken_.second.get(); }

 private:
  Pool& pool_;
  std::pair<PathChecker, std::unique_ptr<Pool::Scratch>> taken_;
};

OmplStateProver::OmplStateProver(std::shared_ptr<const PathChecker> checker, ob::StateSpacePtr space,
                                 const OmplOptions& options)
    : map_(required(checker).robot(), std::move(space), options.map), pool_(std::make_unique<Pool>(*checker)) {
  edge_options_.tolerance = options.tolerance;
  edge_options_.max_evaluations = options.max_evaluations;
  edge_options_.angles = AnglePolicy::Literal;  // the map has already chosen the way
  edge_options_.errors = options.errors;
  require_no_clock(checker->robot());  // throws now, not in a planner's thread
  EdgeMotion(checker->robot()).set_errors(options.errors);
  if (checker->checks_nothing()) {
    OMPL_WARN("planner_ccd: no pair of bodies is left to check, so every motion counts as free");
  }
}

PathChecker OmplStateProver::checker() const { return pool_->checker(); }

void OmplStateProver::use(PathChecker checker) {
  if (&checker.robot() != &pool_->checker().robot()) {
    throw InputError("OMPL adapter: the PathChecker is of another robot than the one that the states were mapped to");
  }
  pool_->use(std::move(checker));
}

OmplStateProver::~OmplStateProver() = default;

/// Empty for half a turn, see OmplStateMap::read_motion.
std::optional<bool> OmplStateProver::leg_is_free(const Loan& scratch, const ob::State* from,
                                                 const ob::State* to) const {
  if (!map_.read_motion(from, to, scratch->q0, scratch->q1)) return std::nullopt;
  if (!scratch->q0.allFinite() || !scratch->q1.allFinite()) return false;
  return scratch.checker().is_free(scratch->q0, scratch->q1, scratch->workspace, edge_options_);
}

std::optional<double> OmplStateProver::leg_free_until(const Loan& scratch, const ob::State* from,
                                                      const ob::State* to) const {
  if (!map_.read_motion(from, to, scratch->q0, scratch->q1)) return std::nullopt;
  if (!scratch->q0.allFinite() || !scratch->q1.allFinite()) return 0.0;
  const EdgeResult edge = scratch.checker().first_contact(scratch->q0, scratch->q1, scratch->workspace, edge_options_);
  if (edge.verdict == Verdict::Free) return 1.0;
  return std::min(edge.t_free, 1.0 - kUnitRoundoff);
}

bool OmplStateProver::is_free(const ob::State* from, const ob::State* to) const {
  const Loan loan(*this);
  if (const auto whole = leg_is_free(loan, from, to)) return *whole;
  ob::ScopedState<> middle(map_.space());
  map_.space()->interpolate(from, to, 0.5, middle.get());
  return leg_is_free(loan, from, middle.get()).value_or(false) && leg_is_free(loan, middle.get(), to).value_or(false);
}

double OmplStateProver::free_until(const ob::State* from, const ob::State* to) const {
  const Loan loan(*this);
  if (const auto whole = leg_free_until(loan, from, to)) return *whole;
  ob::ScopedState<> middle(map_.space());
  map_.space()->interpolate(from, to, 0.5, middle.get());
  const double first = leg_free_until(loan, from, middle.get()).value_or(0.0);
  return first < 1.0 ? 0.5 * first : 0.5 + 0.5 * leg_free_until(loan, middle.get(), to).value_or(0.0);
}

bool OmplStateProver::is_clear(const ob::State* state) const {
  const Loan scratch(*this);
  map_.read(state, scratch->q0);
  return scratch->q0.allFinite() && !scratch.checker().in_contact(scratch->q0, scratch->workspace, edge_options_);
}

double OmplStateProver::clearance(const ob::State* state) const {
  const Loan scratch(*this);
  map_.read(state, scratch->q0);
  return scratch->q0.allFinite() ? scratch.checker().clearance(scratch->q0, scratch->workspace).lower : 0.0;
}

}  // namespace planner_ccd
