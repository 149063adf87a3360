#include <cstdint>
#include <cstring>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// The text after 'key': in the header, up to `end`.
std::string_view value_of(std::string_view header, std::string_view key, std::string_view end,
                          const std::string& name) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) throw InputError(name + ": the header has no " + std::string(key));
  header.remove_prefix(at + quoted.size());
  const std::size_t stop = header.find(end);
  if (stop == std::string_view::npos) throw InputError(name + ": the header is cut short");
  return trim(header.substr(0, stop));
}

template <typename T>
double load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

NpyArray read_npy(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 12) throw InputError(name + ": not a NumPy array");
  const bool small = bytes[6] == 1;
  std::size_t length = 0;
  for (std::size_t k = 0; k < (small ? 2 : 4); ++k)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + k])) << (8 * k);
  const std::size_t begin = small ? 10 : 12;
  if (bytes[6] < 1 || bytes[6] > 3) throw InputError(name + ": a version of NumPy's format that is not known");
  if (length > bytes.size() - begin) throw InputError(name + ": the header is cut short");
  const std::string_view header = bytes.substr(begin, length), data = bytes.substr(begin + length);
  const std::string_view type = value_of(header, "descr", ",", name);
  if (type != "'<f4'" && type != "'<f8'") {
    throw InputError(name + ": numbers of type " + in_quotes(type) + "; save it as float32 or float64");
  }
  const std::size_t size = type == "'<f4'" ? 4 : 8;
  const std::string_view order = value_of(header, "fortran_order", ",", name);
  if (order != "True" && order != "False") throw InputError(name + ": fortran_order is neither True nor False");
  std::string_view shape = value_of(header, "shape", ")", name);
  if (!shape.starts_with("(")) throw InputError(name + ": the shape is not understood");
  const std::vector<std::string_view> extents = split_cells(shape.substr(1));
  const auto rows = extents.size() == 2 ? parse_integer(extents[0]) : std::nullopt;
  const auto columns = extents.size() == 2 ? parse_integer(extents[1]) : std::nullopt;
  if (!rows || !columns || *rows < 0 || *columns < 0) {
    throw InputError(name + ": must have two dimensions, its shape is " + std::string(shape.substr(0, 60)) + ")");
  }
  NpyArray out{static_cast<std::size_t>(*rows), static_cast<std::size_t>(*columns), {}};
  const std::size_t room = data.size() / size;
  if (out.columns > 0 && out.rows > room / out.columns) throw InputError(name + ": the file is cut short");
  if (data.size() != out.rows * out.columns * size) {
    throw InputError(name + ": after the array that its header promises " +
                     std::to_string(data.size() - out.rows * out.columns * size) +
                     " bytes follow, as of a second array; save one array in a file");
  }
  out.values.reserve(out.rows * out.columns);
  for (std::size_t i = 0; i < out.rows; ++i) {
    for (std::size_t k = 0; k < out.columns; ++k) {
      const char* at = data.data() + size * (order == "True" ? k * out.rows + i : i * out.columns + k);
      out.values.push_back(size == 4 ? load<float>(at) : load<double>(at));
    }
  }
  return out;
}

CloudPoints read_npy_points(std::string_view bytes, const std::string& name) {
  const NpyArray array = read_npy(bytes, name);
  if (array.columns != 3) {
    throw InputError(name + ": points are rows of three numbers, and these are of " + std::to_string(array.columns));
  }
  CloudPoints out;
  out.points.reserve(array.rows);
  for (std::size_t i = 0; i < array.rows; ++i) {
    out.points.emplace_back(array.values[3 * i], array.values[3 * i + 1], array.values[3 * i + 2]);
  }
  return out;
}

std::string format_npy(const NpyArray& array) {
  std::string header = std::string("{'descr': '<f8', ") + "'fortran_order': False, 'shape': (" +
                       std::to_string(array.rows) + ", " + std::to_string(array.columns) + "), }";
  header.resize((10 + header.size()) / 64 * 64 + 64 - 10 - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  const auto size = static_cast<std::uint16_t>(header.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(double));
  return bytes;
}

}  // namespace planner_ccd
