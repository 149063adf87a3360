#include "planner_ccd/cli/check_certificate.hpp"

#include <algorithm>
#include <filesystem>

namespace planner_ccd::cli {
namespace {

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
  options.title = "robot " + checker.robot().name() + " (" +
                  std::filesystem::path(report.question.robots.front().file).filename().string() + ")";
  for (const Assumption& a : report.assumptions) options.notes.push_back(certificate_note(a));
  options.inputs = inputs_of(report.inputs);
  return {file, certify(checker, trajectory, file, options)};
}

}  // namespace planner_ccd::cli
