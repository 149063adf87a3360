#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/math/spelling.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// [byte] Size limit of mesh and path files, and of robot and scene descriptions.
inline constexpr std::size_t kMaxDataFileBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxDescriptionBytes = std::size_t{1} << 26;

/// The bytes of a file. Throws InputError when it is missing, a folder, unreadable or larger than `max_bytes`; the size
/// is checked before memory is allocated.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// A decimal number that fills the whole of `text` (surrounding blanks aside), in any locale. Empty for anything else,
/// for NaN and infinities, and for numbers beyond the range of a double; those too small for one become 0.
std::optional<double> parse_number(std::string_view text);

/// An integer, by the same rules.
std::optional<long long> parse_integer(std::string_view text);

/// The shortest text that parse_number converts back to the same double.
std::string format_number(double value);

/// Without the UTF-8 byte order mark that some editors and spreadsheets prepend.
inline std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::string_view trim(std::string_view text);
std::vector<std::string_view> split_blanks(std::string_view text);
/// The cells of a line of a CSV file, without surrounding blanks and double quotes.
std::vector<std::string_view> split_cells(std::string_view line);

/// "a, b, c", truncated after `most` names with "... and 12 more".
std::string join_names(const std::vector<std::string>& names, std::size_t most = 12);

}  // namespace planner_ccd
#pragma GCC visibility pop
