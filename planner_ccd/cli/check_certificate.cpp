#include "planner_ccd/cli/check_certificate.hpp"

#include <algorithm>

#include "planner_ccd/io/text.hpp"

namespace planner_ccd::cli {
namespace {

constexpr std::size_t kNames = 50;  // of an assumption, in a note; pairs that are not checked have entries of their own

/// The bytes are read once more: what stands in the certificate are the files as they are now.
std::vector<CertificateInput> inputs_of(const LoadedRobot& loaded, const Arguments& arguments) {
  std::vector<CertificateInput> inputs;
  const auto add = [&](const std::string& role, const std::string& file) {
    inputs.push_back(certificate_input(role, file, read_file(file, kMaxDataFileBytes)));
  };
  for (const RobotPart& part : loaded.parts) add("robot", part.file);
  for (const char* option : {"srdf", "scene", "path", "trajectory", "limits"}) {
    const std::string role = std::string(option) == "trajectory" ? "path" : option;
    for (const std::string& entry : arguments.all(option)) add(role, split_prefix("--" + role, entry).value);
  }
  std::vector<std::string> meshes = loaded.meshes;
  std::sort(meshes.begin(), meshes.end());
  meshes.erase(std::unique(meshes.begin(), meshes.end()), meshes.end());
  for (const std::string& mesh : meshes) add("mesh", mesh);
  return inputs;
}

}  // namespace

WrittenCertificate write_certificate(const std::string& file, const PathChecker& checker, const Trajectory& trajectory,
                                     const LoadedRobot& loaded, const std::vector<Assumption>& assumptions,
                                     const Arguments& arguments) {
  CertificateOptions options;
  options.title = "robot " + checker.robot().name() + " (" + loaded.file + ")";
  for (const Assumption& a : assumptions) options.notes.push_back(to_line(a, kNames));
  options.inputs = inputs_of(loaded, arguments);
  return {file, certify(checker, trajectory, file, options)};
}

}  // namespace planner_ccd::cli
