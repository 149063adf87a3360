#include "planner_ccd/python/report.hpp"

namespace planner_ccd::python {

std::string inspection_of(const Robot&, std::int64_t) {
  throw InputError("this build cannot inspect robots: it was made without the command (PLANNER_CCD_CLI)");
}

}  // namespace planner_ccd::python
