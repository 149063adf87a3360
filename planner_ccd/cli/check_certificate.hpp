#pragma once

#include <string>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/robots.hpp"

namespace planner_ccd::cli {

/// What became of --certificate.
struct WrittenCertificate {
  std::string file;
  CertificateResult result;
};

/// Writes a certificate of a motion that was found free, with all files that were read and all that the verdict relies on.
/// Throws InputError when the file cannot be written, or an input cannot be read again.
WrittenCertificate write_certificate(const std::string& file, const PathChecker& checker, const Trajectory& trajectory,
                                     const LoadedRobot& loaded, const std::vector<Assumption>& assumptions,
                                     const Arguments& arguments);

}  // namespace planner_ccd::cli
