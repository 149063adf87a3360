#pragma once

#include <optional>
#include <string>

#include "planner_ccd/cli/check_certificate.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/query/check_trajectory.hpp"
#include "planner_ccd/query/timeline.hpp"
#include "planner_ccd/query/tracking_limit.hpp"

namespace planner_ccd::cli {

struct Executed;

/// The result of `check` and its settings.
struct CheckReport {
  const PathChecker& checker;
  const Scene& scene;
  const Trajectory& trajectory;
  const PathReport& result;
  const EdgeOptions& options;
  const CheckerOptions& checked;
  double time_us;                             ///< [us] The check alone, without loading.
  const std::vector<LinkPair>& proved_apart;  ///< Skipped because proved apart within the joint limits.
  double clearance_accuracy;                  ///< [m] 0: not requested.
  double clearance_us;                        ///< [us] Clearance and profile; 0: not requested.
  const std::vector<RobotPart>& robots;
  std::vector<Assumption> assumptions;
  bool name_assumptions;                          ///< In text: list every name in them.
  std::vector<std::string> hints;                 ///< For people: possible mistakes.
  std::optional<WrittenCertificate> certificate;  ///< If requested and the motion is free.
  std::optional<LogMotion> log = {};              ///< If the motion comes from a log.
  const Timeline* timeline = nullptr;  ///< If the world changes; `checker` and `scene` are those at its start.
  double tracking_delay = 0.0;         ///< [s]
  std::vector<JointVector> segment_errors = {};      ///< Of the motion's file.
  std::optional<TrackingLimit> tracking_limit = {};  ///< If requested.
  const Executed* executed = nullptr;                ///< If what ran was given too.
};

/// 1 for a contact or any other finding that is an error, of the motion or of what ran, and when that left the errors
/// that were proved; else 3 when undecided, or when a requested certificate of a free motion is missing; else 0.
int exit_code(const CheckReport& report);

std::string check_text(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace planner_ccd::cli
