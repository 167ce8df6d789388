# Surveys in files. Tests of what is inside link clump_big_inside.
foreach(name big big_cancel big_clusters big_clusters_ends big_folder big_matrix big_memory big_restart big_traps)
  clump_test(test_${name} clump_test_support clump_big_inside clump_io clump m Threads::Threads)
endforeach()
