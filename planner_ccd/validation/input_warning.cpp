#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {
namespace {

constexpr WarningKindName kNames[] = {
    {WarningKind::NoGeometry, "no_geometry", "links that can be seen but have no collision geometry"},
    {WarningKind::ImplausibleSize, "implausible_size", "sizes that suggest another unit than metres"},
    {WarningKind::Degrees, "degrees", "angles that look like degrees"},
    {WarningKind::BeyondLimits, "beyond_limits", "waypoints beyond the joint limits"},
    {WarningKind::OtherRobot, "other_robot", "a file that is for a robot of another name"},
    {WarningKind::UnknownNames, "unknown_names", "names that the robot does not have, left out"},
    {WarningKind::NotRead, "not_read", "statements of a file that are not understood or have no effect"},
    {WarningKind::Structure, "structure", "a robot or its rules that contradict themselves, or miss something"},
    {WarningKind::WhichFile, "which_file", "a reference that may mean another file than the one that was read"},
    {WarningKind::MeshFile, "mesh_file", "axes and units that mesh files leave open, and files read through Assimp"},
    {WarningKind::UnknownStart, "unknown_start", "a way to the first point that is not known"},
    {WarningKind::UnknownSpace, "unknown_space", "points and heights that are missing"},
    {WarningKind::LogClock, "log_clock", "stamps of a log that disagree with its clock"},
    {WarningKind::LogMessages, "log_messages", "messages of a log that were passed over or replaced"},
    {WarningKind::Truncated, "truncated", "a recording whose end is missing"},
    {WarningKind::Visuals, "visuals", "visual geometry that was left out of the picture; no check depends on it"},
    {WarningKind::StoredProofs, "stored_proofs", "stored proofs that cannot be used; checks take longer"},
};

}  // namespace

std::span<const WarningKindName> warning_kinds() { return kNames; }

const char* to_string(WarningKind kind) { return kNames[static_cast<std::size_t>(kind)].name; }

}  // namespace planner_ccd
