#include "planner_ccd/python/report.hpp"

namespace planner_ccd::python {
namespace {

[[noreturn]] void fail() {
  throw InputError("this build cannot write pages and reports: it was made without the command (PLANNER_CCD_CLI)");
}

}  // namespace

std::string html_of(const Report&) { fail(); }
std::string junit_of(const Report&) { fail(); }
std::string json_of(const Report&) { fail(); }
std::string inspection_of(const Robot&, std::int64_t) { fail(); }
std::string html_of(const Robot&, const Scene&) { fail(); }

}  // namespace planner_ccd::python
