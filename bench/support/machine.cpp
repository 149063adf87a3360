#include "bench/support/machine.hpp"

#include <sys/utsname.h>

#include <fstream>
#include <thread>

namespace planner_ccd::bench {
namespace {

/// The value of the first "key : value" line of /proc/cpuinfo, or "".
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.rfind(key, 0) == 0 && colon != std::string::npos && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return {};
}

std::string widest_simd() {
  const std::string flags = " " + cpuinfo("flags") + " " + cpuinfo("Features") + " ";
  const auto has = [&](const char* flag) { return flags.find(std::string(" ") + flag + " ") != std::string::npos; };
  if (has("avx512f")) return "avx512";
  if (has("avx2")) return "avx2";
  if (has("sse4_2")) return "sse4.2";
  if (has("asimd")) return "neon";
  return "unknown";
}

}  // namespace

Machine this_machine() {
  utsname system{};
  uname(&system);
  const std::string cpu = cpuinfo("model name");
  return {
    cpu.empty() ? "unknown" : cpu, static_cast<int>(std::thread::hardware_concurrency()), widest_simd(),
#if defined(__clang__)
        "clang " __clang_version__,
#else
        "gcc " __VERSION__,
#endif
        std::string(system.sysname) + " " + system.release + " " + system.machine
  };
}

}  // namespace planner_ccd::bench
