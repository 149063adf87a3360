#pragma once

#include <map>
#include <string>

#include "planner_ccd/query/path_checker.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd::testing {

/// Results of a campaign. Each test should explain every number except the first ones.
struct Tally {
  long edges = 0, free = 0, contact = 0, undecided = 0;
  long inside = 0;      ///< Contacts with one body inside the other.
  long at_start = 0;    ///< Contacts at t = 0.
  long proved_too = 0;  ///< Free edges that the samples alone prove free as well.
  long samples = 0;
  long contradictions = 0;    ///< Free or t_free contradicted by a sample. The unforgivable bug.
  long too_early = 0;         ///< Contacts whose witness is farther than margin + tolerance.
  long inconsistent = 0;      ///< Inconsistent results.
  double latest_witness = 0;  ///< [m] Greatest distance - margin of a witness.

  Tally& operator+=(const Tally& other);
  void print(const std::string& name) const;
};

/// A checker, the oracle for the same data, and the results of their comparison.
class Judge {
 public:
  explicit Judge(const Scenario& scenario);

  const PathChecker& checker() const { return checker_; }
  const truth::Oracle& oracle() const { return oracle_; }
  Workspace& workspace() { return workspace_; }
  const Tally& tally() const { return tally_; }

  /// Checks first_contact, any_contact and is_free on one edge against samples. Reports failures to GoogleTest with
  /// `label` and the configurations, so that they can be reproduced.
  EdgeResult check(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, const EdgeOptions& options,
                   const std::string& label);

  /// Checks the claims of one result alone.
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

/// Text from which a failure can be reproduced.
std::string describe(const truth::Edge& edge);

}  // namespace planner_ccd::testing
