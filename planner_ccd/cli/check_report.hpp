#pragma once

#include <optional>
#include <string>

#include "planner_ccd/cli/check_certificate.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd::cli {

/// What `check` found and how it was asked.
struct CheckReport {
  const PathChecker& checker;
  const Scene& scene;
  const Trajectory& trajectory;
  const PathReport& result;
  const EdgeOptions& options;
  const CheckerOptions& checked;
  double time_us;                             ///< [us] Of the check alone, without loading.
  const std::vector<LinkPair>& proved_apart;  ///< Passed over, being proved apart within the joint limits.
  double clearance_accuracy;                  ///< [m] 0: not asked for.
  double clearance_us;                        ///< [us] Of clearance and profile; 0: not asked for.
  const std::vector<RobotPart>& robots;
  std::vector<Assumption> assumptions;
  bool name_assumptions;                          ///< In text: every name in them.
  std::vector<std::string> hints;                 ///< For people: what may have gone wrong.
  std::optional<WrittenCertificate> certificate;  ///< When one was asked for and the motion is free.
  std::optional<LogMotion> log = {};              ///< When the motion is that of a log.
};

/// 1 for a contact or any other finding that is an error, else 3 when undecided or when there is no certificate of a free
/// motion though one was asked for, else 0.
int exit_code(const CheckReport& report);

std::string check_text(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace planner_ccd::cli
