#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace planner_ccd::cli {

/// A progress bar on a terminal: silent in a pipe and for the first half second, removed when the work is done.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Writes to stderr, if that is a terminal. `what`: the unit of work, as in "segment 3 of 12".
  explicit Progress(std::string what);
  Progress(std::string what, std::ostream& out, bool terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done, int total) { show(done, total, Clock::now()); }
  void show(int done, int total, Clock::time_point now);

 private:
  std::string what_;
  std::ostream& out_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace planner_ccd::cli
