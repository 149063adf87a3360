#include "planner_ccd/certificate/certificate.hpp"

#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {
namespace {

/// One path, or a list of them.
std::vector<std::string> files_of(const py::object& argument) {
  if (!py::isinstance<py::list>(argument) && !py::isinstance<py::tuple>(argument)) return {path_of(argument)};
  std::vector<std::string> files;
  for (const py::handle& file : argument) files.push_back(path_of(py::reinterpret_borrow<py::object>(file)));
  return files;
}

}  // namespace

void bind_certificate(py::module_& module) {
  py::class_<CertificateResult> made(module, "CertificateResult", "What became of PathChecker.certify.");
  made.attr("__module__") = "planner_ccd";
  made.def_readonly("proved", &CertificateResult::proved, "The file was written, and the verifier accepts it.")
      .def_readonly("obstacle", &CertificateResult::obstacle, "Why not: pair, segment and time; else empty.")
      .def_readonly("sha256", &CertificateResult::sha256, "Of the file, in hex.")
      .def_readonly("size", &CertificateResult::size, "Of the file, in bytes.")
      .def_readonly("leaves", &CertificateResult::leaves, "Volumes and intervals that were proved apart.")
      .def("__repr__", [](const CertificateResult& r) {
        return "<planner_ccd.CertificateResult: " + (r.proved ? "proved, SHA-256 " + r.sha256 : "none: " + r.obstacle) +
               ">";
      });

  py::class_<Verification> verification(module, "Verification", "What a verifier says of a certificate.");
  verification.attr("__module__") = "planner_ccd";
  verification.def_readonly("verified", &Verification::verified, "What it states is proved by it.")
      .def_readonly("readable", &Verification::readable, "False: this is no certificate, or a damaged one.")
      .def_readonly("reason", &Verification::reason, "Why it is not verified; else empty.")
      .def_readonly("statement", &Verification::statement, "What is proved, in plain words; empty if unreadable.")
      .def_readonly("statement_sha256", &Verification::statement_sha256, "Of what is stated, in hex.")
      .def_readonly("leaves", &Verification::leaves, "Volumes and intervals that were found apart.")
      .def("__bool__", [](const Verification& v) { return v.verified; })
      .def("__repr__", [](const Verification& v) {
        const std::string answer = v.verified ? "verified" : (v.readable ? "refuted: " : "unreadable: ") + v.reason;
        return "<planner_ccd.Verification: " + answer + ">";
      });

  def_constant(made);
  def_constant(verification);

  module.def(
      "verify",
      [](const py::object& files, const py::object& inputs) {
        const std::vector<std::string> parts = files_of(files), given = files_of(inputs);
        const py::gil_scoped_release release;
        return verify_certificate(parts, given);
      },
      py::arg("file"), py::arg("inputs") = py::tuple(),
      "Check a certificate by itself, without robot, scene or search: a Verification.\n\n"
      "file: a path; or a list of them, the parts of one proof. inputs: files (robot, scene, ...) that must be among\n"
      "those that the certificate speaks of, by their SHA-256.\n\n"
      "    >>> made = checker.certify(path[:4], 'way.pccd')\n"
      "    >>> planner_ccd.verify('way.pccd').verified\n"
      "    True");
}

}  // namespace planner_ccd::python
