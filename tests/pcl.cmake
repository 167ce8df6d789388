# clump/pcl.hpp beside the real PCL. PCL's templates take long to compile, so the tests are part of optimised builds alone. Of the
# builds with sanitizers only that for threads has a test.
if(NOT CLUMP_SANITIZE MATCHES "thread" AND (NOT CLUMP_BUILD_BENCH OR CLUMP_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug"))
  return()
endif()
include(CheckLanguage)
check_language(CXX)
include(${clump_SOURCE_DIR}/cmake/ClumpPcl.cmake)
clump_find_pcl(CLUMP_DROPIN_PCL pcl_registration pcl_features pcl_filters pcl_segmentation pcl_search pcl_kdtree pcl_common)
if(NOT CMAKE_CXX_COMPILER OR NOT CLUMP_DROPIN_PCL_FOUND)
  message(STATUS "Tests: no C++ compiler or no PCL (Debian: libpcl-dev), no tests of clump/pcl.hpp")
  return()
endif()
enable_language(CXX)

# clump_dropin_program(NAME STANDARD FILE...): a program with clump/pcl.hpp.
function(clump_dropin_program name standard)
  add_executable(${name} ${ARGN})
  clump_compile_options(${name})
  set_target_properties(${name} PROPERTIES CXX_STANDARD ${standard})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -O1>) # -O3 compiles twice as long
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    # As PCL's own libraries: with AVX Eigen aligns its memory in another way, and memory that one side frees for the other is damaged.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64>)
  endif()
  if(CLUMP_WERROR)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  endif()
  target_link_libraries(${name} PRIVATE clump PkgConfig::CLUMP_DROPIN_PCL)
endfunction()

# clump_dropin_test(NAME STANDARD [PCL_NO_PRECOMPILE]): tests/pcl/NAME.cpp. With PCL_NO_PRECOMPILE PCL is compiled as clump
# is: without fused multiply-add, and without assertions.
function(clump_dropin_test name standard)
  clump_dropin_program(${name} ${standard} pcl/${name}.cpp ${clump_check} ${clump_scans})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE clump_io)
  add_test(NAME ${name} COMMAND ${name} ${name})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})
endfunction()

if(CLUMP_SANITIZE)
  clump_dropin_test(test_dropin_threads ${CLUMP_DROPIN_PCL_STANDARD})
  return()
endif()
clump_dropin_test(test_dropin_extract ${CLUMP_DROPIN_PCL_STANDARD} PCL_NO_PRECOMPILE)
clump_dropin_test(test_dropin_kdtree 17 PCL_NO_PRECOMPILE)
clump_dropin_test(test_dropin_icp ${CLUMP_DROPIN_PCL_STANDARD})
clump_dropin_test(test_dropin_classes 17)

# PCL's tutorial, compiled twice with one line changed, with PCL as packaged.
file(READ ${clump_SOURCE_DIR}/examples/pcl/cluster_extraction.cpp clump_tutorial)
string(REPLACE "    clump::EuclideanClusterExtraction<" "    pcl::EuclideanClusterExtraction<" clump_tutorial_pcl "${clump_tutorial}")
if(clump_tutorial_pcl STREQUAL clump_tutorial)
  message(FATAL_ERROR "examples/pcl/cluster_extraction.cpp has no line with clump::EuclideanClusterExtraction")
endif()
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cluster_extraction_pcl.cpp CONTENT "${clump_tutorial_pcl}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${clump_SOURCE_DIR}/examples/pcl/cluster_extraction.cpp)
clump_dropin_program(tutorial_clump ${CLUMP_DROPIN_PCL_STANDARD} ${clump_SOURCE_DIR}/examples/pcl/cluster_extraction.cpp)
clump_dropin_program(tutorial_pcl 17 ${CMAKE_CURRENT_BINARY_DIR}/cluster_extraction_pcl.cpp)
foreach(name tutorial_clump tutorial_pcl)
  target_link_libraries(${name} PRIVATE clump_io)
endforeach()
add_test(NAME test_dropin_tutorial COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/pcl/tutorial.sh $<TARGET_FILE:tutorial_clump>
  $<TARGET_FILE:tutorial_pcl> ${clump_SOURCE_DIR}/../shared/data)
set_tests_properties(test_dropin_tutorial PROPERTIES TIMEOUT ${CLUMP_TEST_TIMEOUT})
