#include "planner_ccd/cli/manual.hpp"

#include <iostream>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::cli {

int run_completion(const Arguments& arguments) {
  std::cout << completion_script(arguments.required("SHELL")) << std::flush;
  return kFree;
}

int run_man(const Arguments&) {
  std::cout << man_page(PLANNER_CCD_VERSION) << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
