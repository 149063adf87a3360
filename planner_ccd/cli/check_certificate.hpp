#pragma once

#include <string>

#include "planner_ccd/report/report.hpp"

namespace planner_ccd::cli {

/// Writes a certificate of a motion that was found free, with all files that the report lists and all that the verdict relies on.
/// Throws InputError when the file cannot be written.
WrittenCertificate write_certificate(const std::string& file, const PathChecker& checker, const Trajectory& trajectory,
                                     const Report& report);

}  // namespace planner_ccd::cli
