# laz-perf (Apache-2.0): another decoder of LAZ, which the tests compare clump's with. The library does not contain it.
# Its maintained release is WebAssembly in the npm package laz-perf; wasm2c, of Debian's package wabt, makes C of it:
#
#     npm pack laz-perf@0.0.7  ->  laz-perf.wasm, checked  ->  wasm2c  ->  lazperf.c  ->  clump_lazperf
#
# All of it happens in the build folder, the fetching once. Where a part cannot be had, a line says so, and the tests
# that need it are skipped.
set(CLUMP_LAZPERF AUTO CACHE STRING "laz-perf for the tests of LAZ: AUTO (where npm and wasm2c are), ON or OFF")
set_property(CACHE CLUMP_LAZPERF PROPERTY STRINGS AUTO ON OFF)

set(clump_lazperf_dir ${clump_BINARY_DIR}/lazperf)
set(clump_lazperf_sha256 9c1802bc31b567dd4aa1ce9ab010e7e51e095dc42af8379b474ae6f221a9327f)
set(clump_wasm2c_version 1.0.32)

# clump_fetch_lazperf(WHY): puts laz-perf.wasm into the folder; WHY is empty, or says why not. Where it
# failed once AUTO does not try again: without a network that takes its time at every configuring.
function(clump_fetch_lazperf why)
  set(wasm ${clump_lazperf_dir}/package/lib/laz-perf.wasm)
  set(failed ${clump_lazperf_dir}/failed)
  set(${why} "" PARENT_SCOPE)
  if(NOT EXISTS ${wasm})
    find_program(CLUMP_NPM npm)
    mark_as_advanced(CLUMP_NPM)
    if(NOT CLUMP_NPM)
      set(${why} "npm was not found" PARENT_SCOPE)
      return()
    endif()
    if(NOT EXISTS ${failed} OR CLUMP_LAZPERF STREQUAL "ON")
      file(MAKE_DIRECTORY ${clump_lazperf_dir})
      execute_process(COMMAND ${CLUMP_NPM} pack laz-perf@0.0.7 --ignore-scripts --silent --no-update-notifier
          --fetch-retries=0 --fetch-timeout=20000
        WORKING_DIRECTORY ${clump_lazperf_dir} TIMEOUT 60 RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        file(ARCHIVE_EXTRACT INPUT ${clump_lazperf_dir}/laz-perf-0.0.7.tgz DESTINATION ${clump_lazperf_dir}
          PATTERNS package/lib/laz-perf.wasm)
      endif()
    endif()
  endif()
  if(NOT EXISTS ${wasm})
    file(TOUCH ${failed})
    set(${why} "npm could not fetch laz-perf (to try again, remove ${failed})" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 ${wasm} sum)
  if(NOT sum STREQUAL clump_lazperf_sha256)
    set(${why} "the laz-perf that npm fetched is not the one that was tested" PARENT_SCOPE)
  endif()
endfunction()

# clump_translate_lazperf(WHY): makes lazperf.c and lazperf.h.
function(clump_translate_lazperf why)
  find_program(CLUMP_WASM2C wasm2c)
  find_file(CLUMP_WASM_RT wasm-rt.h PATH_SUFFIXES wabt NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(CLUMP_WASM2C CLUMP_WASM_RT)
  if(NOT CLUMP_WASM2C OR NOT CLUMP_WASM_RT)
    set(${why} "wasm2c was not found" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${CLUMP_WASM2C} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT version STREQUAL clump_wasm2c_version)
    set(${why} "wasm2c is of version \"${version}\", not ${clump_wasm2c_version}" PARENT_SCOPE)
    return()
  endif()
  clump_fetch_lazperf(missing)
  if(missing)
    set(${why} "${missing}" PARENT_SCOPE)
    return()
  endif()

  # A loop is a label w2c_L... and a `goto` back to it: these are counted (tests/lazperf/wasm.h).
  set(new ${clump_lazperf_dir}/new)
  file(MAKE_DIRECTORY ${new})
  execute_process(COMMAND ${CLUMP_WASM2C} ${clump_lazperf_dir}/package/lib/laz-perf.wasm --module-name=clump_io_lazperf
    --output=${new}/lazperf.c RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${why} "wasm2c failed on laz-perf" PARENT_SCOPE)
    return()
  endif()
  file(READ ${new}/lazperf.c plain)
  string(REPLACE "goto w2c_L" "CLUMP_IO_LOOP w2c_L" counted "${plain}")
  if(counted STREQUAL plain)
    set(${why} "wasm2c writes loops in a way that is not known" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${new}/lazperf.c "${counted}")
  file(COPY_FILE ${CLUMP_WASM_RT} ${new}/wasm-rt.h)
  foreach(file lazperf.c lazperf.h wasm-rt.h)
    file(COPY_FILE ${new}/${file} ${clump_lazperf_dir}/${file} ONLY_IF_DIFFERENT)
  endforeach()
  set(${why} "" PARENT_SCOPE)
endfunction()

# clump_add_lazperf(): the library lazperf_oracle (tests/lazperf/oracle.h), with the decoder or without.
function(clump_add_lazperf)
  set(why "it is switched off")
  if(NOT CLUMP_BUILD_BENCH)
    set(CLUMP_LAZPERF OFF) # its decoder alone compiles for 20 s
  endif()
  if(CLUMP_LAZPERF)
    clump_translate_lazperf(why)
  endif()
  if(why AND CLUMP_LAZPERF STREQUAL "ON")
    message(FATAL_ERROR
      "CLUMP_LAZPERF is ON, but ${why} (Debian 12: npm, wabt; scripts/setup.sh --laz installs them).")
  endif()
  set(folder ${clump_SOURCE_DIR}/tests/lazperf)
  if(why)
    if(CLUMP_LAZPERF)
      message(STATUS "tests: ${why} (Debian 12: npm, wabt), LAZ is not compared with laz-perf")
    endif()
    add_library(lazperf_oracle STATIC EXCLUDE_FROM_ALL ${folder}/oracle_none.c)
  else()
    # Not our code: no warnings. It checks its accesses itself, so there is nothing for a sanitizer.
    add_library(clump_lazperf OBJECT EXCLUDE_FROM_ALL ${clump_lazperf_dir}/lazperf.c)
    set_target_properties(clump_lazperf PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
      C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(clump_lazperf PRIVATE NDEBUG)
    target_compile_options(clump_lazperf PRIVATE -w -O1 -g0 -fno-sanitize=all "SHELL:-include \"${folder}/wasm.h\"")
    target_include_directories(clump_lazperf PRIVATE ${clump_lazperf_dir})
    set_property(SOURCE ${clump_lazperf_dir}/lazperf.c PROPERTY OBJECT_DEPENDS ${folder}/wasm.h)
    add_library(lazperf_oracle STATIC EXCLUDE_FROM_ALL
      ${folder}/oracle.c ${folder}/imports.c ${folder}/sandbox.c $<TARGET_OBJECTS:clump_lazperf>)
    target_include_directories(lazperf_oracle SYSTEM PRIVATE ${clump_lazperf_dir})
  endif()
  clump_compile_options(lazperf_oracle)
  target_link_libraries(lazperf_oracle PUBLIC clump_io_inside)
endfunction()
