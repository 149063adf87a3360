#include "planner_ccd/certificate/certificate.hpp"

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/python/checker.hpp"
#include "planner_ccd/python/trajectory.hpp"

namespace planner_ccd::python {
namespace {

/// One path, or a list of them.
std::vector<std::string> files_of(const py::object& argument) {
  if (!py::isinstance<py::list>(argument) && !py::isinstance<py::tuple>(argument)) return {path_of(argument)};
  std::vector<std::string> files;
  for (const py::handle& file : argument) files.push_back(path_of(py::reinterpret_borrow<py::object>(file)));
  return files;
}

/// Files by what they are, read here.
std::vector<CertificateInput> inputs_of(const std::map<std::string, py::object>& files) {
  std::vector<CertificateInput> inputs;
  for (const auto& [role, names] : files) {
    for (const std::string& name : files_of(names)) {
      inputs.push_back(certificate_input(role, name, read_file(name, kMaxDataFileBytes)));
    }
  }
  return inputs;
}

CertificateResult certify_motion(Checker& c, const std::variant<const PyTrajectory*, py::object>& motion,
                                 const py::object& file, const py::object& title,
                                 const std::map<std::string, py::object>& inputs) {
  if (c.setup().errors.any()) {
    throw InputError("certify: a certificate knows no errors of the motion; ask a checker without them");
  }
  std::vector<Assumption> assumed = c.assumed();
  Trajectory trajectory;
  if (const auto* given = std::get_if<const PyTrajectory*>(&motion)) {
    require_same_joints(c.get().robot(), *(*given)->robot.model);
    trajectory = (*given)->trajectory;
    merge(assumed, (*given)->assumptions);
  } else {
    JointPath path;
    path.waypoints = c.configurations(std::get<py::object>(motion), "path");
    trajectory = make_trajectory(c.get().robot(), path);
  }
  CertificateOptions options;
  if (!title.is_none()) options.title = title.cast<std::string>();
  for (const Assumption& a : assumed) options.notes.push_back(to_line(a, 50));
  options.inputs = inputs_of(inputs);
  const std::string to = path_of(file);
  const py::gil_scoped_release release;
  return certify(c.get(), trajectory, to, options);
}

}  // namespace

void bind_certify(py::class_<Checker>& checker) {
  checker.def("certify", &certify_motion, py::arg("path"), py::arg("file"), py::kw_only(),
              py::arg("title") = py::none(), py::arg("inputs") = py::dict(),
              "Write a proof that a motion is free: a file that planner_ccd.verify and the program planner_ccd_verify "
              "check on\n"
              "their own. Nothing is written when there is no proof. path: a Trajectory, or waypoints in rows, whose "
              "angles are\n"
              "literal. title: what the motion is, for people. inputs: the files that robot, scene and motion were "
              "read from, by\n"
              "what they are ('robot', 'srdf', 'scene', 'path', 'limits', 'mesh'; one or a list), for their SHA-256 to "
              "stand in it.\n\n"
              "    >>> checker.certify(path[:4], 'way.pccd', inputs={'robot': root / 'urdf/puma.urdf'}).proved\n"
              "    True\n"
              "    >>> planner_ccd.verify('way.pccd', inputs=[root / 'urdf/puma.urdf']).verified\n"
              "    True");
}

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
