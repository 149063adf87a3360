#include "planner_ccd/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace planner_ccd::cli {
namespace {

constexpr int kWidth = 30;
constexpr std::chrono::milliseconds kPatience{500}, kInterval{100};

std::string left_text(double seconds) {
  if (seconds < 1.0) return "";
  if (seconds < 100.0) return ", " + std::to_string(static_cast<int>(seconds)) + " s left";
  return ", " + std::to_string(static_cast<int>(seconds / 60.0)) + " min left";
}

}  // namespace

Progress::Progress(std::string what) : Progress(std::move(what), std::cerr, isatty(STDERR_FILENO) == 1) {}

Progress::Progress(std::string what, std::ostream& out, bool terminal)
    : what_(std::move(what)), out_(out), terminal_(terminal) {}

Progress::~Progress() {
  if (shown_) out_ << "\r\033[K" << std::flush;
}

void Progress::show(int done, int total, Clock::time_point now) {
  if (!terminal_ || total <= 0 || now - start_ < kPatience || now - last_ < kInterval) return;
  last_ = now;
  shown_ = true;
  const double share = std::clamp(static_cast<double>(done) / total, 0.0, 1.0);
  const int filled = static_cast<int>(share * kWidth);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string line = "\r[" + std::string(static_cast<std::size_t>(filled), '#') +
                     std::string(static_cast<std::size_t>(kWidth - filled), '.') + "] " +
                     std::to_string(static_cast<int>(100.0 * share)) + " %  " + what_ + " " + std::to_string(done) +
                     " of " + std::to_string(total);
  if (share > 0.0) line += left_text(elapsed * (1.0 - share) / share);
  out_ << line << "\033[K" << std::flush;
}

}  // namespace planner_ccd::cli
