# Files of points and labels. Tests of what is inside link clump_io_inside.
foreach(folder io sensors)
  clump_tests(${folder} clump_io_inside)
endforeach()

# laz-perf judges, where it is there.
include(${clump_SOURCE_DIR}/cmake/lazperf.cmake)
clump_add_lazperf()
clump_optimise(las/test_las.c las/test_laz_codec.c)
clump_tests(las lazperf_oracle)

# Recordings.
clump_tests(recordings clump_io_inside WITHOUT test_recording_memory)
# It runs a generator of its folder.
target_compile_definitions(tests_recordings PRIVATE CLUMP_TEST_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}/recordings")
# It counts the allocations of the library.
clump_test_program(test_recording_memory recordings/test_recording_memory.c)
target_link_libraries(test_recording_memory PRIVATE clump_io_inside)
target_link_options(test_recording_memory PRIVATE -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
