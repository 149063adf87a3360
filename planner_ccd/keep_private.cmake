# planner_ccd_keep_private(<target>): what a library shares with no one.
#
# A function of Eigen or the standard library that was not inlined stands in every object file that needs it, and a linker keeps
# one copy for the whole program: perhaps one that the user compiled with other options, -ffast-math or other alignments. The
# library's proofs hold for its own copies. A shared library binds its calls to these when it is linked. A static one is linked
# into a single object whose copies are made local to it; where the tools for that are missing, or objects are not what they
# know (link-time optimisation, GCC's sanitizers), programs that link it must be compiled with the options of the library.
#
# Run as a script: cmake -DLIBRARY=lib.a -DLD=... -DNM=... -DOBJCOPY=... -DAR=... -P keep_private.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  set(object ${LIBRARY}.o)
  execute_process(COMMAND ${LD} -r --force-group-allocation -o ${object} --whole-archive ${LIBRARY}
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  # Functions (W) are made local. Objects may have to be the same for all (V); those that are unique (u) become weak, because the
  # groups that let a linker choose among them are gone.
  foreach(kind IN ITEMS W u)
    string(REGEX MATCHALL " ${kind} [^\n]+" names "${symbols}")
    list(TRANSFORM names REPLACE "^ ${kind} " "")
    if(kind STREQUAL W)
      list(FILTER names EXCLUDE REGEX "planner_ccd")
    endif()
    string(REPLACE ";" "\n" names "${names}")
    file(WRITE ${LIBRARY}.${kind} "${names}\n")
  endforeach()
  execute_process(COMMAND ${OBJCOPY} --localize-symbols=${LIBRARY}.W --weaken-symbols=${LIBRARY}.u ${object}
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${LIBRARY})
  execute_process(COMMAND ${AR} qcs ${LIBRARY} ${object} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${object} ${LIBRARY}.W ${LIBRARY}.u)
  return()
endif()

set(planner_ccd_keep_private_script ${CMAKE_CURRENT_LIST_FILE})
set(planner_ccd_can_keep_private FALSE)
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_OBJCOPY AND CMAKE_NM AND CMAKE_LINKER
   AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT CMAKE_CXX_FLAGS MATCHES "-flto"
   AND (CMAKE_CXX_COMPILER_ID STREQUAL Clang OR NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize"))
  execute_process(COMMAND ${CMAKE_LINKER} --help OUTPUT_VARIABLE linker_help ERROR_QUIET)
  if(linker_help MATCHES "--force-group-allocation")
    set(planner_ccd_can_keep_private TRUE)
  endif()
endif()

function(planner_ccd_keep_private target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
  elseif(type STREQUAL STATIC_LIBRARY AND planner_ccd_can_keep_private)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${target}> -DLD=${CMAKE_LINKER} -DNM=${CMAKE_NM}
              -DOBJCOPY=${CMAKE_OBJCOPY} -DAR=${CMAKE_AR} -P ${planner_ccd_keep_private_script}
      VERBATIM)
  endif()
endfunction()
