#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/python/records.hpp"
#include "planner_ccd/query/batch/detail/parallel.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::python {
namespace {

/// n x corners x 3 numbers.
py::array_t<double> corners_of(const py::object& argument, py::ssize_t corners, const std::string& what) {
  auto array = numbers(argument, 3, what);
  if (array.shape(1) == corners && array.shape(2) == 3) return array;
  throw InputError(what + ": must be n x " + std::to_string(corners) + " x 3 numbers");
}

/// A corner of one motion.
struct Corners {
  const double *start, *end;

  MovingPoint operator()(int i) const {
    return {Eigen::Map<const Eigen::Vector3d>(start + 3 * i), Eigen::Map<const Eigen::Vector3d>(end + 3 * i)};
  }
};

LeafResult vertex_face(const LeafKernel& kernel, const Corners& x, const LeafOptions& options) {
  return kernel.decide(VertexFaceMotion{x(0), {x(1), x(2), x(3)}}, options);
}
LeafResult edge_edge(const LeafKernel& kernel, const Corners& x, const LeafOptions& options) {
  return kernel.decide(EdgeEdgeMotion{{x(0), x(1)}, {x(2), x(3)}}, options);
}
LeafResult triangles(const LeafKernel& kernel, const Corners& x, const LeafOptions& options) {
  return triangle_ccd(kernel, {x(0), x(1), x(2)}, {x(3), x(4), x(5)}, options);
}

py::array ask(const std::string& kind, const py::object& start, const py::object& end, const std::string& leaf,
              double min_separation, double tolerance, double t_max, int max_iterations, int threads) {
  const auto decide = kind == "vertex_face" ? vertex_face : kind == "edge_edge" ? edge_edge : triangles;
  if (kind != "vertex_face" && kind != "edge_edge" && kind != "triangles") {
    throw InputError("kind: must be 'vertex_face', 'edge_edge' or 'triangles'");
  }
  const py::ssize_t corners = kind == "triangles" ? 6 : 4;
  const auto from = corners_of(start, corners, "start"), to = corners_of(end, corners, "end");
  if (from.shape(0) != to.shape(0)) throw InputError("start and end must be as many");
  if (!(min_separation >= 0.0) || !(tolerance > 0.0) || !(t_max >= 0.0 && t_max <= 1.0) || max_iterations < 1) {
    throw InputError("min_separation must be >= 0, tolerance > 0, t_max in [0, 1], max_iterations >= 1");
  }
  const LeafOptions options{min_separation, tolerance, t_max, max_iterations};
  const std::shared_ptr<const LeafKernel> kernel = leaf_kernel_named(leaf);
  std::vector<LeafResult> results(static_cast<std::size_t>(from.shape(0)));
  const double *const from_data = from.data(), *const to_data = to.data();
  {
    const py::gil_scoped_release release;
    for_each_index(
        results.size(), threads, [] { return 0; },
        [&](std::size_t i, int) {
          const std::size_t at = i * static_cast<std::size_t>(corners) * 3;
          results[i] = decide(*kernel, {from_data + at, to_data + at}, options);
        });
  }
  Records out({{"verdict", "u1"},
               {"t_lo", "<f8"},
               {"t_hi", "<f8"},
               {"point_a", "<f8", 3},
               {"point_b", "<f8", 3},
               {"normal", "<f8", 3},
               {"iterations", "<i4"}},
              results.size());
  for (const LeafResult& r : results) {
    out.put(static_cast<std::uint8_t>(r.verdict));
    out.put(r.t_lo);
    out.put(r.t_hi);
    out.put(r.point_a);
    out.put(r.point_b);
    out.put(r.normal);
    out.put(static_cast<std::int32_t>(r.iterations));
  }
  return out.array();
}

}  // namespace

void bind_leaf_queries(py::module_& module) {
  const LeafOptions defaults;
  module.def(
      "leaf_queries", &ask, py::arg("kind"), py::arg("start"), py::arg("end"), py::kw_only(),
      py::arg("leaf") = "inclusion", py::arg("min_separation") = defaults.min_separation,
      py::arg("tolerance") = defaults.tolerance, py::arg("t_max") = defaults.t_max,
      py::arg("max_iterations") = defaults.max_iterations, py::arg("threads") = 0,
      "Continuous collision of many pairs of primitives whose corners move on straight lines: a structured array.\n\n"
      "kind: 'vertex_face' (the vertex, then the face), 'edge_edge' (each two corners) or 'triangles' (each three).\n"
      "start, end: n x 4 x 3, or n x 6 x 3, corners in metres at t = 0 and t = 1. leaf: the kernel, 'inclusion',\n"
      "'cubic', 'space_time' or 'plucker'. min_separation, tolerance: metres. t_max: in [0, 1]. Of the answer,\n"
      "`verdict` holds values of Verdict; FREE is a proof up to t_max. [0, t_lo) is proved apart; t_hi is the\n"
      "time of the witness.\n\n"
      "    >>> still = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]\n"
      "    >>> hit = planner_ccd.leaf_queries('vertex_face', [[[0, 0, 1]] + still], [[[0, 0, -1]] + still])\n"
      "    >>> hit['verdict'], hit['t_hi'].round(3)\n"
      "    (array([1], dtype=uint8), array([0.5]))");
}

}  // namespace planner_ccd::python
