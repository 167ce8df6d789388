# The viewer: pages, packets, pictures and the server. libpng and its zlib read what was written.
find_package(PNG QUIET)
if(NOT PNG_FOUND OR NOT TARGET clump_viewer)
  message(STATUS "Tests: libpng was not found (Debian: libpng-dev), pages and pictures are not tested")
  return()
endif()

# clump_view_test(NAME LIBRARIES...): tests/NAME.c with the viewer.
function(clump_view_test name)
  clump_test(${name} clump_viewer PNG::PNG ZLIB::ZLIB ${ARGN})
endfunction()

clump_view_test(test_view_bytes)
clump_view_test(test_view_columns)
# The same without zlib.
add_executable(test_view_stored view/test_view_columns.c ../viewer/bytes/columns.c ../viewer/bytes/bytes.c)
clump_compile_options(test_view_stored)
target_include_directories(test_view_stored PRIVATE ${clump_SOURCE_DIR} ${clump_SOURCE_DIR}/include ${clump_SOURCE_DIR}/src)
target_compile_definitions(test_view_stored PRIVATE CLUMP_TEST_DATA_DEFAULT="")
target_link_libraries(test_view_stored PRIVATE ZLIB::ZLIB m)
add_test(NAME test_view_stored COMMAND test_view_stored come_back)
set_tests_properties(test_view_stored PROPERTIES TIMEOUT ${CLUMP_TEST_TIMEOUT})
clump_view_test(test_view_palette)
clump_view_test(test_view_colouring)
clump_view_test(test_view_difference)

# Pictures. CLUMP_GOLDEN_RECORD=1 test_view_picture renews tests/golden/.
foreach(name camera picture png)
  clump_view_test(test_view_${name})
  target_compile_definitions(test_view_${name} PRIVATE CLUMP_TEST_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
endforeach()
clump_view_test(test_view_paint)
clump_view_test(test_view_rgb m)
clump_view_test(test_view_raster m)
clump_view_test(test_view_packet m)
clump_view_test(test_view_places m)
clump_view_test(test_view_sweep m)
clump_view_test(test_view_page m)

# Pages of the program, decoded by a decoder of their own.
find_program(CLUMP_NODE NAMES node nodejs)
if(CLUMP_NODE)
  add_test(NAME view_decode COMMAND ${CLUMP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/viewer/decode.mjs $<TARGET_FILE:clump_program>
    ${clump_SOURCE_DIR}/../shared/data)
  set_tests_properties(view_decode PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})
  # Foxglove's own client, which npm fetches into the build folder when the test runs first.
  if(CLUMP_BUILD_CLI)
    add_test(NAME view_foxglove COMMAND ${CLUMP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/viewer/foxglove.mjs
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
