#pragma once

#include <span>
#include <string_view>

namespace planner_ccd::viewer {

/// The page built from web/, cut where the data are inserted. Long texts come in parts, because compilers limit the
/// length of a literal.
struct Bundle {
  std::span<const std::string_view> before_data, after_data;
  std::string_view missing;  ///< Why there is no page, with the remedy; empty if there is one.
};

const Bundle& bundle();

}  // namespace planner_ccd::viewer
