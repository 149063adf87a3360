#pragma once

#include <cstring>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/python/archive.hpp"
#include "planner_ccd/python/bindings.hpp"
#include "planner_ccd/query/check_path.hpp"

namespace planner_ccd::python {

// Contents of the types that can be pickled, in the order of archive.hpp's `describe`.

template <class A>
void describe(A& a, Of<A, Assumption>& v) {
  a.choice(v.kind, kLastAssumptionKind);
  a(v.by, v.text, v.names, v.pairs);
}

// Shapes

template <class A>
void describe(A& a, Of<A, Sphere>& v) {
  a(v.radius);
}
template <class A>
void describe(A& a, Of<A, Box>& v) {
  a(v.size);
}
template <class A>
void describe(A& a, Of<A, Cylinder>& v) {
  a(v.radius, v.length);
}
template <class A>
void describe(A& a, Of<A, Capsule>& v) {
  a(v.radius, v.length);
}
template <class A>
void describe(A& a, Of<A, ConvexHull>& v) {
  a(v.points);
}
inline void describe(Writer& a, const CloudPtr& v) {
  const PointCloud::Stored& s = v->stored();
  a(s.origin, s.radius, s.ball_radius, s.left_out,
    std::string(reinterpret_cast<const char*>(s.points.data()), s.points.size() * sizeof(PointCloud::Point)));
}
inline void describe(Reader& a, CloudPtr& v) {
  PointCloud::Stored s;
  std::string points;
  a(s.origin, s.radius, s.ball_radius, s.left_out, points);
  s.points.resize(points.size() / sizeof(PointCloud::Point));
  if (!s.points.empty()) std::memcpy(s.points.data(), points.data(), s.points.size() * sizeof(PointCloud::Point));
  v = std::make_shared<const PointCloud>(std::move(s));
}
template <class A>
void describe(A& a, Of<A, OctreeCell>& v) {
  a(v.key[0], v.key[1], v.key[2], v.level, v.unknown);
}
template <class A>
void describe(A& a, Of<A, HeightField::Column>& v) {
  a(v.x, v.y, v.height);
}
template <class A>
void describe(A& a, Of<A, HeightField>& v) {
  a(v.pixel, v.floor, v.top, v.row_length, v.left_out, v.columns);
}
inline void describe(Writer& a, const CellsPtr& v) {
  const bool is_field = v->field() != nullptr;
  a(is_field);
  if (is_field) return a(*v->field());
  std::vector<OctreeCell> cells;
  for (int i = 0; i < v->size(); ++i) cells.push_back(v->cell(i));
  a(cells, v->resolution());
}
inline void describe(Reader& a, CellsPtr& v) {
  bool is_field = false;
  a(is_field);
  if (is_field) {
    HeightField field;
    a(field);
    v = std::make_shared<const CellMap>(std::move(field), "pickle");
    return;
  }
  std::vector<OctreeCell> cells;
  double resolution = 0.0;
  a(cells, resolution);
  v = std::make_shared<const CellMap>(std::move(cells), resolution, "pickle");
}
template <class A>
void describe(A& a, Of<A, Geometry>& v) {
  a(v.shape, v.pose, v.source, v.colour);
}

template <class A>
void describe(A& a, Of<A, InputWarning>& v) {
  a.choice(v.kind, WarningKind::StoredProofs);
  a(v.text);
}
template <class A>
void describe(A& a, Of<A, InputFile>& v) {
  a(v.role, v.path, v.size, v.sha256);
}

// Robots

template <class A>
void describe(A& a, Of<A, MimicSpec>& v) {
  a(v.joint, v.multiplier, v.offset);
}
template <class A>
void describe(A& a, Of<A, JointSpec>& v) {
  a.choice(v.type, JointType::Floating);
  a(v.name, v.parent, v.child, v.origin, v.axis, v.lower, v.upper, v.max_velocity, v.mimic, v.by_clock, v.carries);
}
template <class A>
void describe(A& a, Of<A, LinkSpec>& v) {
  a(v.name, v.collision, v.visual, v.robot);
}
template <class A>
void describe(A& a, Of<A, RobotSpec>& v) {
  a(v.name, v.links, v.joints);
}
template <class A>
void describe(A& a, Of<A, SrdfPair>& v) {
  a(v.a, v.b, v.reason);
}
template <class A>
void describe(A& a, Of<A, SrdfGroup>& v) {
  a(v.name, v.links, v.joints, v.subgroups, v.chains);
}
template <class A>
void describe(A& a, Of<A, SrdfGroupState>& v) {
  a(v.name, v.group, v.joints);
}
template <class A>
void describe(A& a, Of<A, Srdf>& v) {
  a(v.robot, v.disabled, v.disabled_default, v.enabled, v.groups, v.states);
}
template <class A>
void describe(A& a, Of<A, Exclusion>& v) {
  a.choice(v.reason, ExclusionReason::TouchLink);
  a(v.detail);
}
inline void describe(Writer& a, const CollisionMatrix& v) { a(v.exclusions()); }
inline void describe(Reader& a, CollisionMatrix& v) {
  std::map<std::pair<std::string, std::string>, Exclusion> exclusions;
  a(exclusions);
  for (const auto& [pair, e] : exclusions) v.exclude(pair.first, pair.second, e.reason, e.detail);
}
inline void describe(Writer& a, const Robot& v) { a(*v.spec, v.srdf, v.matrix, v.warnings, v.assumptions, v.inputs); }
inline void describe(Reader& a, Robot& v) {
  RobotSpec spec;
  a(spec, v.srdf, v.matrix, v.warnings, v.assumptions, v.inputs);
  v.use(std::move(spec));
}

// Scenes

template <class A>
void describe(A& a, Of<A, PoseError>& v) {
  a(v.position, v.angle);
}
template <class A>
void describe(A& a, Of<A, LinkError>& v) {
  a(v.link, v.error);
}
template <class A>
void describe(A& a, Of<A, MotionErrors>& v) {
  a(v.tracking, v.links);
}
template <class A>
void describe(A& a, Of<A, SceneObject>& v) {
  a(v.name, v.geometry, v.pose, v.pose_error);
}
template <class A>
void describe(A& a, Of<A, AttachedObject>& v) {
  a(v.object, v.link, v.touch_links);
}
template <class A>
void describe(A& a, Of<A, AllowedPair>& v) {
  a(v.a, v.b);
}
template <class A>
void describe(A& a, Of<A, PairMargin>& v) {
  a(v.a, v.b, v.margin);
}
template <class A>
void describe(A& a, Of<A, Padding>& v) {
  a(v.name, v.padding);
}
inline void describe(Writer& a, const SceneObjects& v) {
  a(static_cast<std::uint64_t>(v.size()));
  for (const SceneObject& object : v) a(object);
}
inline void describe(Reader& a, SceneObjects& v) {
  std::vector<SceneObject> objects;
  a(objects);
  for (SceneObject& object : objects) v.push_back(std::move(object));
}
template <class A>
void describe(A& a, Of<A, PyScene>& v) {
  a(v.scene.objects, v.scene.attached, v.scene.allow, v.scene.margins, v.scene.padding, v.warnings, v.assumptions,
    v.inputs);
}

// Results

template <class A>
void describe(A& a, Of<A, Contact>& v) {
  a(v.a, v.b, v.geometry_a, v.geometry_b, v.triangle_a, v.triangle_b, v.t, v.distance, v.margin, v.error, v.point_a,
    v.point_b, v.normal, v.inside, v.q);
}
template <class A>
void describe(A& a, Of<A, LinkPair>& v) {
  a(v.a, v.b);
}
template <class A>
void describe(A& a, Of<A, QueryCounters>& v) {
  a(v.node_evaluations, v.primitive_evaluations, v.exact_leaves, v.self_evaluations, v.kinematics);
}
template <class A>
void describe(A& a, Of<A, EdgeResult>& v) {
  a.choice(v.verdict, Verdict::Undecided);
  a(v.t_free, v.contact, v.undecided_pair, v.nothing_checked, v.counters);
}
template <class A>
void describe(A& a, Of<A, PathResult>& v) {
  a.choice(v.verdict, Verdict::Undecided);
  a(v.segments, v.segment, v.edge, v.counters, v.nothing_checked);
}
template <class A>
void describe(A& a, Of<A, NearestPair>& v) {
  a(v.lower, v.upper, v.a, v.b, v.point_a, v.point_b);
}
template <class A>
void describe(A& a, Of<A, CertificateResult>& v) {
  a(v.proved, v.obstacle, v.sha256, v.size, v.leaves);
}
template <class A>
void describe(A& a, Of<A, Verification>& v) {
  a(v.verified, v.readable, v.reason, v.statement, v.statement_sha256, v.leaves);
}

// Pickling and comparing

/// The pickled content of a T, and the way back.
template <class T>
struct Content {
  using Type = T;
  static const T& of(const T& value) { return value; }
  static T make(T value) { return value; }
};

template <class T>
std::string bytes_of(const T& value) {
  Writer writer;
  writer(Content<T>::of(value));
  return writer.finish();
}

inline py::object sha256(std::string_view bytes) {
  return py::module_::import("hashlib").attr("sha256")(py::bytes(bytes.data(), bytes.size()));
}

/// SHA-256 of the content: the same in every process and on every machine.
template <class T>
py::object digest_of(const T& value) {
  return sha256(bytes_of(value));
}

/// What a pickle holds: a line that says of what version it is and of what type, the content, and the SHA-256 of both.
std::string sealed(const std::string& type, const std::string& content);
/// The content of what `sealed` made for this type. Throws InputError for anything else.
std::string unsealed(const std::string& type, const py::object& state);

/// Equality, pickling and copies, all by content.
template <class T, class... Options>
void def_content(py::class_<T, Options...>& type) {
  const auto name = type.attr("__name__").template cast<std::string>();
  type.def(
          "__eq__", [](const T& a, const T& b) { return &a == &b || bytes_of(a) == bytes_of(b); }, py::is_operator())
      .def("__copy__", [](const T& value) { return T(value); })
      .def(
          "__deepcopy__", [](const T& value, const py::dict&) { return T(value); }, py::arg("memo"))
      .def(py::pickle([name](const T& value) -> py::object { return py::bytes(sealed(name, bytes_of(value))); },
                      [name](const py::object& state) {
                        const std::string bytes = unsealed(name, state);
                        Reader reader(bytes);
                        typename Content<T>::Type content{};
                        reader(content);
                        reader.finish();
                        return Content<T>::make(std::move(content));
                      }))
      .def("__reduce__", [](const py::object& self) {
        return py::make_tuple(py::module_::import("planner_ccd._pickle").attr("restore"),
                              py::make_tuple(py::type::of(self), self.attr("__getstate__")()));
      });
}

/// The same with a hash, for immutable types.
template <class T, class... Options>
void def_constant(py::class_<T, Options...>& type) {
  def_content(type);
  type.def("__hash__", [](const T& value) {
    return py::module_::import("builtins")
        .attr("int")
        .attr("from_bytes")(digest_of(value).attr("digest")()[py::slice(0, 8, 1)], "little");
  });
}

/// Compares and hashes by digest, for large types.
template <class T, class... Options>
void def_digest(py::class_<T, Options...>& type) {
  type.def_property_readonly(
          "digest", [](const T& value) { return digest_of(value).attr("hexdigest")(); },
          "SHA-256 of the content, in hex: equal for what is equal, in every process.")
      .def("__dask_tokenize__", [](const T& value) { return digest_of(value).attr("hexdigest")(); });
}

}  // namespace planner_ccd::python
