#pragma once

#include <map>
#include <string>

#include "planner_ccd/query/path_checker.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd::testing {

/// What a campaign found. Every number but the first ones should be explained by its test.
struct Tally {
  long edges = 0, free = 0, contact = 0, undecided = 0;
  long inside = 0;      ///< Contacts because one body is inside the other.
  long at_start = 0;    ///< Contacts at t = 0.
  long proved_too = 0;  ///< Free edges that the samples alone prove free as well.
  long samples = 0;
  long contradictions = 0;    ///< Free or t_free against a hit that was seen. The unforgivable bug.
  long too_early = 0;         ///< Contacts whose witness is farther than margin + tolerance.
  long inconsistent = 0;      ///< Results that do not fit together.
  double latest_witness = 0;  ///< [m] Greatest distance - margin of a witness.

  Tally& operator+=(const Tally& other);
  void print(const std::string& name) const;
};

/// A checker, the oracle over the same data, and the edges they were compared on.
class Judge {
 public:
  explicit Judge(const Scenario& scenario);

  const PathChecker& checker() const { return checker_; }
  const truth::Oracle& oracle() const { return oracle_; }
  Workspace& workspace() { return workspace_; }
  const Tally& tally() const { return tally_; }

  /// first_contact, any_contact and is_free on one edge, each claim tried against samples. Failures are reported to
  /// GoogleTest with `label` and the configurations, so that they can be repeated.
  EdgeResult check(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, const EdgeOptions& options,
                   const std::string& label);

  /// The claims of one result alone.
  void check_claims(const truth::Edge& edge, const EdgeResult& result, const EdgeOptions& options, bool first,
                    const std::string& label);

 private:
  PathChecker checker_;
  truth::Oracle oracle_;
  Workspace workspace_;
  Tally tally_;

  void check_witness(const truth::Edge& edge, const EdgeResult& result, const EdgeOptions& options,
                     const std::string& where);
};

/// Text to repeat a failure from.
std::string describe(const truth::Edge& edge);

}  // namespace planner_ccd::testing
