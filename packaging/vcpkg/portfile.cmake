# vcpkg install planner-ccd --overlay-ports=packaging/vcpkg: builds the tree that this port lies in. Written by the documentation of the
# format; not run by this project so far. A port of a release fetches it instead: vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH URL ... REF ...).
get_filename_component(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
  FEATURES
    batch PLANNER_CCD_BATCH
    io PLANNER_CCD_IO
    ompl PLANNER_CCD_OMPL
    tools PLANNER_CCD_CLI
)
vcpkg_cmake_configure(
  SOURCE_PATH ${SOURCE_PATH}
  OPTIONS ${features} -DBUILD_TESTING=OFF -DPLANNER_CCD_PYTHON=OFF -DPLANNER_CCD_ASSIMP=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME planner_ccd CONFIG_PATH lib/cmake/planner_ccd)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES planner_ccd_verify AUTO_CLEAN)
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES planner_ccd AUTO_CLEAN)
endif()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
