#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/math/verdict.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace pybind11::detail {

/// A warning is a planner_ccd.InputWarning: a str with a kind.
template <>
struct type_caster<planner_ccd::InputWarning> {
  PYBIND11_TYPE_CASTER(planner_ccd::InputWarning, const_name("InputWarning"));
  bool load(handle, bool) { return false; }  // nothing takes one
  static handle cast(const planner_ccd::InputWarning& warning, return_value_policy, handle) {
    const object type = module_::import("planner_ccd._warning").attr("InputWarning");
    return type(warning.text, to_string(warning.kind)).release();
  }
};

}  // namespace pybind11::detail

namespace planner_ccd::python {

namespace py = pybind11;

/// The member of `planner_ccd.Verdict`.
py::handle verdict_member(Verdict verdict);

/// An argument as a contiguous array of doubles; messages call it `what`.
inline py::array_t<double> numbers(const py::object& argument, const std::string& what) {
  // NumPy would return the data under a mask, and the real part of complex numbers.
  if (py::hasattr(argument, "mask") && py::module_::import("numpy.ma").attr("is_masked")(argument).cast<bool>()) {
    throw InputError(what + ": some of the numbers are masked");
  }
  if (py::isinstance<py::array>(argument) && py::reinterpret_borrow<py::array>(argument).dtype().kind() == 'c') {
    throw InputError(what + ": must be numbers, or an array of them; these are complex");
  }
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(argument);
  if (!array) {
    PyErr_Clear();
    throw InputError(what + ": must be numbers, or an array of them");
  }
  return array;
}

/// The same with the given number of dimensions.
inline py::array_t<double> numbers(const py::object& argument, int dimensions, const std::string& what) {
  auto array = numbers(argument, what);
  if (array.ndim() != dimensions) {
    throw InputError(what + ": must have " + std::to_string(dimensions) + " dimension" + (dimensions == 1 ? "" : "s") +
                     ", not " + std::to_string(array.ndim()));
  }
  return array;
}

inline JointVector vector_of(const py::object& argument, const std::string& what) {
  const auto array = numbers(argument, 1, what);
  return Eigen::Map<const JointVector>(array.data(), array.shape(0));
}

inline Eigen::Vector3d vector3_of(const py::object& argument, const std::string& what) {
  const JointVector v = vector_of(argument, what);
  if (v.size() != 3) throw InputError(what + ": must have 3 entries, not " + std::to_string(v.size()));
  return v;
}

/// A 4 x 4 matrix, or None for the identity. Whoever uses it checks that it is rigid.
inline Eigen::Isometry3d pose_of(const py::object& argument, const std::string& what) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  if (argument.is_none()) return pose;
  const auto array = numbers(argument, 2, what);
  if (array.shape(0) != 4 || array.shape(1) != 4) throw InputError(what + ": must be a 4 x 4 matrix");
  pose.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(array.data());
  if (pose.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1)) {
    throw InputError(what + ": the last row of the matrix must be 0 0 0 1");
  }
  return pose;
}

/// The file system path of a str or os.PathLike.
inline std::string path_of(const py::object& argument) {
  return py::module_::import("os").attr("fspath")(argument).cast<std::string>();
}

}  // namespace planner_ccd::python

/// `planner_ccd.Verdict` is an enum.Enum, made in Python.
template <>
struct pybind11::detail::type_caster<planner_ccd::Verdict> {
  PYBIND11_TYPE_CASTER(planner_ccd::Verdict, const_name("planner_ccd.Verdict"));

  bool load(handle source, bool) {
    using planner_ccd::Verdict;
    for (const Verdict verdict : {Verdict::Free, Verdict::Contact, Verdict::Undecided}) {
      if (!source.is(planner_ccd::python::verdict_member(verdict))) continue;
      value = verdict;
      return true;
    }
    return false;
  }
  static handle cast(planner_ccd::Verdict verdict, return_value_policy, handle) {
    return planner_ccd::python::verdict_member(verdict).inc_ref();
  }
};
