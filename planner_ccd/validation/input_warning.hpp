#pragma once

#include <cstdint>
#include <span>
#include <string>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// What a warning about inputs is about. Names and meanings: warning_kinds().
enum class WarningKind : std::uint8_t {
  NoGeometry,
  ImplausibleSize,
  Degrees,
  BeyondLimits,
  OtherRobot,
  UnknownNames,
  NotRead,
  Structure,
  WhichFile,
  MeshFile,
  UnknownStart,
  UnknownSpace,
  LogClock,
  LogMessages,
  Truncated,
  Visuals,
  StoredProofs,
};

/// Something about an input that a person should look at: the check is of what the files say, which may not be what was meant.
struct InputWarning {
  WarningKind kind;
  std::string text;  ///< One sentence, naming file and element.

  friend bool operator==(const InputWarning&, const InputWarning&) = default;
};

struct WarningKindName {
  WarningKind kind;
  const char* name;     ///< As in JSON and --fail-on; never renamed.
  const char* meaning;  ///< A phrase for people.
};
/// All kinds, in the order of the enumeration.
std::span<const WarningKindName> warning_kinds();
/// "no_geometry", "implausible_size", ...
const char* to_string(WarningKind kind);

}  // namespace planner_ccd
#pragma GCC visibility pop
