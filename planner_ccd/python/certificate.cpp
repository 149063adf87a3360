#include "planner_ccd/certificate/certificate.hpp"

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/rounding.hpp"
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
std::vector<InputFile> inputs_of(const std::map<std::string, py::object>& files) {
  std::vector<InputFile> inputs;
  for (const auto& [role, names] : files) {
    for (const std::string& name : files_of(names)) {
      inputs.push_back(input_file(role, name, read_file(name, kMaxDataFileBytes)));
    }
  }
  return inputs;
}

/// Motions that have nothing to do with each other, a segment each, by their control points: n x points x dof.
Trajectory separate_motions(const Checker& c, const py::array_t<double>& points) {
  c.require_size(points.shape(2), "path");
  Trajectory out;
  out.timed = false;
  for (py::ssize_t i = 0; i < points.shape(0); ++i) {
    const Eigen::Map<const Eigen::MatrixXd> columns(points.data(i, 0, 0), points.shape(2), points.shape(1));
    const auto begin = static_cast<double>(i);
    out.segments.push_back(bezier_trajectory(c.get().robot(), columns, begin, begin + 1.0).segments.front());
  }
  return out;
}

Trajectory motion_of(const Checker& c, const py::object& given) {
  const auto points = numbers(given, "path");
  if (points.ndim() == 3) return separate_motions(c, points);
  JointPath path;
  path.waypoints = c.configurations(given, "path");
  return make_trajectory(c.get().robot(), path);
}

/// The proof is to hold for joint values within these, too: they are part of the segments' tubes.
void add_errors(const RobotModel& robot, const std::vector<JointVector>& errors, Trajectory& trajectory) {
  if (errors.empty()) return;
  if (errors.size() != trajectory.segments.size()) {
    throw InputError("the motion has " + std::to_string(trajectory.segments.size()) + " segments, and errors of " +
                     std::to_string(errors.size()));
  }
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (!(errors[i].allFinite() && errors[i].minCoeff() >= 0.0)) {
      throw InputError("the errors of segment " + std::to_string(i) +
                       " must be a number >= 0 for each coordinate of the robot");
    }
    for (std::size_t k = 0; k < robot.coordinates().size(); ++k) {
      const double error = errors[i][static_cast<Eigen::Index>(k)];
      if (error == 0.0) continue;
      const Coordinate& coordinate = robot.coordinates()[k];
      if (robot.joints()[static_cast<std::size_t>(coordinate.joint)].type == JointType::Floating) {
        throw InputError("segment_errors: '" + coordinate.name +
                         "' belongs to a floating joint, whose errors a certificate does not know");
      }
      double& tube = trajectory.segments[i].error[k];
      tube = add_up(tube, error);
    }
  }
}

CertificateResult certify_motion(Checker& c, const std::variant<const PyTrajectory*, py::object>& motion,
                                 const py::object& file, const py::object& title,
                                 const std::map<std::string, py::object>& inputs, const py::object& segment_errors) {
  if (c.setup().errors.any()) {
    throw InputError("certify: a certificate knows no errors of a checker; ask one without them, with segment_errors");
  }
  std::vector<Assumption> assumed = c.assumed();
  Trajectory trajectory;
  if (const auto* given = std::get_if<const PyTrajectory*>(&motion)) {
    require_motion_of(c.get().robot(), *(*given)->robot.model);
    trajectory = (*given)->trajectory;
    merge(assumed, (*given)->assumptions);
  } else {
    trajectory = motion_of(c, std::get<py::object>(motion));
  }
  const std::vector<JointVector> errors = segment_errors_of(segment_errors);
  require_segment_errors(c.get().robot(), errors);
  add_errors(c.get().robot(), errors, trajectory);
  CertificateOptions options;
  if (!title.is_none()) options.title = title.cast<std::string>();
  for (const Assumption& a : assumed) options.notes.push_back(certificate_note(a));
  options.inputs = inputs_of(inputs);
  const std::string to = path_of(file);
  const py::gil_scoped_release release;
  return certify(c.get(), trajectory, to, options);
}

}  // namespace

void bind_certify(py::class_<Checker>& checker) {
  checker.def("certify", &certify_motion, py::arg("path"), py::arg("file"), py::kw_only(),
              py::arg("title") = py::none(), py::arg("inputs") = py::dict(), py::arg("segment_errors") = py::none(),
              "Write a proof that a motion is free: a file that planner_ccd.verify and the program planner_ccd_verify "
              "check on\n"
              "their own. Nothing is written when there is no proof. path: a Trajectory; or waypoints in rows, whose "
              "angles are\n"
              "literal; or many motions of their own, an array n x points x joints: control points of Bezier curves, "
              "of lines two.\n"
              "title: what the motion is, for people. inputs: the files that robot, scene and motion were read from, "
              "by what they\n"
              "are ('robot', 'srdf', 'scene', 'path', 'limits', 'mesh'; one or a list), for their SHA-256 to stand in "
              "it.\n"
              "segment_errors: a row a segment, a column a coordinate: the proof also holds for joint values off by "
              "that.\n\n"
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
      .def_readonly("statement_sha256", &CertificateResult::statement_sha256,
                    "Of what is proved, in hex: what model.py makes of the same files.")
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
      .def_readonly("statement_sha256", &Verification::statement_sha256,
                    "Of what is proved, in hex, as model.py makes it of the files; empty unless verified.")
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
