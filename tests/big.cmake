# Surveys in files, and ranks: threads of one process, and processes of clump-mpi.
clump_optimise(big/test_big_traps.c)
clump_tests(big clump_test_support clump_big_inside)

# Processes. A sanitizer would report what Open MPI does inside.
if(TARGET clump_mpi_program AND NOT CLUMP_SANITIZE)
  find_package(MPI REQUIRED COMPONENTS C)
  add_library(clump_mpi_faulty MODULE mpi/faulty.c)
  target_link_libraries(clump_mpi_faulty PRIVATE MPI::MPI_C)
  clump_compile_options(clump_mpi_faulty)
  clump_tier_test(2 mpi ${CMAKE_CURRENT_SOURCE_DIR}/mpi/run.sh $<TARGET_FILE:clump_program>
    $<TARGET_FILE:clump_mpi_program> $<TARGET_FILE:clump_mpi_faulty>)
  set_tests_properties(mpi PROPERTIES RUN_SERIAL ON)
endif()
