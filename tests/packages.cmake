# Releases and packages: versions, lists of symbols, the tarball, recipes. What the packages hold is tested by `make deb-check`.
set(clump_packages ${CMAKE_CURRENT_SOURCE_DIR}/packages)
add_test(NAME house_version COMMAND sh ${clump_packages}/version.sh ${clump_SOURCE_DIR} ${clump_VERSION})
if(BUILD_SHARED_LIBS AND NOT CLUMP_SANITIZE)
  add_test(NAME house_symbols COMMAND sh ${clump_scripts}/symbols.sh --check ${clump_BINARY_DIR})
endif()
add_test(NAME packages_dist COMMAND sh ${clump_packages}/dist.sh ${clump_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/packages-dist)
set_tests_properties(packages_dist PROPERTIES SKIP_RETURN_CODE 77)
