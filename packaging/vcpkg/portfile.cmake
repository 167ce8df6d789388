# SPDX-License-Identifier: BSD-3-Clause
#
# UNTESTED: no vcpkg was there to build this with. An overlay port, which builds the source tree that it lies in:
#
#     vcpkg install clump --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES
  cuda CLUMP_CUDA
  tools CLUMP_BUILD_CLI)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} -DCLUMP_NATIVE=OFF -DCLUMP_MPI=OFF -DCLUMP_PYTHON=OFF -DCLUMP_LAZPERF=OFF
    -DCLUMP_BUILD_TESTS=OFF -DCLUMP_BUILD_BENCH=OFF -DCLUMP_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clump)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES clump AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
