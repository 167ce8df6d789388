# SPDX-License-Identifier: BSD-3-Clause
#
# CTest reads this file before it runs tests. Where CLUMP_TEST_TIMES names a folder (scripts/ci.sh), it gets a file per test, with
# the processor seconds of the test and of the programs that it started (scripts/parts.py --seconds).
if(IS_DIRECTORY "$ENV{CLUMP_TEST_TIMES}" AND NOT COMMAND _add_test)
  function(add_test name) # CMake then calls its own command _add_test
    set(command)
    math(EXPR last "${ARGC} - 1")
    foreach(i RANGE 1 ${last})
      string(APPEND command " [==[${ARGV${i}}]==]")
    endforeach()
    set(wrapper [==["$@"; status=$?; times >"$CLUMP_TEST_TIMES/$0"; exit $status]==])
    cmake_language(EVAL CODE "_add_test([==[${name}]==] /bin/sh -c [==[${wrapper}]==] [==[${name}]==] ${command})")
  endfunction()
endif()
