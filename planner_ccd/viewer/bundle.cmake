# cmake -DNPM=... -DNODE=... -DSOURCE=web -DWORK=... -DBUNDLE=bundle.cpp -P bundle.cmake
# Makes WORK/page.html of SOURCE and embeds it in BUNDLE. When that is not possible the reason is embedded instead, which
# the command shows when it is asked for a page; the build goes on.
file(MAKE_DIRECTORY ${WORK})
file(REMOVE ${WORK}/page.html)

function(give_up reason)
  string(REPLACE "\"" "'" reason "${reason}")
  string(REPLACE "\n" " " reason "${reason}")
  message("Viewer: ${reason}. Everything else is built.")
  file(CONFIGURE OUTPUT ${BUNDLE} CONTENT [=[
#include "planner_ccd/viewer/bundle.hpp"

namespace planner_ccd::viewer {

const Bundle& bundle() {
  static constexpr Bundle kBundle{{}, {}, R"reason(this build cannot write pages: @reason@)reason"};
  return kBundle;
}

}  // namespace planner_ccd::viewer
]=] @ONLY)
endfunction()

if(NOT NPM OR NOT NODE)
  give_up("npm was not found when it was made; install it (Debian: apt-get install nodejs npm), remove the build folder and build again")
  return()
endif()

# npm works on a copy, so that it writes nothing into the sources. The stamp spares a second download.
file(COPY ${SOURCE}/ DESTINATION ${WORK} PATTERN node_modules EXCLUDE)
file(SHA256 ${SOURCE}/package-lock.json lock)
if(NOT EXISTS ${WORK}/node_modules/${lock})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                          --fetch-timeout=60000 --loglevel=error
                  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT result EQUAL 0)
    string(REGEX MATCH "npm error [^\n]*network[^\n]*|npm error code [^\n]*" line "${output}")
    give_up("npm could not fetch three.js and esbuild when it was made (${line}); build again with access to the npm registry")
    return()
  endif()
  file(TOUCH ${WORK}/node_modules/${lock})
endif()
execute_process(COMMAND ${NODE} build.mjs ${BUNDLE} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message("${output}")
  file(REMOVE ${WORK}/page.html)
  give_up("esbuild failed when it was made; see the output of the build")
endif()
