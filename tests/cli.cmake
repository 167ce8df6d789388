# The program, by what it prints: each group is a script of commands whose transcript is compared
# with a recorded one. To record: tests/cli/run.sh --record path/to/clump
if(CLUMP_BUILD_CLI)
  clump_test(test_eval m)
  target_sources(test_eval PRIVATE ../cli/eval_measure.c)
  target_include_directories(test_eval PRIVATE ${clump_SOURCE_DIR}/include)

  find_program(CLUMP_BASH bash)
  if(CLUMP_BASH)
    foreach(group help usage ec dbscan erccl ground eval nn files reading json output completion)
      add_test(NAME cli_${group} COMMAND ${CLUMP_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
        $<TARGET_FILE:clump_program> ${group})
      # Looking for leaks takes seconds at the end of each of hundreds of short runs.
      set_tests_properties(cli_${group} PROPERTIES TIMEOUT 120 ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1")
    endforeach()
  else()
    message(STATUS "No bash: the tests of the program are left out.")
  endif()
endif()
