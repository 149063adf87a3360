#pragma once

#include <string>

namespace planner_ccd::viewer {

std::string bundled_page();  ///< web/dist/page.html, with marks where texts belong.
std::string bundled_app();   ///< web/dist/app.js.

}  // namespace planner_ccd::viewer
