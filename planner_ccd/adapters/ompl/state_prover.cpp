#include "planner_ccd/adapters/ompl/state_prover.hpp"

#include <ompl/base/ScopedState.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

std::shared_ptr<const PathChecker> required(std::shared_ptr<const PathChecker> checker) {
  if (checker == nullptr) throw InputError("OMPL adapter: the PathChecker is null");
  return checker;
}

}  // namespace

class OmplStateProver::Pool {
 public:
  struct Scratch {
    explicit Scratch(const PathChecker& checker) : workspace(checker) {}
    Workspace workspace;
    JointVector q0, q1;
  };

  std::unique_ptr<Scratch> take(const PathChecker& checker) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Scratch> scratch = std::move(idle_.back());
        idle_.pop_back();
        return scratch;
      }
    }
    return std::make_unique<Scratch>(checker);
  }
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> idle_;  // guarded by mutex_
};

/// Scratch memory for the time of one query.
class OmplStateProver::Loan {
 public:
  explicit Loan(const OmplStateProver& prover) : pool_(*prover.pool_), scratch_(pool_.take(*prover.checker_)) {}
  ~Loan() { pool_.give_back(std::move(scratch_)); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  Pool::Scratch* operator->() const { return scratch_.get(); }

 private:
  Pool& pool_;
  std::unique_ptr<Pool::Scratch> scratch_;
};

OmplStateProver::OmplStateProver(std::shared_ptr<const PathChecker> checker, ob::StateSpacePtr space,
                                 const OmplOptions& options)
    : checker_(required(std::move(checker))),
      map_(checker_->robot(), std::move(space), options.map),
      pool_(std::make_unique<Pool>()) {
  edge_options_.tolerance = options.tolerance;
  edge_options_.max_evaluations = options.max_evaluations;
  edge_options_.angles = AnglePolicy::Literal;                   // the map has chosen the way
  pool_->give_back(std::make_unique<Pool::Scratch>(*checker_));  // so that no query waits for it
}

OmplStateProver::~OmplStateProver() = default;

/// Empty for half a turn, see OmplStateMap::read_motion.
std::optional<bool> OmplStateProver::leg_is_free(const ob::State* from, const ob::State* to) const {
  const Loan scratch(*this);
  if (!map_.read_motion(from, to, scratch->q0, scratch->q1)) return std::nullopt;
  if (!scratch->q0.allFinite() || !scratch->q1.allFinite()) return false;
  return checker_->is_free(scratch->q0, scratch->q1, scratch->workspace, edge_options_);
}

std::optional<double> OmplStateProver::leg_free_until(const ob::State* from, const ob::State* to) const {
  const Loan scratch(*this);
  if (!map_.read_motion(from, to, scratch->q0, scratch->q1)) return std::nullopt;
  if (!scratch->q0.allFinite() || !scratch->q1.allFinite()) return 0.0;
  const EdgeResult edge = checker_->first_contact(scratch->q0, scratch->q1, scratch->workspace, edge_options_);
  if (edge.verdict == Verdict::Free) return 1.0;
  return std::min(edge.t_free, 1.0 - kUnitRoundoff);
}

bool OmplStateProver::is_free(const ob::State* from, const ob::State* to) const {
  if (const auto whole = leg_is_free(from, to)) return *whole;
  ob::ScopedState<> middle(map_.space());
  map_.space()->interpolate(from, to, 0.5, middle.get());
  return leg_is_free(from, middle.get()).value_or(false) && leg_is_free(middle.get(), to).value_or(false);
}

double OmplStateProver::free_until(const ob::State* from, const ob::State* to) const {
  if (const auto whole = leg_free_until(from, to)) return *whole;
  ob::ScopedState<> middle(map_.space());
  map_.space()->interpolate(from, to, 0.5, middle.get());
  const double first = leg_free_until(from, middle.get()).value_or(0.0);
  return first < 1.0 ? 0.5 * first : 0.5 + 0.5 * leg_free_until(middle.get(), to).value_or(0.0);
}

bool OmplStateProver::is_clear(const ob::State* state) const {
  const Loan scratch(*this);
  map_.read(state, scratch->q0);
  return scratch->q0.allFinite() && !checker_->in_contact(scratch->q0, scratch->workspace, edge_options_);
}

double OmplStateProver::clearance(const ob::State* state) const {
  const Loan scratch(*this);
  map_.read(state, scratch->q0);
  return scratch->q0.allFinite() ? checker_->clearance(scratch->q0, scratch->workspace).lower : 0.0;
}

}  // namespace planner_ccd
