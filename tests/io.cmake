clump_test(test_io clump_io m)
clump_test(test_io_hostile clump_io)
clump_test(test_io_data clump_io m)
