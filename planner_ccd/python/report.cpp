#include "planner_ccd/python/report.hpp"

#include "planner_ccd/version.hpp"
#include "planner_ccd/viewer/report_page.hpp"

namespace planner_ccd::python {
namespace {

/// The lists one after the other.
template <class T>
std::vector<T> together(const std::initializer_list<const std::vector<T>*>& lists) {
  std::vector<T> all;
  for (const std::vector<T>* list : lists) all.insert(all.end(), list->begin(), list->end());
  return all;
}

}  // namespace

std::vector<InputWarning> PyReport::warnings() const {
  return together<InputWarning>(
      {&checker->robot().warnings, &checker->setup().scene.warnings, &trajectory.warnings, &limit_warnings});
}

std::vector<InputFile> PyReport::inputs() const {
  return together<InputFile>(
      {&checker->robot().inputs, &checker->setup().scene.inputs, &trajectory.inputs, &limit_inputs});
}

Report PyReport::report() const {
  Report out = make_report({checker->get(), trajectory.trajectory, options, timeline.get()}, result);
  out.assumptions = assumptions;
  out.inputs = inputs();
  out.warnings = warnings();
  out.question.robots = {{"", "", checker->robot().model->name()}};
  out.time_us = seconds * 1e6;
  const bool exact = !options.edge.errors.any() && options.tracking_delay == 0.0 && options.segment_errors.empty();
  if (!options.edge.method && exact) {
    out.proved_apart = checker->get().proved_apart(extremes(*trajectory.robot.model, trajectory.trajectory));
  }
  conclude(out);
  return out;
}

std::string PyReport::html() const {
  const Scene& scene = timeline ? timeline->stages()[0].scene : checker->setup().scene.scene;
  return viewer::page(
      viewer::report_page(report(), {checker->get().robot(), scene, trajectory.trajectory, timeline.get()}));
}

std::string html_of(const Robot& robot, const Scene& scene) {
  viewer::PageContent content;
  content.title = robot.model->name();
  content.robot = robot.model.get();
  content.scene = &scene;
  content.facts = {{"planner_ccd", PLANNER_CCD_VERSION}};
  return viewer::page(content);
}

}  // namespace planner_ccd::python
