#pragma once

#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {

/// `planner_ccd.Timeline`: what changes during a motion, as its file says it.
struct PyTimeline {
  std::string text, name, folder;
  TimelineFile file;

  PyTimeline() = default;
  PyTimeline(std::string content, std::string called, std::string in)
      : text(std::move(content)),
        name(std::move(called)),
        folder(std::move(in)),
        file(parse_timeline(text, name, folder)) {}
};

inline void describe(Writer& a, const PyTimeline& v) { a(v.text, v.name, v.folder); }
inline void describe(Reader& a, PyTimeline& v) {
  std::string text, name, folder;
  a(text, name, folder);
  v = PyTimeline(text, name, folder);
}

}  // namespace planner_ccd::python
