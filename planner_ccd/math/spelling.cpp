#include "planner_ccd/math/spelling.hpp"

#include <algorithm>

namespace planner_ccd {
namespace {

/// Number of letters to insert, delete, replace or swap with the next to turn one word into the other.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t k = 0; k <= b.size(); ++k) d[0][k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t replaced = d[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, replaced});
      const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (swapped) d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 60;
  const std::string asked = to_lower(word.substr(0, kLongest));
  std::size_t fewest = 1 + asked.size() / 3;  // beyond a third of its letters a word is another word
  const std::string* nearest = nullptr;
  for (const std::string& name : names) {
    const std::string known = to_lower(name.substr(0, kLongest));
    const bool begins = asked.size() > 2 && known.starts_with(asked);
    const std::size_t distance = begins ? 1 : edits(asked, known);
    if (distance >= fewest + (nearest == nullptr ? 1 : 0)) continue;
    fewest = distance;
    nearest = &name;
  }
  return nearest == nullptr ? "" : "; did you mean " + in_quotes(*nearest) + "?";
}

std::string in_quotes(std::string_view text) {
  std::string shown = "\"";
  for (const char c : text.substr(0, 60)) shown += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  return shown + (text.size() > 60 ? "...\"" : "\"");
}

}  // namespace planner_ccd
