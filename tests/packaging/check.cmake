# cmake -DBUILD_DIR=... -DGENERATOR=... -DCXX=... -DHAS_IO=... -DHAS_OMPL=... -DPYTHON=... -DPYTHON_DIR=... -P
# check.cmake: see CMakeLists.txt.
set(scratch ${BUILD_DIR}/packaging)
set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${scratch})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# downstream(<name> <option>...): configures, builds and runs tests/packaging/downstream against the prefix.
function(downstream name)
  set(build ${scratch}/${name})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/downstream -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON ${ARGN})
  run(${CMAKE_COMMAND} --build ${build})
  run(${build}/downstream)
  if(NOT output MATCHES "free to link")
    message(FATAL_ERROR "the downstream program printed:\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
foreach(header ${headers})
  if(NOT header MATCHES "^planner_ccd/.*[.]hpp$" OR header MATCHES "(_detail[.]hpp|/detail/.*)$")
    message(FATAL_ERROR "${header} should not be installed")
  endif()
endforeach()

set(no_loaders -DCMAKE_DISABLE_FIND_PACKAGE_tinyxml2=ON -DCMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
downstream(core_alone -DCOMPONENT=core ${no_loaders})
if(HAS_OMPL)
  downstream(ompl -DCOMPONENT=ompl ${no_loaders})
endif()
if(HAS_IO)
  downstream(everything -DCOMPONENT=planner_ccd)
endif()
if(PYTHON)
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${prefix}/${PYTHON_DIR} ${PYTHON} -c
      "import planner_ccd; assert planner_ccd.__file__.startswith('${prefix}'), planner_ccd.__file__")
endif()
