# io/formats.c is the one list of formats. A format NAME may have a test test_NAME.c.
file(READ ${clump_SOURCE_DIR}/io/formats.c clump_io_formats)
string(REGEX MATCHALL "NAME\\([a-z0-9_]+\\)" clump_io_formats "${clump_io_formats}")
list(TRANSFORM clump_io_formats REPLACE "NAME\\((.*)\\)" "\\1")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${clump_SOURCE_DIR}/io/formats.c)
foreach(name IN LISTS clump_io_formats)
  file(GLOB file ${CMAKE_CURRENT_SOURCE_DIR}/*/test_${name}.c)
  if(file AND NOT name STREQUAL "laz") # laz: below
    clump_test(test_${name} clump_io m)
  endif()
endforeach()

find_package(Threads REQUIRED)
clump_test(test_io clump_io m)
clump_test(test_poses clump_io m)
clump_test(test_select clump_io m)
clump_test(test_cloud_rings clump_io m)
clump_test(test_steps clump_io clump m)
clump_test(test_ply_hostile clump_io m)
clump_test(test_las_extra clump_io m)
clump_test(test_las_write clump_io m)
clump_test(test_las_writer clump_io m)
clump_test(test_las_hostile clump_io m)
clump_test(test_las_data clump_io m)
clump_test(test_io_names clump_io m)
clump_test(test_io_files clump_io m)
clump_test(test_io_partial clump_io m)
clump_test(test_io_hostile clump_io m)
clump_test(test_io_data clump_io m)

# Blocks of files, and labels of them.
foreach(name reader reader_data reader_laz label_writer label_files)
  clump_test(test_${name} clump_io m Threads::Threads)
endforeach()

# io/las/laz.h is not public: its tests link what is inside. laz-perf judges, where it is there.
include(${clump_SOURCE_DIR}/cmake/lazperf.cmake)
clump_add_lazperf()
clump_test(test_laz lazperf_oracle m)
clump_test(test_laz_codec lazperf_oracle m)
clump_test(test_laz_hostile clump_io_inside m)
clump_test(test_laz_write clump_io_inside m)

# Recordings. Tests of what is inside link clump_io_inside; a test is added by its name here.
foreach(name bag bag_hostile cloud_reuse decompress frames hesai hesai_counters hesai_data live mcap mcap_conformance
    mcap_hostile nclt ouster ouster_data ouster_digest ouster_frames ouster_metadata packets pcap
    pcap_hostile points recorder recorder_messages recording recording_data recording_hostile recording_memory
    recording_parts sensor_json sqlite sqlite_hostile velodyne velodyne_calibration velodyne_data velodyne_order)
  clump_test(test_${name} clump_io_inside m)
endforeach()
# It runs a generator of its folder.
target_compile_definitions(test_mcap_conformance PRIVATE CLUMP_TEST_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}/recordings")
# It counts the allocations of the library.
target_link_options(test_recording_memory PRIVATE -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
