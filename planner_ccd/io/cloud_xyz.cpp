#include <algorithm>
#include <array>

#include "planner_ccd/io/detail/cloud_readers.hpp"
#include "planner_ccd/io/detail/mesh_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Words between commas, semicolons or blanks.
std::vector<std::string_view> split(std::string_view line) {
  const char separator = line.find(',') != std::string_view::npos   ? ','
                         : line.find(';') != std::string_view::npos ? ';'
                                                                    : ' ';
  if (separator == ' ') return split_blanks(line);
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

/// The columns of x, y and z in the header; by default the first three.
std::array<std::size_t, 3> columns_of(const std::vector<std::string_view>& header, const std::string& name,
                                      std::size_t line) {
  std::array<std::size_t, 3> columns{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto found = std::find_if(header.begin(), header.end(), [&](std::string_view cell) {
      const std::string word = to_lower(cell);
      return word == std::string(1, "xyz"[k]) || word == "\"" + std::string(1, "xyz"[k]) + "\"";
    });
    if (found == header.end()) fail_at_line(name, line, "neither a point nor a header with columns x, y and z");
    columns[k] = static_cast<std::size_t>(found - header.begin());
  }
  return columns;
}

}  // namespace

CloudPoints read_xyz(std::string_view bytes, const std::string& name) {
  bytes = without_mark(bytes);
  CloudPoints out;
  std::array<std::size_t, 3> columns{0, 1, 2};
  std::size_t line = 0;
  bool first = true;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view text = trim(bytes.substr(begin, end - begin));
    begin = end + 1;
    ++line;
    if (text.empty() || text[0] == '#' || text.starts_with("//")) continue;
    const std::vector<std::string_view> cells = split(text);
    if (first && !parse_coordinate(cells[0])) {
      columns = columns_of(cells, name, line);
      first = false;
      continue;
    }
    first = false;
    Eigen::Vector3d p;
    for (std::size_t k = 0; k < 3; ++k) {
      if (columns[k] >= cells.size()) fail_at_line(name, line, "a point needs three numbers");
      const auto value = parse_coordinate(cells[columns[k]]);
      if (!value) fail_at_line(name, line, in_quotes(cells[columns[k]]) + " is not a number");
      p[static_cast<Eigen::Index>(k)] = *value;
    }
    out.points.push_back(p);
  }
  return out;
}

}  // namespace planner_ccd
