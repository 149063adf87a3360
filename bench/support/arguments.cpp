#include "bench/support/arguments.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace planner_ccd::bench {
namespace {

[[noreturn]] void usage(const char* program, int exit_code) {
  std::fprintf(exit_code == 0 ? stdout : stderr,
               "usage: %s [--quick] [--filter TEXT] [--json FILE]\n"
               "  --quick        fewer queries: a first look within seconds\n"
               "  --filter TEXT  only the cases whose name contains TEXT\n"
               "  --json FILE    write the rows to FILE as well\n"
               "bench/README.md explains every row.\n",
               program);
  std::exit(exit_code);
}

}  // namespace

Arguments parse_arguments(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    const bool takes_value = is("--json") || is("--filter");
    if (takes_value && i + 1 == argc) {
      std::fprintf(stderr, "%s needs a value\n", argv[i]);
      usage(argv[0], 2);
    }
    if (is("--quick")) {
      result.quick = true;
    } else if (is("--json")) {
      result.json = argv[++i];
    } else if (is("--filter")) {
      result.filter = argv[++i];
    } else if (is("--help") || is("-h")) {
      usage(argv[0], 0);
    } else {
      std::fprintf(stderr, "unknown argument %s\n", argv[i]);
      usage(argv[0], 2);
    }
  }
  return result;
}

}  // namespace planner_ccd::bench
