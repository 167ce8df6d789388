# The viewer: pages, packets, pictures and the server.
if(NOT clump_viewer_complete)
  return()
endif()

# clump_view_test(NAME LIBRARIES...): tests/NAME.c with the viewer.
function(clump_view_test name)
  clump_test(${name} clump_viewer ${ARGN})
endfunction()

clump_view_test(test_view_bytes)
clump_view_test(test_view_columns)
clump_view_test(test_view_palette)
clump_view_test(test_view_colouring)
clump_view_test(test_view_difference)

# Pictures. CLUMP_GOLDEN_RECORD=1 test_view_picture renews tests/golden/.
foreach(name camera picture png)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test_view_${name}.c)
    clump_view_test(test_view_${name})
    target_compile_definitions(test_view_${name} PRIVATE CLUMP_TEST_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
endforeach()
