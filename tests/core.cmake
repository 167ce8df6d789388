# libclump itself.
find_package(Threads REQUIRED)

# A second implementation, a checker of answers and hard clouds, for the tests below. CLUMP_TEST_TIER
# chooses how long they run (support/check.h).
add_library(clump_test_support STATIC support/clouds.c hostile/hostile.c hostile/hostile_case.c hostile/hostile_detect.c hostile/hostile_known.c hostile/hostile_objects.c oracle/detect_reference.c oracle/nn_oracle.c
  oracle/objects_reference.c oracle/oracle.c oracle/oracle_dbscan.c oracle/oracle_erccl.c oracle/oracle_ground.c oracle/scan_reference.c
  oracle/tree_reference.c oracle/verify.c oracle/verify_dbscan.c support/sweep.c core/task_systems.c support/time_limit.c)
clump_compile_options(clump_test_support)
target_include_directories(clump_test_support PUBLIC ${clump_SOURCE_DIR}/include PRIVATE ${clump_SOURCE_DIR}/src)
target_link_libraries(clump_test_support PUBLIC m Threads::Threads)
target_compile_options(clump_test_support PRIVATE $<$<CONFIG:Release>:-O2>)
if(CLUMP_SANITIZE) # what looks at all pairs of points: half of the time of the tests, and none of their subject
  set_source_files_properties(oracle/nn_oracle.c oracle/objects_reference.c oracle/oracle.c oracle/oracle_dbscan.c oracle/scan_reference.c
    oracle/tree_reference.c oracle/verify.c oracle/verify_dbscan.c support/sweep.c PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O2")
endif()

# Rows of all jobs, for the programs that check a property of each; cases that tests on the CPU and on a GPU share.
add_library(clump_test_jobs OBJECT jobs/jobs.c jobs/jobs_memory.c jobs/jobs_objects.c jobs/jobs_trees.c)
add_library(clump_test_cases OBJECT support/batch_case.c support/classes_case.c support/cut.c)
foreach(name clump_test_jobs clump_test_cases)
  clump_compile_options(${name})
  target_include_directories(${name} PRIVATE ${clump_SOURCE_DIR}/include ${clump_SOURCE_DIR}/src)
endforeach()
set(clump_jobs $<TARGET_OBJECTS:clump_test_jobs> $<TARGET_OBJECTS:clump_on_gpu>)
set(clump_cases $<TARGET_OBJECTS:clump_test_cases>)

clump_optimise(cluster/test_blocks.c cluster/test_joint_variants.c cluster/test_nn.c cluster/test_ranged_levels.c cluster/test_sieve.c
  core/test_assign.c drive/test_evidence.c drive/test_icp.c drive/test_odometry.c objects/test_describe.c objects/test_erccl.c
  objects/test_rings.c)
foreach(folder core cluster objects drive jobs)
  clump_tests(${folder} clump_test_support clump_internal clump_io clump_sim m)
  target_sources(tests_${folder} PRIVATE ${clump_scans})
endforeach()
target_sources(tests_core PRIVATE ${clump_jobs})
target_sources(tests_jobs PRIVATE ${clump_jobs})
target_sources(tests_cluster PRIVATE ${clump_cases} cluster/pieces_model.c)

# 120,000 calls in tier 3; each has a time limit of its own.
set_tests_properties(test_hostile PROPERTIES TIMEOUT 1800)

# The shared library in forks of a Python process. A sanitizer would have to be loaded before Python.
find_program(CLUMP_PYTHON_PROGRAM NAMES python3)
if(CLUMP_PYTHON_PROGRAM AND BUILD_SHARED_LIBS AND NOT CLUMP_SANITIZE)
  add_test(NAME test_multiprocessing
    COMMAND ${CLUMP_PYTHON_PROGRAM} ${CMAKE_CURRENT_SOURCE_DIR}/core/test_multiprocessing.py $<TARGET_FILE:clump>)
  set_tests_properties(test_multiprocessing PROPERTIES TIMEOUT 120)
endif()
