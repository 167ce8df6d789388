# The program, by what it prints: each group is a script of commands whose transcript is compared
# with a recorded one. To record: make record
if(CLUMP_BUILD_CLI)
  clump_tests(program clump_program_objects)
  target_include_directories(tests_program PRIVATE ${clump_SOURCE_DIR} ${clump_SOURCE_DIR}/cli)

  clump_find_python(clump_eval_python "import numpy, scipy.spatial, scipy.optimize")
  if(clump_eval_python)
    add_test(NAME test_eval_poses COMMAND ${clump_eval_python} ${CMAKE_CURRENT_SOURCE_DIR}/program/test_eval_poses.py
      $<TARGET_FILE:clump_program>)
    add_test(NAME test_tracks COMMAND ${clump_eval_python} ${CMAKE_CURRENT_SOURCE_DIR}/program/test_tracks.py
      $<TARGET_FILE:clump_program>)
    if(NOT CLUMP_SANITIZE) # a sanitizer takes minutes for these frames; cli_map has fewer
      clump_tier_test(2 test_map_truth ${clump_eval_python} ${CMAKE_CURRENT_SOURCE_DIR}/program/test_map.py
        $<TARGET_FILE:clump_program>)
    endif()
    add_test(NAME test_eval_reference COMMAND ${clump_eval_python} ${CMAKE_CURRENT_SOURCE_DIR}/program/test_eval.py
      $<TARGET_FILE:clump_program> ${clump_SOURCE_DIR}/../shared/data)
    set_tests_properties(test_eval_reference test_eval_poses test_tracks PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT}
      ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
  else()
    message(STATUS "Tests: python3 was not found, no second implementation of clump eval")
  endif()

  clump_find_python(clump_colour_python "import pty")
  if(clump_colour_python)
    add_test(NAME test_colour COMMAND ${clump_colour_python} ${CMAKE_CURRENT_SOURCE_DIR}/program/test_colour.py
      $<TARGET_FILE:clump_program>)
    set_tests_properties(test_colour PROPERTIES TIMEOUT ${CLUMP_TEST_TIMEOUT} ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
  else()
    message(STATUS "Tests: python3 was not found, no test of colours in a terminal")
  endif()

  find_program(CLUMP_BASH bash)
  if(CLUMP_BASH)
    file(GLOB clump_groups RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/cli CONFIGURE_DEPENDS cli/*.sh)
    list(REMOVE_ITEM clump_groups run.sh)
    foreach(script IN LISTS clump_groups)
      string(REPLACE .sh "" group ${script})
      add_test(NAME cli_${group} COMMAND ${CLUMP_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
        $<TARGET_FILE:clump_program> ${group})
      # Looking for leaks takes seconds at the end of each of hundreds of short runs.
      set_tests_properties(cli_${group} PROPERTIES TIMEOUT ${CLUMP_TEST_TIMEOUT} ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1")
    endforeach()
    add_test(NAME test_each COMMAND ${CLUMP_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/program/each.sh $<TARGET_FILE:clump_program>)
    set_tests_properties(test_each PROPERTIES COST 95 TIMEOUT ${CLUMP_TEST_TIMEOUT}
      ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1")
    if(NOT CLUMP_SANITIZE) # a sanitizer must be the first library that is loaded
      add_library(test_no_tmpfile MODULE program/no_tmpfile.c)
      clump_compile_options(test_no_tmpfile)
      target_link_libraries(test_no_tmpfile PRIVATE ${CMAKE_DL_LIBS})
      set_property(TEST cli_stop APPEND PROPERTY ENVIRONMENT "CLUMP_NO_TMPFILE=$<TARGET_FILE:test_no_tmpfile>")
    endif()
  else()
    message(STATUS "No bash: the tests of the program are left out.")
  endif()
endif()
