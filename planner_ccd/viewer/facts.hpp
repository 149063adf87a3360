#pragma once

#include <string>
#include <string_view>

#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::viewer {

/// A text as HTML that shows it and does nothing else: markup is escaped; bytes that are no UTF-8, control characters and
/// those that turn the direction of the text around them become U+FFFD.
std::string html_text(std::string_view text);

/// The result as HTML: verdict, warnings, findings, what was not looked at.
std::string result_html(const PageContent& content);

/// What belongs to it, for the record: question, numbers, assumptions, inputs, command line, facts.
std::string record_html(const PageContent& content);

}  // namespace planner_ccd::viewer
