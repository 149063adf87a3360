#include "planner_ccd/robot/collision_matrix.hpp"

#include <algorithm>

namespace planner_ccd {
namespace {

std::pair<std::string, std::string> ordered(const std::string& a, const std::string& b) { return std::minmax(a, b); }

}  // namespace

const char* to_string(ExclusionReason reason) {
  switch (reason) {
    case ExclusionReason::SameBody: return "same body";
    case ExclusionReason::Adjacent: return "adjacent";
    case ExclusionReason::Disabled: return "disabled";
    case ExclusionReason::NoGeometry: return "no geometry";
    case ExclusionReason::User: return "user";
    case ExclusionReason::ProvedApart: return "proved apart";
    case ExclusionReason::Allowed: return "allowed";
    case ExclusionReason::TouchLink: return "touch link";
  }
  return "unknown";
}

void CollisionMatrix::exclude(const std::string& a, const std::string& b, ExclusionReason reason, std::string detail) {
  exclusions_.try_emplace(ordered(a, b), Exclusion{reason, std::move(detail)});
}

void CollisionMatrix::include(const std::string& a, const std::string& b) { exclusions_.erase(ordered(a, b)); }

const Exclusion* CollisionMatrix::find(const std::string& a, const std::string& b) const {
  const auto it = exclusions_.find(ordered(a, b));
  return it == exclusions_.end() ? nullptr : &it->second;
}

}  // namespace planner_ccd
