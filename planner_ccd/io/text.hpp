#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// [byte] The largest mesh or path file that is read, and the largest robot or scene description.
inline constexpr std::size_t kMaxDataFileBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxDescriptionBytes = std::size_t{1} << 26;

/// The bytes of a file. Throws InputError when it is missing, a folder, unreadable or larger than `max_bytes`; the size
/// is looked at before memory is asked for.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// A decimal number that takes up the whole of `text` (blanks around it aside), under any locale. Empty for anything
/// else, for NaN and infinities, and for numbers beyond the range of a double; what is too small for one is 0.
std::optional<double> parse_number(std::string_view text);

/// A whole number, by the same rules.
std::optional<long long> parse_integer(std::string_view text);

/// The shortest text that parse_number turns into the same double again.
std::string format_number(double value);

/// Without the UTF-8 mark that some editors and spreadsheets put first.
inline std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::string_view trim(std::string_view text);
std::vector<std::string_view> split_blanks(std::string_view text);
/// The cells of a line of a CSV file, without blanks and the pair of double quotes around them.
std::vector<std::string_view> split_cells(std::string_view line);
std::string to_lower(std::string_view text);

/// "a, b, c", cut after `most` names with "... and 12 more".
std::string join_names(const std::vector<std::string>& names, std::size_t most = 12);

/// "; did you mean \"forearm\"?" of the name that is spelled most like `word`; empty when none is like it.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// Text of the input as a message shows it: cut to 60 bytes, control characters replaced.
std::string in_quotes(std::string_view text);

}  // namespace planner_ccd
#pragma GCC visibility pop
