# libclump itself.
clump_test(test_hash clump_internal)
clump_test(test_describe clump_internal m)
clump_test(test_kdtree clump_internal m)
