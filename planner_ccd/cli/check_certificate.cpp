#include "planner_ccd/cli/check_certificate.hpp"

#include <algorithm>

namespace planner_ccd::cli {
namespace {

constexpr std::size_t kNames = 50;  // of an assumption, in a note; pairs that are not checked have entries of their own

/// Verifiers know scans as meshes; the same bytes are named once.
std::vector<InputFile> inputs_of(std::vector<InputFile> inputs) {
  for (InputFile& file : inputs) {
    if (file.role == "scan") file.role = "mesh";
  }
  std::vector<InputFile> once;
  for (const InputFile& file : inputs) {
    if (std::find(once.begin(), once.end(), file) == once.end()) once.push_back(file);
  }
  return once;
}

}  // namespace

WrittenCertificate write_certificate(const std::string& file, const PathChecker& checker, const Trajectory& trajectory,
                                     const Report& report) {
  CertificateOptions options;
  options.title = "robot " + checker.robot().name() + " (" + report.question.robots.front().file + ")";
  for (const Assumption& a : report.assumptions) options.notes.push_back(to_line(a, kNames));
  options.inputs = inputs_of(report.inputs);
  return {file, certify(checker, trajectory, file, options)};
}

}  // namespace planner_ccd::cli
