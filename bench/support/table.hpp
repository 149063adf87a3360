#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bench/support/arguments.hpp"
#include "bench/support/machine.hpp"

namespace planner_ccd::bench {

/// One cell. A number that is NaN or infinite, and nullptr, mean "does not apply": "-" in print, null in JSON.
class Value {
 public:
  Value(std::nullptr_t) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(std::integral auto number) : data_(static_cast<std::int64_t>(number)) {}
  Value(double number) : data_(number) {}

  std::string text() const;  ///< For the table: numbers with four significant digits.
  std::string json() const;
  bool is_text() const { return std::holds_alternative<std::string>(data_); }

 private:
  std::variant<std::monostate, std::string, std::int64_t, double> data_;
};

/// A flat object: column names and values, in display order.
using Row = std::vector<std::pair<std::string, Value>>;

/// The result of one benchmark program: an aligned table for people, JSON for programs.
///
///     Table table("leaf", arguments);
///     table.add({{"set", "random"}, {"kind", "vf"}, {"ns_per_query", 31.4}});
///     return table.finish();
///
/// A column appears where it first occurs; a row without it shows "-" and has no such key in JSON.
class Table {
 public:
  Table(std::string bench, Arguments arguments);

  /// On a terminal, a line on stderr shows that the program is alive.
  void add(Row row);
  /// Prints the table and writes the JSON file if requested. Returns the exit code for main: 0, or 2 for an unwritable
  /// file.
  int finish() const;

  std::string text() const;
  std::string json() const;

 private:
  std::string bench_;
  Arguments arguments_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace planner_ccd::bench
