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
