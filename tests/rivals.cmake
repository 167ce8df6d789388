# Other implementations as judges. A judge that is not installed is skipped.

# scikit-learn
add_executable(label_raw rivals/label_raw.c)
clump_compile_options(label_raw)
target_link_libraries(label_raw PRIVATE clump)
clump_find_python(clump_sklearn_python "import sklearn.cluster, scipy.spatial")
if(clump_sklearn_python)
  add_test(NAME test_sklearn
    COMMAND ${clump_sklearn_python} ${CMAKE_CURRENT_SOURCE_DIR}/rivals/test_sklearn.py $<TARGET_FILE:label_raw>)
  # Hundreds of short runs of label_raw; the leak checker takes seconds at the end of each.
  add_test(NAME test_sklearn_dbscan
    COMMAND ${clump_sklearn_python} ${CMAKE_CURRENT_SOURCE_DIR}/rivals/test_sklearn_dbscan.py $<TARGET_FILE:label_raw>
    ${clump_SOURCE_DIR}/../shared/data)
  set_tests_properties(test_sklearn test_sklearn_dbscan PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT}
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
else()
  message(STATUS "Tests: python3 was not found, no comparison with scikit-learn")
endif()

if(NOT CLUMP_BUILD_BENCH) # what follows compiles for minutes
  return()
endif()

# The benches: what no figure would show, and the papers' experiments.
clump_tests(bench clump_bench_papers)
add_library(test_rival MODULE rivals/module.c) # a module of CLUMP_RIVALS
clump_compile_options(test_rival)
target_include_directories(test_rival PRIVATE ${clump_SOURCE_DIR})
add_dependencies(tests_bench test_rival)
target_compile_definitions(tests_bench PRIVATE CLUMP_TEST_MODULE="$<TARGET_FILE:test_rival>")
add_test(NAME bench_jobs COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/bench/jobs.sh $<TARGET_FILE:clump_bench>)

# PCL compiled as the bench has it, PCL's readers of files, and --check-pcl of the program. bench/ is configured before tests/,
# where it is built at all.
clump_tests(rivals clump clump_io clump_sim m ${CMAKE_DL_LIBS})
target_sources(tests_rivals PRIVATE ../rivals/load.c ../cli/play/check_pcl.c ../cli/cluster/region.c)
target_include_directories(tests_rivals PRIVATE ${clump_SOURCE_DIR} ${clump_SOURCE_DIR}/cli)
target_compile_definitions(tests_rivals PRIVATE CLUMP_CLI_MODULES="nowhere")
set_tests_properties(test_pcl PROPERTIES TIMEOUT 600 COST 100) # it takes longest, so it begins first
if(TARGET rival_pcl_best)
  add_dependencies(tests_rivals rival_pcl_best)
  target_compile_definitions(tests_rivals PRIVATE CLUMP_TEST_PCL="$<TARGET_FILE:rival_pcl_best>")
  add_test(NAME play_check_pcl COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/rivals/play_check.sh $<TARGET_FILE:clump_program>
    $<TARGET_FILE:rival_pcl_best>)
endif()
if(TARGET rival_pcl_reader)
  add_dependencies(tests_rivals rival_pcl_reader)
  target_compile_definitions(tests_rivals PRIVATE CLUMP_TEST_PCL_READER="$<TARGET_FILE:rival_pcl_reader>")
endif()
