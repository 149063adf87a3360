#include "planner_ccd/cli/check_page.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::cli {

std::vector<std::pair<std::string, std::string>> page_facts(const Arguments& arguments) {
  std::vector<std::pair<std::string, std::string>> facts = {{"planner_ccd", PLANNER_CCD_VERSION}};
  for (const Option& option : option_table()) {
    if (option.name == "html" || option.name == "json") continue;
    for (const std::string& value : arguments.all(option.name)) facts.emplace_back("--" + option.name, value);
  }
  return facts;
}

}  // namespace planner_ccd::cli
