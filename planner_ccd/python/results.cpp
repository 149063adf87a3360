#include <sstream>

#include "planner_ccd/python/options.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/validation/assumptions.hpp"

namespace planner_ccd::python {
namespace {

std::string contact_text(const Contact& c) {
  std::ostringstream text;
  text << c.a << " and " << c.b << " at t = " << c.t;
  if (c.margin > 0.0) text << ", " << c.distance << " m apart, margin " << c.margin << " m";
  return text.str();
}

std::string edge_text(const EdgeResult& r) {
  std::ostringstream text;
  text << (r.nothing_checked ? "nothing was checked, and so free" : to_string(r.verdict));
  if (r.contact) text << " of " << contact_text(*r.contact);
  if (r.verdict == Verdict::Undecided) text << ", proved before t = " << r.t_free;
  return text.str();
}

template <class T>
py::class_<T> result_class(py::module_& module, const char* name, const char* doc) {
  py::class_<T> type(module, name, doc);
  type.attr("__module__") = "planner_ccd";
  def_constant(type);
  return type;
}

}  // namespace

namespace {

void bind_contact(py::module_& module) {
  result_class<Contact>(module, "Contact", "Where a motion meets something. Points and normal are in the world frame.")
      .def_readonly("a", &Contact::a, "Link or attached object.")
      .def_readonly("b", &Contact::b, "Link, attached object or obstacle.")
      .def_readonly("t", &Contact::t, "Time of the witness, in [0, 1] of the edge.")
      .def_readonly("distance", &Contact::distance, "Metres at t, rounded up.")
      .def_readonly("error", &Contact::error, "In metres: by how much errors may bring the two points nearer, at most.")
      .def_readonly("margin", &Contact::margin,
                    "Metres demanded of the pair: beyond `distance`, they come too near and need not touch.")
      .def_readonly("point_a", &Contact::point_a, "On a at t, in metres.")
      .def_readonly("point_b", &Contact::point_b, "On b at t, in metres.")
      .def_readonly("normal", &Contact::normal, "Unit, from b to a.")
      .def_readonly("triangle_a", &Contact::triangle_a,
                    "Index in the mesh of geometry_a, the number of its point or cell; -1 for other shapes.")
      .def_readonly("triangle_b", &Contact::triangle_b,
                    "Index in the mesh of geometry_b, the number of its point or cell; -1 for other shapes.")
      .def_readonly("geometry_a", &Contact::geometry_a, "Which collision element of a.")
      .def_readonly("geometry_b", &Contact::geometry_b, "Which collision element of b.")
      .def_readonly("inside", &Contact::inside, "One closed body lies inside the other; no surfaces meet.")
      .def_readonly("q", &Contact::q, "Configuration at t.")
      .def("__repr__", [](const Contact& c) { return "<planner_ccd.Contact of " + contact_text(c) + ">"; });
}

void bind_edge_result(py::module_& module) {
  auto edge = result_class<EdgeResult>(module, "EdgeResult", "What a check of one edge found.");
  edge.def_readonly("verdict", &EdgeResult::verdict, "A Verdict.")
      .def_property_readonly(
          "free", [](const EdgeResult& r) { return r.verdict == Verdict::Free; }, "Proved free.")
      .def_readonly("nothing_checked", &EdgeResult::nothing_checked,
                    "Free because no pair of bodies is checked at all.")
      .def_readonly("t_free", &EdgeResult::t_free, "Proved free before this time; 1 when free.")
      .def_readonly("contact", &EdgeResult::contact, "A Contact, or None.")
      .def_property_readonly(
          "undecided_pair",
          [](const EdgeResult& r) {
            return r.undecided_pair ? py::object(py::make_tuple(r.undecided_pair->a, r.undecided_pair->b))
                                    : py::object(py::none());
          },
          "When undecided: names of a pair that is not settled, where one is known; else None.")
      .def_property_readonly(
          "evaluations", [](const EdgeResult& r) { return r.counters.evaluations(); }, "Distance evaluations spent.")
      .def("__repr__", [](const EdgeResult& r) { return "<planner_ccd.EdgeResult: " + edge_text(r) + ">"; });
  def_old_names(edge, {{"open", "undecided_pair"}});
}

void bind_path_result(py::module_& module) {
  result_class<PathResult>(module, "PathResult", "What a check of a path found.")
      .def_readonly("verdict", &PathResult::verdict, "A Verdict.")
      .def_property_readonly(
          "free", [](const PathResult& r) { return r.verdict == Verdict::Free; }, "Proved free.")
      .def_readonly("nothing_checked", &PathResult::nothing_checked,
                    "Free because no pair of bodies is checked at all.")
      .def_readonly("segments", &PathResult::segments, "How many there are; 0 when the robot rests.")
      .def_readonly("segment", &PathResult::segment, "The first that is not free; -1 when all are.")
      .def_readonly("edge", &PathResult::edge, "The EdgeResult of that segment.")
      .def_property_readonly(
          "evaluations", [](const PathResult& r) { return r.counters.evaluations(); }, "Distance evaluations spent.")
      .def("__repr__", [](const PathResult& r) {
        const std::string segment = r.segment < 0 ? "" : " in segment " + std::to_string(r.segment) + ":";
        return "<planner_ccd.PathResult of " + std::to_string(r.segments) + " segments:" + segment + " " +
               edge_text(r.segment < 0 ? EdgeResult{r.verdict, 1.0, {}, {}, r.nothing_checked, {}} : r.edge) + ">";
      });
}

void bind_nearest_pair(py::module_& module) {
  result_class<NearestPair>(module, "NearestPair", "How near the robot is to anything, certified from both sides.")
      .def_readonly("lower", &NearestPair::lower, "Metres: no pair is nearer; inf when there is no pair.")
      .def_readonly("upper", &NearestPair::upper, "Metres: the distance of the two points, rounded up.")
      .def_readonly("a", &NearestPair::a, "Link or attached object; empty when there is no pair.")
      .def_readonly("b", &NearestPair::b, "Link, attached object or obstacle; empty when there is no pair.")
      .def_readonly("point_a", &NearestPair::point_a, "On a, in metres, in the world.")
      .def_readonly("point_b", &NearestPair::point_b, "On b, in metres, in the world.")
      .def("__repr__", [](const NearestPair& c) {
        std::ostringstream text;
        text << "<planner_ccd.NearestPair: " << c.lower << " m";
        if (!c.a.empty()) text << " between " << c.a << " and " << c.b;
        return text.str() + ">";
      });
}

}  // namespace

void bind_results(py::module_& module) {
  result_class<InputFile>(module, "InputFile", "A file that robot, scene or motion were read from.")
      .def_readonly("role", &InputFile::role, "'robot', 'srdf', 'scene', 'path', 'limits', 'mesh', 'scan', ...")
      .def_readonly("path", &InputFile::path, "Where it was.")
      .def_readonly("size", &InputFile::size, "In bytes.")
      .def_property_readonly("sha256", &InputFile::sha256_hex, "In hex, of the bytes that were read.")
      .def("__repr__", [](const InputFile& f) { return "<planner_ccd.InputFile: " + f.role + " " + f.path + ">"; });

  result_class<Assumption>(module, "Assumption", "Something a verdict relies on that is not checked.")
      .def_property_readonly(
          "kind", [](const Assumption& a) { return to_string(a.kind); },
          "'no_inside', 'no_geometry', 'excluded', 'allowed_for_all', ...")
      .def_readonly("by", &Assumption::by, "Its origin: 'adjacent', 'disabled', ...; may be empty.")
      .def_readonly("text", &Assumption::text, "One line, without the names.")
      .def_readonly("names", &Assumption::names, "Links, objects or files.")
      .def_readonly("pairs", &Assumption::pairs, "Pairs of links and objects.")
      .def("__repr__", [](const Assumption& a) { return "<planner_ccd.Assumption: " + to_line(a, 3) + ">"; });
  bind_contact(module);
  bind_edge_result(module);
  bind_path_result(module);
  bind_nearest_pair(module);
}

}  // namespace planner_ccd::python
