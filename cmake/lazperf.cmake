# LAZ: the decoder laz-perf (Apache-2.0). Its maintained release is WebAssembly in the npm package
# laz-perf; wasm2c, of Debian's package wabt, makes C of it:
#
#     npm pack laz-perf@0.0.7  ->  laz-perf.wasm, checked  ->  wasm2c  ->  lazperf.c  ->  clump_lazperf
#
# All of it happens in the build folder, the fetching once. Nothing of it is installed but what the
# compiler makes. Where a part cannot be had, a line says so and LAZ files are refused (laz_none.c).
# Inside another project it is OFF unless asked for: nobody expects a network there.
if(PROJECT_IS_TOP_LEVEL)
  set(clump_laz_default AUTO)
else()
  set(clump_laz_default OFF)
endif()
set(CLUMP_LAZ ${clump_laz_default} CACHE STRING "Reading LAZ: AUTO (where npm and wasm2c are), ON or OFF")
set_property(CACHE CLUMP_LAZ PROPERTY STRINGS AUTO ON OFF)

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
    if(NOT EXISTS ${failed} OR CLUMP_LAZ STREQUAL "ON")
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

  # A loop is a label w2c_L... and a `goto` back to it: these are counted (laz_wasm.h).
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

# clump_add_laz(TARGET): gives the library what laz.h promises. clump_io_laz is the part of it that is
# ours, for the tests.
function(clump_add_laz target)
  set(why "it is switched off")
  if(CLUMP_LAZ)
    clump_translate_lazperf(why)
  endif()
  if(why AND CLUMP_LAZ STREQUAL "ON")
    message(FATAL_ERROR "CLUMP_LAZ is ON, but ${why} (Debian 12: npm, wabt; scripts/setup.sh --laz installs them).")
  endif()

  set(folder ${clump_SOURCE_DIR}/io)
  if(why AND CLUMP_LAZ)
    message(STATUS "clump_io: ${why} (Debian 12: npm, wabt), LAZ will not be read")
  endif()
  if(why)
    add_library(clump_io_laz OBJECT ${folder}/laz_none.c)
  else()
    add_library(clump_io_laz OBJECT
      ${folder}/laz.c ${folder}/laz_frame.c ${folder}/laz_imports.c ${folder}/laz_sandbox.c)
    target_include_directories(clump_io_laz SYSTEM PRIVATE ${clump_lazperf_dir})

    # Not our code: no warnings. It checks its accesses itself, so there is nothing for a sanitizer.
    add_library(clump_lazperf OBJECT ${clump_lazperf_dir}/lazperf.c)
    set_target_properties(clump_lazperf PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
      C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(clump_lazperf PRIVATE NDEBUG)
    target_compile_options(clump_lazperf PRIVATE -w -O2 -g0 -fno-sanitize=all
      "SHELL:-include \"${folder}/laz_wasm.h\"")
    target_include_directories(clump_lazperf PRIVATE ${clump_lazperf_dir})
    set_property(SOURCE ${clump_lazperf_dir}/lazperf.c PROPERTY OBJECT_DEPENDS ${folder}/laz_wasm.h)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:clump_lazperf>)

    # pthread_once; with most C libraries nothing has to be linked for it
    find_package(Threads REQUIRED)
    target_link_libraries(${target} PRIVATE ${CMAKE_THREAD_LIBS_INIT})
  endif()
  clump_compile_options(clump_io_laz)
  set_target_properties(clump_io_laz PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(clump_io_laz PRIVATE ${clump_SOURCE_DIR}/include)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:clump_io_laz>)
endfunction()
