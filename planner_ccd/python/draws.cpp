#include <algorithm>
#include <array>
#include <cmath>

#include "planner_ccd/python/bindings.hpp"

namespace planner_ccd::python {
namespace {

using Rows = py::array_t<double, py::array::c_style>;
using Raw = py::array_t<std::uint64_t, py::array::c_style>;

constexpr py::ssize_t kTile = 64;  // edges looked at together, from first-level cache
using Lane = std::array<double, kTile>;

/// Where joints are drawn: u in [0, 1) becomes u factor + shift, + that of a waypoint.
struct Range {
  const double *factor, *shift;  ///< By joint.
  const double* near;            ///< Waypoints in rows; or null.
  py::ssize_t waypoints, joints;
  double length;  ///< Edges are no longer than this; < 0: as long as they are.
};

double unit(std::uint64_t raw) { return static_cast<double>(static_cast<std::int64_t>(raw >> 11)) * 0x1p-53; }

/// Configurations of some edges, a lane a joint.
void draw(const Range& range, const std::uint64_t* raw, const std::uint64_t* of_waypoint, py::ssize_t columns,
          py::ssize_t count, std::vector<Lane>& q) {
  for (py::ssize_t j = 0; j < range.joints; ++j) {
    Lane& lane = q[static_cast<std::size_t>(j)];
    const std::uint64_t* row = raw + j * columns;
    for (py::ssize_t c = 0; c < count; ++c)
      lane[static_cast<std::size_t>(c)] = unit(row[c]) * range.factor[j] + range.shift[j];
  }
  if (range.near == nullptr) return;
  for (py::ssize_t c = 0; c < count; ++c) {
    const auto drawn = static_cast<py::ssize_t>(unit(of_waypoint[c]) * static_cast<double>(range.waypoints));
    const double* waypoint = range.near + std::min(drawn, range.waypoints - 1) * range.joints;
    for (py::ssize_t j = 0; j < range.joints; ++j)
      q[static_cast<std::size_t>(j)][static_cast<std::size_t>(c)] += waypoint[j];
  }
}

/// Sums from the first joint on: bit for bit the same everywhere.
void shorten(const std::vector<Lane>& start, std::vector<Lane>& end, double length) {
  Lane factor{};
  for (std::size_t j = 0; j < start.size(); ++j) {
    for (std::size_t c = 0; c < kTile; ++c) {
      end[j][c] -= start[j][c];
      factor[c] += end[j][c] * end[j][c];
    }
  }
  for (double& f : factor) f = std::min(1.0, length / std::max(std::sqrt(f), 1e-300));
  for (std::size_t j = 0; j < start.size(); ++j) {
    for (std::size_t c = 0; c < kTile; ++c) end[j][c] = end[j][c] * factor[c] + start[j][c];
  }
}

void write(const std::vector<Lane>& q, py::ssize_t count, double* out) {
  for (py::ssize_t c = 0; c < count; ++c) {
    for (const Lane& lane : q) *out++ = lane[static_cast<std::size_t>(c)];
  }
}

/// Edges of campaign.motions.Drawn: column c of `raw` is edge c, its rows start, end (by joint) and two for the waypoints.
void drawn_edges(const Raw& raw, py::ssize_t first, const Rows& factor, const Rows& shift,
                 const std::optional<Rows>& near, double length, Rows starts, Rows ends) {
  const py::ssize_t count = starts.shape(0), joints = starts.shape(1), columns = raw.shape(1);
  const bool fits = ends.shape(0) == count && ends.shape(1) == joints && raw.shape(0) == 2 * joints + 2 && first >= 0 &&
                    first + count <= columns && factor.size() == joints && shift.size() == joints &&
                    (!near || (near->shape(1) == joints && near->shape(0) > 0));
  if (!fits) throw InputError("the arrays do not fit together");
  const Range range{factor.data(), shift.data(), near ? near->data() : nullptr, near ? near->shape(0) : 0,
                    joints,        length};
  const std::uint64_t* u = raw.data() + first;
  double *start = starts.mutable_data(), *end = ends.mutable_data();
  const py::gil_scoped_release release;
  std::vector<Lane> from(static_cast<std::size_t>(joints)), to(from);
  for (py::ssize_t c = 0; c < count; c += kTile) {
    const py::ssize_t here = std::min(kTile, count - c);
    draw(range, u + c, u + 2 * joints * columns + c, columns, here, from);
    draw(range, u + joints * columns + c, u + (2 * joints + 1) * columns + c, columns, here, to);
    if (length >= 0.0) shorten(from, to, length);
    write(from, here, start + c * joints);
    write(to, here, end + c * joints);
  }
}

}  // namespace

void bind_draws(py::module_& module) {
  const auto as_is = [](const char* name) { return py::arg(name).noconvert(); };  // a copy would be filled in vain
  module.def("_drawn_edges", &drawn_edges, as_is("raw"), py::arg("first"), as_is("factor"), as_is("shift"),
             as_is("near"), py::arg("length"), as_is("starts"), as_is("ends"));
}

}  // namespace planner_ccd::python
