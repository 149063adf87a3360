#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner_ccd/python/conversions.hpp"

namespace planner_ccd::python {

/// Of a type with __getitem__; annotations and typed programs ask for __iter__.
inline py::object iterator_of(const py::object& sequence) {
  return py::reinterpret_steal<py::object>(PySeqIter_New(sequence.ptr()));
}

/// A field of a structured array, or `size` numbers under one name.
struct Field {
  const char* name;
  std::string type;
  int size = -1;
};

/// NumPy's type for texts of up to this many characters.
inline std::string text_type(std::size_t characters) { return "<U" + std::to_string(characters); }

/// A structured array that is filled field by field, record by record.
class Records {
 public:
  Records(const std::vector<Field>& fields, std::size_t count) : array_(type_of(fields), count), at_(data()) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    raw(&value, sizeof value);
  }
  void put(const Eigen::Vector3d& v) { put(v.data(), 3); }
  void put(const double* values, std::size_t count) { raw(values, count * sizeof(double)); }
  /// Writes to a field of text_type(room); room is at least the number of bytes.
  void put(const std::string& text, std::size_t room) {
    auto [known, fresh] = texts_.try_emplace(text);
    if (fresh) {
      const py::str unicode(text);
      known->second.resize(static_cast<std::size_t>(PyUnicode_GetLength(unicode.ptr())) + 1);
      if (!PyUnicode_AsUCS4(unicode.ptr(), known->second.data(), static_cast<Py_ssize_t>(known->second.size()), 1)) {
        throw py::error_already_set();
      }
      known->second.resize(room);
    }
    raw(known->second.data(), room * sizeof(Py_UCS4));
  }

  /// Call when all records are complete.
  py::array array() const { return array_; }

 private:
  py::array array_;
  char* at_;
  std::unordered_map<std::string, std::vector<Py_UCS4>> texts_;  // padded with zeros

  char* data() { return static_cast<char*>(array_.mutable_data()); }

  void raw(const void* value, std::size_t size) {
    if (size == 0) return;
    std::memcpy(at_, value, size);
    at_ += size;
  }

  static py::dtype type_of(const std::vector<Field>& fields) {
    py::list list;
    for (const Field& f : fields) {
      list.append(f.size < 0 ? py::make_tuple(f.name, f.type) : py::make_tuple(f.name, f.type, py::make_tuple(f.size)));
    }
    return py::dtype::from_args(list);
  }
};

}  // namespace planner_ccd::python
