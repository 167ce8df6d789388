# Synthetic clouds.
clump_tests(sim clump clump_io clump_sim m Threads::Threads)
target_sources(tests_sim PRIVATE ${clump_scans} ${clump_SOURCE_DIR}/bench/harness/likeness.c
  ${clump_SOURCE_DIR}/bench/harness/scan_shape.c)
target_include_directories(tests_sim PRIVATE ${clump_SOURCE_DIR}/bench)
