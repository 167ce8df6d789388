# libclump itself.
clump_test(test_adapt clump_internal m)
clump_test(test_assign clump_internal m)
clump_test(test_assert clump_internal)
clump_test(test_cores clump_internal)
clump_test(test_hash clump_internal)
clump_test(test_describe clump_internal m)
clump_test(test_describe_fields clump_internal m)
clump_test(test_describe_rules clump_internal m)
clump_test(test_kdtree clump_internal m)
clump_test(test_map clump_internal clump_sim m)
clump_test(test_tiles clump_internal m)
clump_test(test_evidence clump_internal m)
clump_test(test_tracker clump_internal m)
clump_test(test_tracker_ground clump_internal m)
clump_test(test_wide clump_internal m)

# A second implementation, a checker of answers and hard clouds, for the tests below. They run 20
# times as long with CLUMP_TEST_LONG=1 in the environment.
find_package(Threads REQUIRED)
add_library(clump_test_support STATIC support/clouds.c hostile/hostile.c hostile/hostile_case.c hostile/hostile_detect.c hostile/hostile_known.c hostile/hostile_objects.c oracle/oracle.c oracle/oracle_dbscan.c
  oracle/oracle_erccl.c oracle/oracle_ground.c support/sweep.c core/task_systems.c support/time_limit.c oracle/verify.c oracle/verify_dbscan.c)
clump_compile_options(clump_test_support)
target_include_directories(clump_test_support PUBLIC ${clump_SOURCE_DIR}/include PRIVATE ${clump_SOURCE_DIR}/src)
target_link_libraries(clump_test_support PUBLIC m Threads::Threads)
target_compile_options(clump_test_support PRIVATE $<$<CONFIG:Release>:-O2>)
if(CLUMP_SANITIZE) # what looks at all pairs of points: half of the time of the tests, and none of their subject
  set_source_files_properties(oracle/oracle.c oracle/oracle_dbscan.c support/sweep.c oracle/verify.c oracle/verify_dbscan.c PROPERTIES
    COMPILE_OPTIONS "-fno-sanitize=all;-O2")
endif()

clump_test(test_verify clump_test_support)
clump_test(test_verify_dbscan clump_test_support)
foreach(name test_batch test_blocks test_boundary test_classes test_context test_crowds test_dbscan test_dbscan_call test_dclust_options
        test_dbscan_large test_detect test_detect_call test_determinism test_ec test_erccl test_erccl_call test_fork test_six
        test_six_options
        test_ground test_ground_step test_hostile test_joint test_joint_boundary test_joint_call test_joint_variants test_memory test_pieces test_methods test_objects test_objects_call test_objects_classes test_objects_hostile test_objects_limits test_objects_outputs test_objects_scans test_rings test_rings_scans test_scan test_nn test_nn_call test_nn_one test_ranged test_ranged_call test_ranged_levels test_rows test_rows_dbscan test_rules test_sieve
        test_team test_tree)
  clump_test(${name} clump_internal clump_test_support)
endforeach()

# One program per property of all jobs, over the rows of jobs/jobs.h.
add_library(clump_test_jobs OBJECT jobs/jobs.c jobs/jobs_memory.c jobs/jobs_objects.c jobs/jobs_trees.c)
clump_compile_options(clump_test_jobs)
target_include_directories(clump_test_jobs PRIVATE ${clump_SOURCE_DIR}/include ${clump_SOURCE_DIR}/src)
foreach(name test_jobs_cancel test_jobs_input test_jobs_memory test_jobs_threads)
  clump_test(${name} clump_test_support clump_internal m)
  target_sources(${name} PRIVATE $<TARGET_OBJECTS:clump_test_jobs> $<TARGET_OBJECTS:clump_on_gpu>)
endforeach()
target_link_libraries(test_jobs_cancel PRIVATE Threads::Threads)

# Clouds in pieces.
target_sources(test_joint PRIVATE support/cut.c)
target_sources(test_joint_variants PRIVATE support/cut.c)
target_sources(test_pieces PRIVATE cluster/pieces_model.c)

# 120,000 calls with CLUMP_TEST_LONG=1; each has a time limit of its own.
set_tests_properties(test_hostile PROPERTIES TIMEOUT 1800)

target_sources(test_batch PRIVATE support/batch_case.c)
target_sources(test_classes PRIVATE support/classes_case.c)
target_link_libraries(test_dbscan_large PRIVATE clump_sim)
target_link_libraries(test_rows PRIVATE clump_sim)
target_link_libraries(test_ground PRIVATE clump_io m)
target_link_libraries(test_ground_step PRIVATE clump_io m)
target_sources(test_ground_step PRIVATE ${clump_scans})
target_link_libraries(test_detect PRIVATE clump_io m)
target_sources(test_detect PRIVATE ${clump_scans})
target_link_libraries(test_objects_scans PRIVATE clump_io m)
target_sources(test_objects_scans PRIVATE ${clump_scans})
target_link_libraries(test_rings_scans PRIVATE clump_io m)
target_sources(test_rings_scans PRIVATE ${clump_scans})
target_link_libraries(test_ranged_call PRIVATE clump_io)
target_sources(test_ranged_call PRIVATE ${clump_scans})
target_link_libraries(test_ranged_levels PRIVATE clump_io)
target_sources(test_ranged_levels PRIVATE ${clump_scans})
if(CLUMP_WITH_CUDA) # then it is not the device that is missing
  target_compile_definitions(test_dbscan_call PRIVATE CLUMP_WITH_CUDA)
endif()

# Threads of their own.
find_package(Threads REQUIRED)
foreach(name test_fork test_joint test_joint_call test_nn_call test_team)
  target_link_libraries(${name} PRIVATE Threads::Threads)
endforeach()

# The shared library in forks of a Python process. A sanitizer would have to be loaded before Python.
find_program(CLUMP_PYTHON_PROGRAM NAMES python3)
if(CLUMP_PYTHON_PROGRAM AND BUILD_SHARED_LIBS AND NOT CLUMP_SANITIZE)
  add_test(NAME test_multiprocessing
    COMMAND ${CLUMP_PYTHON_PROGRAM} ${CMAKE_CURRENT_SOURCE_DIR}/core/test_multiprocessing.py $<TARGET_FILE:clump>)
  set_tests_properties(test_multiprocessing PROPERTIES TIMEOUT 120)
endif()

clump_test(test_icp clump_internal clump_io clump_sim m)
clump_test(test_icp_sums clump_internal clump_sim m)
clump_test(test_odometry clump_internal clump_sim m)

# The levels of the CPU backend (src/core/level.c). The tests of labels run again at every level, as v3_test_ec.
clump_test(test_level clump_internal clump_test_support clump_io)
target_sources(test_level PRIVATE ${clump_scans} $<TARGET_OBJECTS:clump_test_jobs> $<TARGET_OBJECTS:clump_on_gpu>)
set(clump_level_tests test_batch test_boundary test_crowds test_dbscan test_describe test_describe_fields test_ec test_erccl test_ground
  test_ground_step test_hostile test_icp test_icp_sums test_objects test_objects_hostile test_scan test_nn test_nn_call test_nn_one test_ranged test_ranged_call test_six test_six_options test_tree)
# clump_level_tests: what these tests and those of the installed symbols need.
add_custom_target(clump_level_tests DEPENDS test_level ${clump_level_tests} clump clump_io clump_sim)
if(CLUMP_WITH_LEVELS)
  foreach(level baseline ${clump_levels})
    foreach(name IN LISTS clump_level_tests)
      add_test(NAME ${level}_${name} COMMAND test_level --at ${level} $<TARGET_FILE:${name}>)
      set_tests_properties(${level}_${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1800)
    endforeach()
  endforeach()
endif()
