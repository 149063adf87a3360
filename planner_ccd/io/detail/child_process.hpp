#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace planner_ccd {

struct ChildLimits {
  double seconds;          ///< From its start to its end; then it is killed.
  std::size_t max_output;  ///< [byte] It is killed when it writes more.
};

struct ChildResult {
  enum class End {
    NotStarted,  ///< `code` is the errno.
    Exited,      ///< `code` is its exit code.
    Signalled,   ///< `code` is the signal that ended it.
    TooSlow,
    TooMuch,  ///< It wrote more than `max_output`.
    Unknown,  ///< Somebody else in this process has waited for it: the output has to speak for itself.
  };
  End end;
  int code = 0;
  std::string output = {};  ///< What it wrote to its standard output.
};

/// Runs `words[0]`, a path, with these arguments; its standard input and error are /dev/null. posix_spawn does without a copy of
/// this process: between fork and exec a child of a process with threads may not even allocate, because another thread may have held
/// the lock of malloc. Signals are as a shell would have them. Nothing but the child itself is waited for or killed.
ChildResult run_child(const std::vector<std::string>& words, const ChildLimits& limits);

}  // namespace planner_ccd
