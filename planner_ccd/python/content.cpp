#include "planner_ccd/python/content.hpp"

#include "planner_ccd/math/stored_versions.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::python {
namespace {

constexpr std::size_t kDigest = 32;

/// Everything that a pickle's content depends on but itself.
std::string head_of(const std::string& type) {
  return "planner_ccd " PLANNER_CCD_VERSION ", pickle " + std::to_string(stored::kPickles) + ", verdicts " +
         std::to_string(stored::kVerdicts) + ": " + type + "\n";
}

std::string digest(std::string_view bytes) { return sha256(bytes).attr("digest")().cast<std::string>(); }

}  // namespace

std::string sealed(const std::string& type, const std::string& content) {
  std::string bytes = head_of(type) + content;
  bytes += digest(bytes);
  return bytes;
}

std::string unsealed(const std::string& type, const py::object& state) {
  const auto fail_version = [] {
    throw InputError("pickle: was made by another version of planner_ccd; this is " PLANNER_CCD_VERSION);
  };
  if (py::isinstance<py::tuple>(state)) fail_version();  // as before 0.3
  if (!py::isinstance<py::bytes>(state)) Reader::fail();
  auto bytes = state.cast<std::string>();
  if (bytes.size() < kDigest) Reader::fail();
  const std::string_view all(bytes.data(), bytes.size() - kDigest);
  if (digest(all) != std::string_view(bytes).substr(all.size())) Reader::fail();
  const std::size_t line = all.find('\n');
  if (line == std::string_view::npos) Reader::fail();
  const std::string head = head_of(type);
  const auto versions = [](std::string_view text) { return text.substr(0, text.find(": ")); };
  if (versions(all.substr(0, line)) != versions(head)) fail_version();
  if (all.substr(0, line + 1) != head) Reader::fail();
  return bytes.substr(head.size(), all.size() - head.size());
}

}  // namespace planner_ccd::python
