#include "planner_ccd/validation/finding.hpp"

namespace planner_ccd {

const char* to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::Contact: return "contact";
    case FindingKind::ContactAtStart: return "contact_at_start";
    case FindingKind::ContactAtEnd: return "contact_at_end";
    case FindingKind::Margin: return "margin";
    case FindingKind::Undecided: return "undecided";
    case FindingKind::JointLimit: return "joint_limit";
    case FindingKind::VelocityLimit: return "velocity_limit";
    case FindingKind::AccelerationLimit: return "acceleration_limit";
    case FindingKind::JerkLimit: return "jerk_limit";
    case FindingKind::StartJump: return "start_jump";
    case FindingKind::TimeNotIncreasing: return "time_not_increasing";
    case FindingKind::FullTurn: return "full_turn";
  }
  return "undecided";
}

}  // namespace planner_ccd
