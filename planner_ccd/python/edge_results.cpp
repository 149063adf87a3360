#include "planner_ccd/python/edge_results.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/python/records.hpp"

namespace planner_ccd::python {
namespace {

template <class T, class Of>
py::array_t<T> array(const Batch& batch, const Of& of) {
  py::array_t<T> out(static_cast<py::ssize_t>(batch.edges.size()));
  std::transform(batch.edges.begin(), batch.edges.end(), out.mutable_data(), of);
  return out;
}

py::array contacts(const Batch& batch) {
  std::size_t count = 0, longest = 1;
  for (const Batch::Edge& edge : batch.edges) {
    if (!edge.contact()) continue;
    ++count;
    longest = std::max({longest, edge.contact()->a.size(), edge.contact()->b.size()});
  }
  Records out({{"edge", "<i8"},
               {"a", text_type(longest)},
               {"b", text_type(longest)},
               {"t", "<f8"},
               {"distance", "<f8"},
               {"margin", "<f8"},
               {"error", "<f8"},
               {"point_a", "<f8", 3},
               {"point_b", "<f8", 3},
               {"normal", "<f8", 3},
               {"geometry_a", "<i4"},
               {"geometry_b", "<i4"},
               {"triangle_a", "<i4"},
               {"triangle_b", "<i4"},
               {"inside", "?"},
               {"q", "<f8", batch.dof}},
              count);
  for (std::size_t i = 0; i < batch.edges.size(); ++i) {
    if (!batch.edges[i].contact()) continue;
    const Contact& c = *batch.edges[i].contact();
    out.put(static_cast<std::int64_t>(i));
    out.put(c.a, longest);
    out.put(c.b, longest);
    for (const double number : {c.t, c.distance, c.margin, c.error}) out.put(number);
    for (const Eigen::Vector3d* v : {&c.point_a, &c.point_b, &c.normal}) out.put(*v);
    for (const std::int32_t index : {c.geometry_a, c.geometry_b, c.triangle_a, c.triangle_b}) out.put(index);
    out.put(c.inside);
    out.put(c.q.data(), static_cast<std::size_t>(batch.dof));
  }
  return out.array();
}

/// For campaigns, whose shards say what the numbers mean: verdicts; of the edges that are not free their numbers, t_free, and of the
/// contact t, distance, a and b as numbers in a list of names; and that list. What is not said to be free, and has no contact, is undecided.
py::tuple shard_columns(const Batch& batch) {
  constexpr std::uint8_t kFree = 1, kContact = 2, kUndecided = 3;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  py::array_t<std::uint8_t> verdict(static_cast<py::ssize_t>(batch.edges.size()));
  std::vector<std::uint64_t> index;
  std::vector<double> t_free, t, distance;
  std::vector<std::int32_t> a, b;
  std::map<std::string, std::int32_t> numbers;
  const auto number = [&](const std::string& name) {
    return numbers.try_emplace(name, static_cast<std::int32_t>(numbers.size())).first->second;
  };
  std::uint8_t* out = verdict.mutable_data();
  for (std::size_t i = 0; i < batch.edges.size(); ++i) {
    const Batch::Edge& edge = batch.edges[i];
    const bool free = edge.verdict() == Verdict::Free;
    out[i] = free ? kFree : kUndecided;
    if (free) continue;
    index.push_back(i);
    t_free.push_back(edge.t_free());
    const bool contact = edge.verdict() == Verdict::Contact && edge.contact();
    if (contact) out[i] = kContact;
    t.push_back(contact ? edge.contact()->t : kNone);
    distance.push_back(contact ? edge.contact()->distance : kNone);
    a.push_back(contact ? number(edge.contact()->a) : -1);
    b.push_back(contact ? number(edge.contact()->b) : -1);
  }
  std::vector<std::string> names(numbers.size());
  for (const auto& [name, k] : numbers) names[static_cast<std::size_t>(k)] = name;
  const auto array_of = [](const auto& v) { return py::array(static_cast<py::ssize_t>(v.size()), v.data()); };
  return py::make_tuple(verdict, array_of(index), array_of(t_free), array_of(t), array_of(distance), array_of(a),
                        array_of(b), names);
}

Batch slice(const Batch& batch, const py::slice& which) {
  py::ssize_t start = 0, stop = 0, step = 0, count = 0;
  if (!which.compute(static_cast<py::ssize_t>(batch.edges.size()), &start, &stop, &step, &count)) {
    throw py::error_already_set();
  }
  Batch out{{}, batch.dof, batch.stores, batch.nothing_checked};
  for (py::ssize_t i = 0; i < count; ++i) out.edges.push_back(batch.edges[static_cast<std::size_t>(start + i * step)]);
  return out;
}

}  // namespace

void bind_edge_results(py::module_& module) {
  py::class_<Batch> batch(module, "EdgeResults", "What check_edges found, in the order of the edges.");
  batch.attr("__module__") = "planner_ccd";
  batch
      .def_property_readonly(
          "free",
          [](const Batch& b) {
            return array<bool>(b, [](const Batch::Edge& r) { return r.verdict() == Verdict::Free; });
          },
          "Array of bool: proved free.")
      .def_readonly("nothing_checked", &Batch::nothing_checked, "Free because no pair of bodies is checked at all.")
      .def_property_readonly(
          "verdict",
          [](const Batch& b) {
            return array<std::uint8_t>(b, [](const Batch::Edge& r) { return static_cast<std::uint8_t>(r.verdict()); });
          },
          "Array of uint8: the values of Verdict.")
      .def_property_readonly(
          "t_free", [](const Batch& b) { return array<double>(b, [](const Batch::Edge& r) { return r.t_free(); }); },
          "Array: proved free before this time of each edge, in [0, 1].")
      .def_property_readonly(
          "evaluations",
          [](const Batch& b) {
            return array<std::int64_t>(b, [](const Batch::Edge& r) { return r.counters().evaluations(); });
          },
          "Array of int64: distance evaluations spent on each edge.")
      .def_property_readonly(
          "contacts", &contacts,
          "Structured array, a row for each edge with a contact: `edge`, its number, and the fields of Contact.")
      .def("_shard_columns", &shard_columns)
      .def("__len__", [](const Batch& b) { return b.edges.size(); })
      .def(
          "__getitem__",
          [](const Batch& b, py::ssize_t i) {
            const auto size = static_cast<py::ssize_t>(b.edges.size());
            if (i < -size || i >= size) throw py::index_error("there are " + std::to_string(size) + " edges");
            return b.edges[static_cast<std::size_t>(i < 0 ? i + size : i)].result();
          },
          py::arg("index"), "The EdgeResult of one edge.")
      .def("__getitem__", &slice, py::arg("index"), "The EdgeResults of a slice.")
      .def("__iter__", &iterator_of)
      .def("__repr__", [](const Batch& b) {
        const auto free = std::count_if(b.edges.begin(), b.edges.end(),
                                        [](const Batch::Edge& r) { return r.verdict() == Verdict::Free; });
        return "<planner_ccd.EdgeResults: " + std::to_string(free) + " of " + std::to_string(b.edges.size()) +
               " edges free" + (b.nothing_checked ? ": no pair of bodies is checked>" : ">");
      });
  def_constant(batch);
}

}  // namespace planner_ccd::python
