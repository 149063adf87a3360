#include "triangle_ccd/leaf_data.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "support/shared_data.hpp"

namespace planner_ccd::test {
namespace {

namespace fs = std::filesystem;
using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// The double nearest to a rational, found by comparing with its neighbours in exact arithmetic.
double nearest_double(const cpp_rational& r, bool& exact) {
  double x = static_cast<double>(r);
  for (double y : {std::nextafter(x, -INFINITY), std::nextafter(x, INFINITY)}) {
    if (abs(cpp_rational(y) - r) < abs(cpp_rational(x) - r)) x = y;
  }
  exact = exact && cpp_rational(x) == r;
  return x;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    while (!cell.empty() && (cell.back() == '\r' || cell.back() == ' ')) cell.pop_back();
    out.push_back(cell);
  }
  return out;
}

/// Rows of three rationals (six integers of any length); an optional seventh column is the truth.
void read_points(const fs::path& file, RecordedSet& set) {
  std::ifstream in(file);
  std::string line;
  for (int row = 0; std::getline(in, line); ++row) {
    if (line.empty()) continue;
    const std::vector<std::string> cell = cells(line);
    if (cell.size() < 6)
      throw std::runtime_error(file.string() + ": row " + std::to_string(row) + " has too few columns");
    if (row % 8 == 0) set.queries.emplace_back();
    RecordedQuery& query = set.queries.back();
    MovingPoint& point = query.points[row % 4];
    for (int c = 0; c < 3; ++c) {
      const cpp_rational value{cpp_int(cell[2 * c]), cpp_int(cell[2 * c + 1])};
      (row % 8 < 4 ? point.start : point.end)[c] = nearest_double(value, query.exact);
    }
    if (cell.size() > 6) query.hit = cell[6] == "1";
  }
}

/// query, truth, time or nothing, status.
void read_times(const fs::path& file, RecordedSet& set) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::vector<std::string> cell = cells(line);
    if (cell.size() < 3) continue;
    RecordedQuery& query = set.queries.at(std::stoul(cell[0]));
    query.hit = cell[1] == "1";
    if (!cell[2].empty()) query.toi = std::stod(cell[2]);
  }
}

}  // namespace

std::optional<fs::path> ccd_query_folder() {
  const std::string data = testing::shared_data("ccd_queries");
  if (data.empty()) return std::nullopt;
  return fs::path(data) / "ccd_queries";
}

std::vector<RecordedSet> read_recorded_sets(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (entry.path().extension() == ".csv" && file.find("_toi") == std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<RecordedSet> sets;
  for (const fs::path& file : files) {
    RecordedSet set;
    set.name = fs::relative(file, folder).replace_extension().string();
    set.edges = set.name.find("edge-edge") != std::string::npos || set.name.find("ee") == set.name.size() - 2;
    read_points(file, set);
    read_times(file.parent_path() / (file.stem().string() + "_toi.csv"), set);
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace planner_ccd::test
