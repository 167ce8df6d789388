# The viewer: pages, packets, pictures and the server. libpng and its zlib read what was written.
find_package(PNG QUIET)
if(NOT PNG_FOUND OR NOT TARGET clump_viewer)
  message(STATUS "Tests: libpng was not found (Debian: libpng-dev), pages and pictures are not tested")
  return()
endif()

clump_tests(view clump_viewer PNG::PNG ZLIB::ZLIB m WITHOUT test_view_server test_view_server_hostile test_view_server_limits)
# Pictures. CLUMP_GOLDEN_RECORD=1 tests_view test_view_picture renews tests/golden/.
target_compile_definitions(tests_view PRIVATE CLUMP_TEST_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")

# Columns without zlib.
add_executable(test_view_stored view/test_view_columns.c ../viewer/bytes/columns.c ../viewer/bytes/bytes.c ${clump_check})
clump_compile_options(test_view_stored)
target_include_directories(test_view_stored PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${clump_SOURCE_DIR} ${clump_SOURCE_DIR}/include
  ${clump_SOURCE_DIR}/src)
target_link_libraries(test_view_stored PRIVATE ZLIB::ZLIB m)
add_test(NAME test_view_stored COMMAND test_view_stored test_view_columns come_back)
set_tests_properties(test_view_stored PROPERTIES TIMEOUT ${CLUMP_TEST_TIMEOUT})

# Pages of the program, decoded by a decoder of their own.
find_program(CLUMP_NODE NAMES node nodejs)
if(CLUMP_NODE)
  add_test(NAME view_decode COMMAND ${CLUMP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/viewer/decode.mjs $<TARGET_FILE:clump_program>
    ${clump_SOURCE_DIR}/../shared/data)
  set_tests_properties(view_decode PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})
  # Foxglove's own client, which npm fetches into the build folder when the test runs first.
  if(CLUMP_BUILD_CLI)
    clump_tier_test(2 view_foxglove ${CLUMP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/viewer/foxglove.mjs
      $<TARGET_FILE:clump_program> ${CMAKE_CURRENT_BINARY_DIR}/view_foxglove)
    set_tests_properties(view_foxglove PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})
  endif()
else()
  message(STATUS "Tests: node was not found, pages are not decoded")
endif()

# The script of the page: its modules alone (*.test.mjs), and in a browser with pages of the program (page_*.mjs). Programs
# with sanitizers would only make them slower. house_bundle fetches the packages.
if(CLUMP_BUILD_CLI AND NOT CLUMP_SANITIZE)
  file(GLOB clump_view_scripts CONFIGURE_DEPENDS viewer/*.test.mjs viewer/page_*.mjs)
  foreach(script IN LISTS clump_view_scripts)
    get_filename_component(name ${script} NAME)
    string(REGEX REPLACE "(\\.test)?\\.mjs$" "" name ${name})
    add_test(NAME view_${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/viewer/run.sh ${script})
    set_tests_properties(view_${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT} DEPENDS house_bundle
      ENVIRONMENT "CLUMP_PROGRAM=$<TARGET_FILE:clump_program>;CLUMP_SCREENSHOTS=${CMAKE_CURRENT_BINARY_DIR}/screenshots")
  endforeach()
endif()
