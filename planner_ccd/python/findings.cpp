#include <algorithm>
#include <sstream>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/motion_limits_file.hpp"
#include "planner_ccd/python/records.hpp"
#include "planner_ccd/python/report.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd::python {

template <class A>
void describe(A& a, Of<A, TimeBracket>& v) {
  a(v.from, v.to);
}
template <class A>
void describe(A& a, Of<A, DepthSample>& v) {
  a(v.time, v.depth, v.point);
}
template <class A>
void describe(A& a, Of<A, Finding>& v) {
  a.choice(v.kind, kLastFindingKind);
  a.choice(v.severity, Severity::Warning);
  a(v.segment, v.begin, v.end, v.has_end, v.message, v.contact, v.depth, v.coordinate, v.joint, v.value, v.limit, v.at);
}
template <class A>
void describe(A& a, Of<A, PairClearance>& v) {
  a(v.a, v.b, v.lower, v.upper, v.known, v.segment, v.time, v.point_a, v.point_b);
}
namespace {

py::array profile_of(const PyReport& report) {
  std::size_t longest = 1;
  for (const ClearancePiece& p : report.result.profile) {
    longest = std::max({longest, p.nearest.a.size(), p.nearest.b.size()});
  }
  Records out({{"begin", "<f8"},
               {"end", "<f8"},
               {"lower", "<f8"},
               {"upper", "<f8"},
               {"known", "?"},
               {"time", "<f8"},
               {"a", text_type(longest)},
               {"b", text_type(longest)}},
              report.result.profile.size());
  for (const ClearancePiece& p : report.result.profile) {
    for (const double number : {p.from, p.to, p.nearest.lower, p.nearest.upper}) out.put(number);
    out.put(p.nearest.known);
    out.put(p.nearest.time);
    out.put(p.nearest.a, longest);
    out.put(p.nearest.b, longest);
  }
  return out.array();
}

void bind_finding(py::module_& module) {
  py::class_<Finding> finding(module, "Finding",
                              "One thing that is wrong with a trajectory. Times in seconds, on its clock.");
  finding.attr("__module__") = "planner_ccd";
  finding
      .def_property_readonly(
          "kind", [](const Finding& f) { return to_string(f.kind); },
          "'contact', 'contact_at_start', 'contact_at_end', 'margin', 'undecided', 'joint_limit', 'velocity_limit',\n"
          "'acceleration_limit', 'jerk_limit', 'start_jump', 'time_not_increasing' or 'full_turn'.")
      .def_property_readonly(
          "error", [](const Finding& f) { return f.severity == Severity::Error; }, "False: a warning.")
      .def_readonly("segment", &Finding::segment, "In which segment it begins.")
      .def_property_readonly(
          "begin", [](const Finding& f) { return std::pair(f.begin.from, f.begin.to); },
          "It is proved absent before the first time, and present at the second.")
      .def_property_readonly(
          "end",
          [](const Finding& f) {
            return f.has_end ? py::object(py::make_tuple(f.end.from, f.end.to)) : py::object(py::none());
          },
          "It is present at the first time, and proved absent from the second; None: not looked for.")
      .def_readonly("message", &Finding::message, "One line for people.")
      .def_readonly("contact", &Finding::contact,
                    "Of contacts and margins: a Contact, whose t is in the segment's [0, 1].")
      .def_property_readonly(
          "depth",
          [](const Finding& f) { return f.depth ? py::object(py::float_(f.depth->depth)) : py::object(py::none()); },
          "Metres that the two must move to part, at the deepest instant looked at; None: not known.")
      .def_readonly("joint", &Finding::joint, "Of limits: the coordinate's name; else empty.")
      .def_readonly("value", &Finding::value,
                    "Of limits the worst value (rad, m, per s, per s^2, per s^3); of margins metres.")
      .def_readonly("limit", &Finding::limit, "What it had to keep to.")
      .def_readonly("at", &Finding::at, "When the worst value is reached.")
      .def("__repr__", [](const Finding& f) {
        return "<planner_ccd.Finding: " + std::string(to_string(f.kind)) + ": " + f.message + ">";
      });
  def_constant(finding);
}

void bind_pair_clearance(py::module_& module) {
  py::class_<PairClearance> pair(module, "PairClearance",
                                 "The least distance of a pair over a whole trajectory, certified from both sides.");
  pair.attr("__module__") = "planner_ccd";
  pair.def_readonly("a", &PairClearance::a, "Link or attached object.")
      .def_readonly("b", &PairClearance::b, "Link, attached object or obstacle.")
      .def_readonly("lower", &PairClearance::lower, "Metres: never nearer than this; 0 where that is not known.")
      .def_readonly("upper", &PairClearance::upper, "Metres: this near at `time`.")
      .def_readonly("known", &PairClearance::known,
                    "False: max_evaluations ran out before a lower bound was proved, so that lower says nothing.")
      .def_readonly("segment", &PairClearance::segment, "The segment in which they are nearest.")
      .def_readonly("time", &PairClearance::time, "Seconds.")
      .def_readonly("point_a", &PairClearance::point_a, "On a at `time`, in metres, in the world.")
      .def_readonly("point_b", &PairClearance::point_b, "On b at `time`, in metres, in the world.")
      .def("__repr__", [](const PairClearance& c) {
        std::ostringstream text;
        text << "<planner_ccd.PairClearance: ";
        if (c.known) {
          text << c.lower << " m";
        } else {
          text << "not known, at most " << c.upper << " m";
        }
        text << " between " << c.a << " and " << c.b << " at " << c.time << " s>";
        return text.str();
      });
  def_constant(pair);
}

/// The robot's own limits where `given` is None.
void fill(std::vector<double>& into, const py::object& given, const std::string& what, bool positive) {
  if (given.is_none()) return;
  const JointVector v = vector_of(given, what);
  if (v.size() != static_cast<Eigen::Index>(into.size()) || (positive && !(v.array() > 0.0).all())) {
    throw InputError(what + ": must be " + std::to_string(into.size()) + (positive ? " positive" : "") + " numbers");
  }
  into.assign(v.begin(), v.end());
}

PyMotionLimits limits_of(const Robot& robot, const py::object& velocity, const py::object& acceleration,
                         const py::object& lower, const py::object& upper, const py::object& jerk) {
  PyMotionLimits made{motion_limits(*robot.model), {}};
  fill(made.limits.velocity, velocity, "velocity", true);
  fill(made.limits.acceleration, acceleration, "acceleration", true);
  fill(made.limits.lower, lower, "lower", false);
  fill(made.limits.upper, upper, "upper", false);
  fill(made.limits.jerk, jerk, "jerk", true);
  for (std::size_t i = 0; i < made.limits.lower.size(); ++i) {
    if (!(made.limits.lower[i] <= made.limits.upper[i])) {
      throw InputError("lower: is above upper for '" + robot.model->coordinates()[i].name + "'");
    }
  }
  return made;
}

void bind_limits(py::module_& module) {
  py::class_<PyMotionLimits> limits(module, "MotionLimits",
                                    "Positions, velocities, accelerations and jerks that joints may have.");
  limits.attr("__module__") = "planner_ccd";
  const auto list = [&](const char* name, std::vector<double> MotionLimits::*member, const char* text) {
    limits.def_property_readonly(
        name, [member](const PyMotionLimits& m) { return m.limits.*member; }, text);
  };
  limits
      .def(py::init(&limits_of), py::arg("robot"), py::kw_only(), py::arg("velocity") = py::none(),
           py::arg("acceleration") = py::none(), py::arg("lower") = py::none(), py::arg("upper") = py::none(),
           py::arg("jerk") = py::none(),
           "velocity: rad/s or m/s by coordinate; without it the robot's own. acceleration: rad/s^2 or m/s^2; inf: "
           "none.\n"
           "lower, upper: rad or m; without them the robot's own. jerk: rad/s^3 or m/s^3; inf: none.")
      .def_static(
          "load",
          [](const Robot& robot, const py::object& file, const std::string& prefix) {
            PyMotionLimits made;
            const FilesRead noted(made.inputs, "limits");
            Loaded<MotionLimits> loaded = load_motion_limits(path_of(file), *robot.model, prefix);
            made.limits = std::move(loaded.value);
            made.warnings = std::move(loaded.warnings);
            return made;
          },
          py::arg("robot"), py::arg("file"), py::arg("prefix") = "",
          "From MoveIt's joint_limits.yaml. prefix: what stands before its joint names in this robot. Its positions\n"
          "narrow the robot's own; what is no part of a check is named in `warnings`.\n\n"
          "    >>> open('limits.yaml', 'w').write('joint_limits: {joint1: {has_velocity_limits: true, max_velocity: "
          "2.0}}')\n"
          "    70\n"
          "    >>> planner_ccd.MotionLimits.load(robot, 'limits.yaml').velocity[0]\n"
          "    2.0")
      .def_readonly("warnings", &PyMotionLimits::warnings, "What loading remarked.")
      .def("__repr__", [](const PyMotionLimits& m) {
        return "<planner_ccd.MotionLimits of " + std::to_string(m.limits.velocity.size()) + " coordinates>";
      });
  list("velocity", &MotionLimits::velocity, "rad/s or m/s by coordinate; inf where there is none.");
  list("acceleration", &MotionLimits::acceleration, "rad/s^2 or m/s^2; inf where there is none.");
  list("lower", &MotionLimits::lower, "rad or m by coordinate; -inf where there is none.");
  list("upper", &MotionLimits::upper, "rad or m by coordinate; inf where there is none.");
  list("jerk", &MotionLimits::jerk, "rad/s^3 or m/s^3; inf where there is none.");
  def_constant(limits);
}

}  // namespace

std::string frame_of(const std::string& page) {
  std::string escaped;
  for (const char c : page) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return "<iframe style=\"width:100%;height:600px;border:0\" srcdoc=\"" + escaped + "\"></iframe>";
}

namespace {

void bind_answer(py::class_<PyReport>& report) {
  report
      .def_property_readonly(
          "verdict", [](const PyReport& r) { return r.result.verdict; }, "About collision alone.")
      .def_property_readonly(
          "free", [](const PyReport& r) { return r.result.verdict == Verdict::Free; }, "Proved free.")
      .def_property_readonly(
          "ok",
          [](const PyReport& r) {
            return r.result.verdict == Verdict::Free && !r.result.has_errors() && !r.result.nothing_checked;
          },
          "Proved free, with something to check, and nothing else is wrong.")
      .def_property_readonly(
          "nothing_checked", [](const PyReport& r) { return r.result.nothing_checked; },
          "Free because no pair of bodies is checked at all.")
      .def_property_readonly(
          "headline", [](const PyReport& r) { return headline(r.report()); }, "The answer in one line.")
      .def_property_readonly(
          "question",
          [](const PyReport& r) {
            py::dict words;
            for (const auto& [name, text] : in_words(r.report().question)) words[py::str(name)] = text;
            return words;
          },
          "What was asked, in plain words: a dict of robot, world, motion, pairs, distance, ...")
      .def_property_readonly("warnings", &PyReport::warnings,
                             "What loading robot, scene and motion remarked: a list of InputWarning.")
      .def_property_readonly("inputs", &PyReport::inputs,
                             "Files that robot, scene and motion were read from: a list of InputFile.");
}

void bind_numbers(py::class_<PyReport>& report) {
  report
      .def_property_readonly(
          "not_looked_at", [](const PyReport& r) { return r.report().not_looked_at; },
          "Parts of the question that the check did not get to, or was not asked: a line each.")
      .def_property_readonly(
          "segments", [](const PyReport& r) { return r.result.segments; },
          "How many there are; 0 when the robot rests.")
      .def_property_readonly(
          "segment", [](const PyReport& r) { return r.result.segment; }, "The first that is not free; -1 when all are.")
      .def_property_readonly(
          "edge", [](const PyReport& r) { return r.result.edge; }, "The EdgeResult of that segment.")
      .def_property_readonly(
          "findings", [](const PyReport& r) { return r.result.findings; }, "A list of Finding, in order of time.")
      .def_property_readonly(
          "clearance", [](const PyReport& r) { return r.result.clearance; },
          "A list of PairClearance, the nearest first; empty when not asked for.")
      .def_property_readonly(
          "clearance_of_others", [](const PyReport& r) { return r.result.clearance_of_others; },
          "Metres: all pairs that clearance does not list stay at least so far apart; 0 where that is not known or "
          "was\n"
          "not asked for, inf when it lists all.")
      .def_property_readonly(
          "profile", &profile_of,
          "Structured array: the least distance in metres during pieces of the motion that leave\n"
          "nothing out; empty when not asked for. Where known is False, lower is 0 and says nothing.")
      .def_property_readonly(
          "evaluations",
          [](const PyReport& r) { return r.result.counters.evaluations() + r.result.clearance_counters.evaluations(); },
          "Distance evaluations spent.")
      .def_readonly("assumptions", &PyReport::assumptions, "What the verdict relies on: a list of Assumption.")
      .def_readonly("trajectory", &PyReport::trajectory, "What was checked.");
}

void bind_views(py::class_<PyReport>& report) {
  report
      .def("html", &PyReport::html,
           "A page that shows the robot moving and where it hits: one text that any browser opens.\n\n"
           "    >>> checker.check_trajectory(planner_ccd.Trajectory(robot, path)).html()[:15]\n"
           "    '<!doctype html>'")
      .def(
          "text", [](const PyReport& r, bool assumptions) { return report_text(r.report(), assumptions); },
          py::arg("assumptions") = false,
          "What `planner_ccd check` prints. assumptions: name all that the verdict relies on.\n\n"
          "    >>> checker.check_trajectory(planner_ccd.Trajectory(robot, path)).text()[:29]\n"
          "    'contact: gripper meets car in'")
      .def(
          "junit",
          [](const PyReport& r) {
            const std::vector<CheckedFile> one{{"", r.report(), ""}};
            return reports_junit(one);
          },
          "The findings as JUnit XML, for CI: a test case a kind.\n\n"
          "    >>> 'failures=\"1\"' in checker.check_trajectory(planner_ccd.Trajectory(robot, path)).junit()\n"
          "    True")
      .def(
          "json", [](const PyReport& r) { return report_json(r.report()); },
          "What `planner_ccd check --json` prints.\n\n"
          "    >>> import json\n"
          "    >>> json.loads(checker.check_trajectory(planner_ccd.Trajectory(robot, path)).json())['verdict']\n"
          "    'contact'")
      .def("_repr_html_", [](const PyReport& r) { return frame_of(r.html()); })
      .def("__str__", [](const PyReport& r) { return report_text(r.report()); })
      .def("__repr__", [](const PyReport& r) {
        const std::size_t warnings = r.warnings().size();
        return "<planner_ccd.TrajectoryResult: " +
               std::string(r.result.nothing_checked ? "nothing was checked" : to_string(r.result.verdict)) + ", " +
               std::to_string(r.result.findings.size()) + " findings" +
               (warnings == 0 ? "" : ", " + std::to_string(warnings) + " warnings") + ">";
      });
}

}  // namespace

void bind_findings(py::module_& module) {
  bind_finding(module);
  bind_pair_clearance(module);
  bind_limits(module);
  py::class_<PyReport> report(module, "TrajectoryResult",
                              "What check_trajectory found: what is wrong, and how near things come.");
  report.attr("__module__") = "planner_ccd";
  bind_answer(report);
  bind_numbers(report);
  bind_views(report);
}

}  // namespace planner_ccd::python
