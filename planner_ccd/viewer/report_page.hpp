#pragma once

#include <vector>

#include "planner_ccd/report/report.hpp"
#include "planner_ccd/viewer/page.hpp"

namespace planner_ccd::viewer {

/// The bodies that a page shows and how they move.
struct Shown {
  const RobotModel& robot;
  const Scene& scene;  ///< Of a timeline: at its start.
  const Trajectory& trajectory;
  const Timeline* timeline = nullptr;
};

/// A page of a report. What it refers to must outlive the result.
PageContent report_page(const Report& report, const Shown& shown);

/// A motion as a page shows it: consecutive segments, none if the robot is at rest.
std::vector<Piece> pieces_of(const RobotModel& robot, const Trajectory& trajectory);
/// Adds the events of a timeline to the list.
void show_events(const std::vector<TimelineEvent>& events, PageContent& content);
/// Adds what changes hands during a timeline.
void show_changes(const Timeline& timeline, PageContent& content);

}  // namespace planner_ccd::viewer
