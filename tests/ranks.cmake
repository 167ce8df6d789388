# Ranks: threads of one process, and processes of clump-mpi.
find_package(Threads REQUIRED)
clump_test(test_mail clump_big_inside m Threads::Threads)
clump_test(test_ranks clump_big_inside clump_test_support m Threads::Threads)
clump_test(test_ranks_files clump_big_inside m Threads::Threads)

# Processes. A sanitizer would report what Open MPI does inside.
if(TARGET clump_mpi_program AND NOT CLUMP_SANITIZE)
  find_package(MPI REQUIRED COMPONENTS C)
  add_library(clump_mpi_faulty MODULE mpi/faulty.c)
  target_link_libraries(clump_mpi_faulty PRIVATE MPI::MPI_C)
  clump_compile_options(clump_mpi_faulty)
  add_test(NAME mpi COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/mpi/run.sh $<TARGET_FILE:clump_program>
    $<TARGET_FILE:clump_mpi_program> $<TARGET_FILE:clump_mpi_faulty>)
  set_tests_properties(mpi PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT} RUN_SERIAL ON)
endif()
