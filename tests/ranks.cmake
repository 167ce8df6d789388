# Ranks: threads of one process, and processes of clump-mpi.
find_package(Threads REQUIRED)
clump_test(test_ranks clump_big_inside clump_test_support m Threads::Threads)
target_sources(test_ranks PRIVATE ranks_world.c)
