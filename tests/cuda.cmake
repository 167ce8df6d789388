# The CUDA backend. All are built wherever they can be and skipped where there is no GPU; on a machine with
# one scripts/gpu-check.sh runs them, and under compute-sanitizer those that are small with CLUMP_TEST_SMALL.
clump_test(test_no_cuda clump_internal)
target_sources(test_no_cuda PRIVATE on_gpu.c)

# clump_internal: they iterate the method tables of src/core/methods.h, which are not public.
clump_test(test_cuda clump_internal clump_sim clump_test_support)
clump_test(test_cuda_batch clump_internal clump_test_support)
target_sources(test_cuda_batch PRIVATE batch_case.c)
clump_test(test_cuda_dbscan clump_internal clump_test_support)
clump_test(test_cuda_dbscan_large clump_internal clump_io clump_sim)
clump_test(test_cuda_erccl clump_internal clump_io clump_test_support m)
clump_test(test_cuda_hostile clump_test_support clump_internal m)
clump_test(test_cuda_memory clump_internal clump_test_support)
clump_test(test_cuda_pieces clump_internal clump_test_support m)
target_sources(test_cuda_pieces PRIVATE cut.c)
clump_test(test_cuda_ranged clump clump_io clump_test_support m)
clump_test(test_cuda_large clump clump_io clump_sim m)
target_sources(test_cuda_large PRIVATE ${clump_SOURCE_DIR}/bench/clouds.c)
target_include_directories(test_cuda_large PRIVATE ${clump_SOURCE_DIR})
set(clump_cuda_tests test_cuda test_cuda_batch test_cuda_dbscan test_cuda_dbscan_large test_cuda_erccl test_cuda_hostile test_cuda_memory
    test_cuda_large test_cuda_pieces test_cuda_ranged)

if(CLUMP_WITH_CUDA)
  clump_test(test_cuda_failures clump_internal clump_test_support) # needs what is not public
  clump_test(test_cuda_detect clump_internal clump_io clump_test_support m)
  target_sources(test_cuda_detect PRIVATE scans.c)
  clump_test(test_cuda_objects clump_internal clump_io clump_test_support m)
  target_sources(test_cuda_objects PRIVATE scans.c)
  list(APPEND clump_cuda_tests test_cuda_detect test_cuda_objects)
  find_package(Threads REQUIRED)
  clump_test(test_cuda_describe clump_internal clump_io clump_test_support m)
  clump_test(test_cuda_nn clump_internal clump_io clump_test_support)
  clump_test(test_cuda_index clump_internal clump_test_support Threads::Threads)
  clump_test(test_cuda_icp clump_internal clump_io clump_test_support m)
  list(APPEND clump_cuda_tests test_cuda_describe test_cuda_failures test_cuda_nn test_cuda_index test_cuda_icp)
  target_sources(test_cuda_nn PRIVATE scans.c)
  target_sources(test_cuda_describe PRIVATE scans.c)
  target_sources(test_cuda_icp PRIVATE scans.c)
  foreach(name test_cuda test_cuda_batch test_cuda_dbscan test_cuda_erccl test_cuda_hostile test_cuda_memory test_cuda_pieces test_cuda_ranged
          test_cuda_describe test_cuda_failures test_cuda_nn test_cuda_index test_cuda_icp test_cuda_detect test_cuda_objects)
    target_compile_definitions(${name} PRIVATE CLUMP_WITH_CUDA)
    target_link_libraries(${name} PRIVATE CUDA::cudart_static)
  endforeach()

  # A caller with a CUDA runtime of its own, which is not that of the library.
  add_executable(test_cuda_streams gpu/streams.cu)
  set_target_properties(test_cuda_streams PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_link_libraries(test_cuda_streams PRIVATE clump clump_test_support Threads::Threads)
  target_include_directories(test_cuda_streams PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(test_cuda_streams PRIVATE CLUMP_TEST_DATA_DEFAULT="")
  add_test(NAME test_cuda_streams COMMAND test_cuda_streams)
  set_tests_properties(test_cuda_streams PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})

  # The bodies of the kernels of clump_objects, on the host: runs without a GPU.
  add_executable(gpu_objects gpu/objects.cu scans.c)
  set_target_properties(gpu_objects PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON LINKER_LANGUAGE CXX)
  target_compile_options(gpu_objects PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
  target_link_libraries(gpu_objects PRIVATE clump_internal clump_io clump_test_support CUDA::cudart_static)
  target_include_directories(gpu_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(gpu_objects PRIVATE CLUMP_TEST_DATA_DEFAULT="${clump_SOURCE_DIR}/../shared/data")
  add_test(NAME gpu_objects COMMAND gpu_objects)
  set_tests_properties(gpu_objects PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})

  # src/rules as nvcc compiles it. Needs nothing of the library.
  add_executable(gpu_rules gpu/rules.cu)
  set_target_properties(gpu_rules PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(gpu_rules PRIVATE -Xcompiler=-ffp-contract=off)
  target_include_directories(gpu_rules PRIVATE ${clump_SOURCE_DIR}/src)
endif()
foreach(name test_cuda_dbscan_large test_cuda_erccl test_cuda_large test_cuda_ranged)
  target_sources(${name} PRIVATE scans.c)
endforeach()
foreach(name ${clump_cuda_tests})
  target_sources(${name} PRIVATE on_gpu.c)
  set_tests_properties(${name} PROPERTIES RUN_SERIAL ON) # they ask how much memory the GPU has left
endforeach()
