#include <algorithm>

#include "planner_ccd/geometry/scene_object.hpp"
#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

enum class Quantity { Time, Position, Velocity, Acceleration, Error };

struct Column {
  Quantity quantity;
  int coordinate;
};

class CsvReader {
 public:
  CsvReader(const std::string& name, const RobotModel& model, const std::string& prefix)
      : name_(name), model_(model), prefix_(prefix) {}

  void read_line(std::string_view text, int line) {
    line_ = line;
    text = trim(text);
    if (text.empty() || text.front() == '#') return;
    if (columns_.empty()) {
      read_header(split_cells(text));
    } else {
      read_row(split_cells(text));
    }
  }

  TrajectoryTable finish() {
    if (columns_.empty()) throw InputError(name_ + ":1: the file is empty; it needs a header of joint names");
    if (table_.rows.empty()) {
      throw InputError(name_ + ":" + std::to_string(line_) + ": there is no waypoint after the header; add rows");
    }
    return std::move(table_);
  }

 private:
  std::string where() const { return name_ + ":" + std::to_string(line_); }
  [[noreturn]] void fail(const std::string& message) const { throw InputError(where() + ": " + message); }

  void read_header(const std::vector<std::string_view>& cells) {
    if (cells.size() == 1 && cells[0].find(';') != std::string_view::npos) {
      fail("columns must be separated by commas, not semicolons (and numbers written with a decimal point)");
    }
    if (std::all_of(cells.begin(), cells.end(), [](std::string_view c) { return parse_number(c).has_value(); })) {
      fail("a header of joint names must come before the numbers");
    }
    table_.header_line = line_;
    for (const std::string_view cell : cells) columns_.push_back(read_column(std::string(cell)));
    const auto given = [&](Quantity quantity) {
      std::vector<int> coordinates;
      for (const Column& c : columns_) {
        if (c.quantity == quantity) coordinates.push_back(c.coordinate);
      }
      return coordinates;
    };
    table_.coordinates = given(Quantity::Position);
    require_distinct(table_.coordinates, model_, where());
    const std::size_t times = given(Quantity::Time).size();
    if (times > 1) fail("the column \"time\" is there twice");
    table_.timed = times == 1;
    for (const auto& [quantity, word] :
         {std::pair(Quantity::Velocity, "velocity"), std::pair(Quantity::Acceleration, "acceleration")}) {
      const std::vector<int> have = given(quantity);
      if (have.empty()) continue;
      require_distinct(have, model_, where());
      for (const int i : table_.coordinates) {
        if (std::find(have.begin(), have.end(), i) != have.end()) continue;
        fail("the column \"" + model_.coordinates()[static_cast<std::size_t>(i)].name + "." + word +
             "\" is missing; give it for all joints or for none");
      }
      if (have.size() != table_.coordinates.size()) fail(std::string(word) + " columns of joints without a position");
      if (!table_.timed) fail("velocities and accelerations need a column \"time\"");
      if (quantity == Quantity::Acceleration && !has_velocity_) fail("accelerations need columns of velocities too");
      (quantity == Quantity::Velocity ? has_velocity_ : has_acceleration_) = true;
    }
    table_.with_error = given(Quantity::Error);
    require_distinct(table_.with_error, model_, where());
    for (const int i : table_.with_error) {
      const Coordinate& c = model_.coordinates()[static_cast<std::size_t>(i)];
      if (model_.joints()[static_cast<std::size_t>(c.joint)].type == JointType::Floating) {
        fail("a floating joint has no error of one value (" + in_quotes(c.name) + "); give --tracking-error");
      }
    }
  }

  Column read_column(const std::string& cell) {
    if (cell == "time") return {Quantity::Time, -1};
    // A joint's name may contain dots: try the whole name first.
    for (const auto& [suffix, quantity] :
         {std::pair(".velocity", Quantity::Velocity), std::pair(".acceleration", Quantity::Acceleration),
          std::pair(".error", Quantity::Error)}) {
      if (!cell.ends_with(suffix) || model_.find_coordinate(prefix_ + cell) >= 0) continue;
      const std::string joint = cell.substr(0, cell.size() - std::string(suffix).size());
      return {quantity, find_coordinate(model_, prefix_, joint, where())};
    }
    return {Quantity::Position, find_coordinate(model_, prefix_, cell, where())};
  }

  void read_row(const std::vector<std::string_view>& cells) {
    if (cells.size() != columns_.size()) {
      fail("has " + std::to_string(cells.size()) + " values where the header has " + std::to_string(columns_.size()) +
           " names");
    }
    TrajectoryTable::Row row;
    row.line = line_;
    const std::size_t n = table_.coordinates.size();
    row.position.resize(n);
    if (has_velocity_) row.velocity.resize(n);
    if (has_acceleration_) row.acceleration.resize(n);
    row.error.resize(table_.with_error.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto value = parse_number(cells[i]);
      if (!value) fail(in_quotes(cells[i]) + " in column " + std::to_string(i + 1) + " is not a finite number");
      const auto at = static_cast<std::size_t>(
          std::find(table_.coordinates.begin(), table_.coordinates.end(), columns_[i].coordinate) -
          table_.coordinates.begin());
      switch (columns_[i].quantity) {
        case Quantity::Time: row.time = *value; break;
        case Quantity::Position: row.position[at] = *value; break;
        case Quantity::Velocity: row.velocity[at] = *value; break;
        case Quantity::Acceleration: row.acceleration[at] = *value; break;
        case Quantity::Error: row.error[error_column(i)] = error_value(*value, i); break;
      }
    }
    table_.rows.push_back(std::move(row));
  }

  std::size_t error_column(std::size_t i) const {
    return static_cast<std::size_t>(
        std::find(table_.with_error.begin(), table_.with_error.end(), columns_[i].coordinate) -
        table_.with_error.begin());
  }
  double error_value(double value, std::size_t i) const {
    if (value >= 0.0 && value <= kMostError) return value;
    fail("the error in column " + std::to_string(i + 1) + " must be a number from 0 to 1000, in radians or metres");
  }

  const std::string& name_;
  const RobotModel& model_;
  const std::string& prefix_;
  int line_ = 1;
  std::vector<Column> columns_;
  bool has_velocity_ = false, has_acceleration_ = false;
  TrajectoryTable table_;
};

}  // namespace

TrajectoryTable read_trajectory_csv(std::string_view text, const std::string& name, const RobotModel& model,
                                    const std::string& prefix) {
  if (text.find('\0') != std::string_view::npos) throw InputError(name + ": this is a binary file, not CSV text");
  text = without_mark(text);
  CsvReader reader(name, model, prefix);
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace planner_ccd
