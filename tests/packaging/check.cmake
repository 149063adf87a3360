# cmake -DCHECK=install|bits|subproject -DBUILD_DIR=... ... -P check.cmake: see CMakeLists.txt.
set(scratch ${BUILD_DIR}/packaging/${CHECK})
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

# downstream(<name> <prefix> <option>...): configures and builds tests/packaging/downstream against the prefix, and runs it.
function(downstream name prefix)
  set(build ${scratch}/${name})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/downstream -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON ${ARGN})
  run(${CMAKE_COMMAND} --build ${build})
  run(${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_container_overflow=0 ${build}/downstream ${SOURCE_DIR})
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(free_to_link)
  downstream(${ARGN})
  if(NOT output MATCHES "free to link")
    message(FATAL_ERROR "the downstream program printed:\n${output}")
  endif()
endfunction()

# Private headers are not installed, and the installed ones compile by themselves (tests/lint/includes.py checks what they
# include).
function(check_install)
  run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
  file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
  set(includes "")
  foreach(header ${headers})
    if(NOT header MATCHES "^planner_ccd/.*[.]hpp$" OR header MATCHES "/(detail|hierarchy|triangle_ccd)/")
      message(FATAL_ERROR "${header} should not be installed")
    endif()
    if(NOT header MATCHES "/adapters/")
      string(APPEND includes "#include <${header}>\n")
    endif()
  endforeach()
  file(WRITE ${scratch}/every_header.cpp "${includes}int main() {}\n")
  file(STRINGS ${BUILD_DIR}/CMakeCache.txt eigen REGEX "^Eigen3_DIR:")
  string(REGEX REPLACE ".*=(.*)/share/eigen3/cmake" "\\1/include/eigen3" eigen "${eigen}")
  run(${CXX} -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -isystem ${eigen} -I${prefix}/include
      ${scratch}/every_header.cpp)

  set(no_loaders -DCMAKE_DISABLE_FIND_PACKAGE_tinyxml2=ON -DCMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  free_to_link(core_alone ${prefix} -DPROGRAM=core ${no_loaders})
  if(HAS_OMPL)
    free_to_link(ompl ${prefix} -DPROGRAM=ompl ${no_loaders})
  endif()
  if(HAS_URDFDOM)
    free_to_link(urdfdom ${prefix} -DPROGRAM=urdfdom)
  endif()
  if(HAS_IO)
    free_to_link(everything ${prefix} -DPROGRAM=planner_ccd)
  endif()
  if(PYTHON)
    run(${CMAKE_COMMAND} -E env PYTHONPATH=${prefix}/${PYTHON_DIR} ${PYTHON} -c
        "import planner_ccd; assert planner_ccd.__file__.startswith('${prefix}'), planner_ccd.__file__")
  endif()
endfunction()

function(same_bits name prefix)
  downstream(${name} ${prefix} -DPROGRAM=bits ${ARGN})
  if(NOT "${output}" STREQUAL "${expected}")
    file(WRITE ${scratch}/expected.txt "${expected}")
    file(WRITE ${scratch}/${name}.txt "${output}")
    message(FATAL_ERROR "results depend on how the caller is compiled: compare ${scratch}/expected.txt and ${scratch}/${name}.txt")
  endif()
endfunction()

# The same program, compiled like the library, with typical options of planners, and with other allocators; against static and shared
# libraries. The shared ones are built here, using a compiler cache if there is one.
function(check_bits)
  if(NOT HAS_IO OR NOT HAS_BATCH)
    message(STATUS "left out: it needs planner_ccd::io and planner_ccd::batch")
    return()
  endif()
  run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
  downstream(plain ${prefix} -DPROGRAM=bits)
  set(expected "${output}")
  string(REGEX MATCHALL "\n" lines "${expected}")
  list(LENGTH lines count)
  if(count LESS 100 OR NOT expected MATCHES "free" OR NOT expected MATCHES "contact")
    message(FATAL_ERROR "hardly anything to compare:\n${expected}")
  endif()
  set(fast "-DOPTIONS=-Ofast -march=native")
  if(HAS_PRIVATE_COPIES)
    same_bits(fast ${prefix} "${fast}")
    same_bits(unoptimised ${prefix} "-DOPTIONS=-O0 -ffast-math -march=native")
    same_bits(sanitized ${prefix} -DOPTIONS=-fsanitize=address)
  endif()
  # As deep below the sources as this build: a compiler cache uses relative paths.
  set(shared ${BUILD_DIR}_shared)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${shared} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DPLANNER_CCD_PCH=${PCH} -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DPLANNER_CCD_CLI=OFF
      -DPLANNER_CCD_PYTHON=OFF -DPLANNER_CCD_OMPL=${HAS_OMPL} -DPLANNER_CCD_WERROR=${WERROR})
  run(${CMAKE_COMMAND} --build ${shared})
  run(${CMAKE_COMMAND} --install ${shared} --prefix ${scratch}/shared)
  same_bits(fast_shared ${scratch}/shared "${fast}")
  if(HAS_OMPL)
    free_to_link(ompl_shared ${scratch}/shared -DPROGRAM=ompl)
  endif()
endfunction()

function(check_subproject)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${scratch}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DPLANNER_CCD=${SOURCE_DIR})
  if(NOT output MATCHES "nothing leaked")
    message(FATAL_ERROR "${output}")
  endif()
  # A file of the user's project can include the library's headers, including version.hpp.
  run(${CMAKE_COMMAND} --build ${scratch}/build --target CMakeFiles/surrounding.dir/main.cpp.o)
endfunction()

cmake_language(CALL check_${CHECK})
