#include "planner_ccd/io/detail/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

extern char** environ;

namespace planner_ccd {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// The pid, or -errno.
int spawn(const std::vector<std::string>& words, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  pid_t pid = -1;
  const int error = posix_spawn(&pid, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : -error;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left + 1, 0, 1'000'000));
}

/// Reads until the child closes its end. Exited stands for that here.
ChildResult::End read_all(int input, Clock::time_point deadline, std::size_t max_output, std::string& output) {
  std::array<char, 1 << 16> chunk;
  while (true) {
    pollfd waiting{input, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(deadline));
    if (Clock::now() >= deadline) return ChildResult::End::TooSlow;
    if (ready < 0 && errno != EINTR) return ChildResult::End::Unknown;
    if (ready <= 0) continue;
    const ssize_t count = read(input, chunk.data(), chunk.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN) return ChildResult::End::Unknown;
    if (count == 0) return ChildResult::End::Exited;
    if (count < 0) continue;
    if (output.size() + static_cast<std::size_t>(count) > max_output) return ChildResult::End::TooMuch;
    output.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

/// Waits until `deadline`, then kills and waits. False if there is nothing to wait for any more.
bool reap(pid_t pid, Clock::time_point deadline, int& status, bool& killed) {
  using namespace std::chrono_literals;
  for (auto pause = 100us;; pause = std::min<std::chrono::microseconds>(pause * 2, 10ms)) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid) return true;
    if (done < 0 && errno != EINTR) return false;
    if (Clock::now() >= deadline) break;
    std::this_thread::sleep_for(pause);
  }
  killed = true;
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& words, const ChildLimits& limits) {
  using End = ChildResult::End;
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {End::NotStarted, errno};
  Descriptor input(ends[0]), output(ends[1]);
  const int pid = spawn(words, output.number());
  if (pid < 0) return {End::NotStarted, -pid};
  output.close();

  ChildResult result{End::Exited};
  result.end = read_all(input.number(), deadline, limits.max_output, result.output);
  const bool ended = result.end == End::Exited;
  int status = 0;
  bool killed = false;
  const bool known = reap(pid, ended ? deadline : Clock::now(), status, killed);
  if (!ended) return result;
  if (killed) return {End::TooSlow};
  if (!known) return {End::Unknown, 0, std::move(result.output)};
  if (WIFSIGNALED(status)) return {End::Signalled, WTERMSIG(status)};
  return {End::Exited, WEXITSTATUS(status), std::move(result.output)};
}

}  // namespace planner_ccd
