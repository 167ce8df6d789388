# Recordings that clump writes, read by programs that do not know it. A reader that is not installed is skipped.
add_executable(recorder_sample recorder/recorder_sample.c)
clump_compile_options(recorder_sample)
target_link_libraries(recorder_sample PRIVATE clump_io_inside m)

# rosbag
clump_find_python(clump_rosbag_python "import rosbag, visualization_msgs.msg")
if(clump_rosbag_python)
  add_test(NAME recorder_bag COMMAND ${clump_rosbag_python} ${CMAKE_CURRENT_SOURCE_DIR}/recorder/recorder_bag.py
    $<TARGET_FILE:recorder_sample> ${CMAKE_CURRENT_BINARY_DIR}/recorder_bag)
  set_tests_properties(recorder_bag PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT}
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endif()

# @mcap/core and Foxglove's decoders, which npm fetches into the build folder when the test runs first.
find_program(CLUMP_NODE NAMES node nodejs)
mark_as_advanced(CLUMP_NODE)
if(CLUMP_NODE)
  clump_tier_test(2 recorder_mcap ${CLUMP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/recorder/recorder_mcap.mjs
    $<TARGET_FILE:recorder_sample> ${CMAKE_CURRENT_BINARY_DIR}/recorder_mcap)
  set_tests_properties(recorder_mcap PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT}
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
else()
  message(STATUS "Tests: node was not found, no reading of MCAP by @mcap/core")
endif()

# Allocations of the recorder go through the test, which counts them and lets them fail.
clump_test_program(test_recorder_failures recorder/test_recorder_failures.c)
target_link_libraries(test_recorder_failures PRIVATE clump_io_inside)
target_link_options(test_recorder_failures PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup)

# All else, and clump's own readers.
clump_tests(recorder clump_io_inside WITHOUT test_recorder_failures)

# Topics of ROS 2, read and published by a program of another maker of DDS.
find_path(CLUMP_FASTDDS_INCLUDE fastrtps/utils/IPLocator.h)
find_library(CLUMP_FASTDDS_LIBRARY fastrtps)
mark_as_advanced(CLUMP_FASTDDS_INCLUDE CLUMP_FASTDDS_LIBRARY)
if(CLUMP_FASTDDS_INCLUDE AND CLUMP_FASTDDS_LIBRARY AND CLUMP_BUILD_CLI AND NOT CLUMP_SANITIZE)
  include(CheckLanguage)
  check_language(CXX)
endif()
if(CMAKE_CXX_COMPILER AND CLUMP_FASTDDS_LIBRARY AND CLUMP_BUILD_CLI AND NOT CLUMP_SANITIZE)
  enable_language(CXX)
  add_executable(fast_dds recorder/fast_dds.cpp)
  target_compile_features(fast_dds PRIVATE cxx_std_17)
  target_link_libraries(fast_dds PRIVATE ${CLUMP_FASTDDS_LIBRARY})
  add_test(NAME recorder_fast_dds COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/recorder/fast_dds.sh $<TARGET_FILE:clump_program>
    $<TARGET_FILE:fast_dds>)
  set_tests_properties(recorder_fast_dds PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})
else()
  message(STATUS "Tests: Fast DDS was not found (Debian: libfastrtps-dev), no topics of ROS 2 with it")
endif()
