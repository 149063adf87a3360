#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner_ccd/cli/check_report.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::cli {

/// The events of a timeline as JSON (null without one), and as text, one line each.
nlohmann::ordered_json events_json(const CheckReport& report);
std::string events_text(const CheckReport& report);

/// The scene during a segment.
const Scene& scene_during(const CheckReport& report, int segment);

/// Adds to the page what changes hands, and the events to its list.
void show_events(const Timeline& timeline, viewer::PageContent& content);

}  // namespace planner_ccd::cli
