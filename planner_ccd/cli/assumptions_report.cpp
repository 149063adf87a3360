#include "planner_ccd/cli/assumptions_report.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "planner_ccd/query/timeline.hpp"

namespace planner_ccd::cli {
namespace {

constexpr std::size_t kNamesInBrief = 3;

/// "4 links without collision geometry ...: a, b, c, ... and 1 more"
std::string brief(const Assumption& a) {
  const std::size_t count = a.names.size() + a.pairs.size();
  return (count > 1 ? std::to_string(count) + " " : "") + to_line(a, a.pairs.empty() ? kNamesInBrief : 0);
}

}  // namespace

nlohmann::ordered_json assumptions_json(const std::vector<Assumption>& assumptions) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Assumption& a : assumptions) {
    nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
    for (const auto& [first, second] : a.pairs) pairs.push_back(nlohmann::ordered_json::array({first, second}));
    all.push_back({{"kind", to_string(a.kind)},
                   {"by", a.by.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(a.by)},
                   {"text", a.text},
                   {"names", a.names},
                   {"pairs", std::move(pairs)}});
  }
  return all;
}

std::string assumptions_text(const std::vector<Assumption>& assumptions, bool named) {
  std::vector<std::string> lines;
  std::string reasons;
  for (const Assumption& a : assumptions) {
    if (named) {
      lines.push_back(to_line(a, std::numeric_limits<std::size_t>::max()));
    } else if (a.kind == AssumptionKind::Excluded) {
      const bool always = !a.text.ends_with(kPartOfTheTime);
      reasons += (reasons.empty() ? "" : ", ") + std::to_string(a.pairs.size()) + " " + a.by +
                 (always ? "" : " part of the time");
    } else {
      lines.push_back(brief(a));
    }
  }
  if (!reasons.empty()) lines.push_back("pairs not checked: " + reasons);
  std::string text;
  for (const std::string& line : lines)
    text += (text.empty() ? "  assumed              " : std::string(23, ' ')) + line + "\n";
  return text;
}

}  // namespace planner_ccd::cli
