# The CUDA backend. They are built with it, and skipped where there is no GPU; on a machine with one
# scripts/gpu-check.sh runs them, and under compute-sanitizer those that are small with CLUMP_TEST_SMALL.
add_library(clump_on_gpu OBJECT support/on_gpu.c)
add_library(clump_gpu_reset OBJECT support/gpu_reset.c)
foreach(name clump_on_gpu clump_gpu_reset)
  clump_compile_options(${name})
  target_include_directories(${name} PRIVATE ${clump_SOURCE_DIR}/src ${clump_SOURCE_DIR}/include)
endforeach()
if(CLUMP_WITH_CUDA)
  target_compile_definitions(clump_gpu_reset PRIVATE CLUMP_WITH_CUDA)
  target_link_libraries(clump_gpu_reset PRIVATE CUDA::cudart_static)
endif()
# clump_internal: they iterate the method tables of src/core/methods.c, which are not public.
set(without)
if(NOT CLUMP_WITH_CUDA) # test_no_cuda alone
  file(GLOB without RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/cuda cuda/test_cuda*.c)
  list(TRANSFORM without REPLACE "\\.c$" "")
endif()
clump_tests(cuda clump_test_support clump_internal clump_io clump_sim m WITHOUT ${without})
target_sources(tests_cuda PRIVATE ${clump_scans} ${clump_jobs} ${clump_cases} $<TARGET_OBJECTS:clump_gpu_reset>
  ${clump_SOURCE_DIR}/bench/harness/clouds.c)
target_include_directories(tests_cuda PRIVATE ${clump_SOURCE_DIR}/bench)
get_property(clump_cuda_tests DIRECTORY PROPERTY TESTS)
list(FILTER clump_cuda_tests INCLUDE REGEX "^test_(no_)?cuda")
set_tests_properties(${clump_cuda_tests} PROPERTIES RUN_SERIAL ON) # they ask how much memory the GPU has left

if(CLUMP_WITH_CUDA)
  target_compile_definitions(tests_cuda PRIVATE CLUMP_WITH_CUDA)
  target_link_libraries(tests_cuda PRIVATE CUDA::cudart_static)

  # A caller with a CUDA runtime of its own, which is not that of the library.
  add_executable(test_cuda_streams gpu/streams.cu ${clump_check})
  set_target_properties(test_cuda_streams PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_link_libraries(test_cuda_streams PRIVATE clump clump_test_support Threads::Threads)
  target_include_directories(test_cuda_streams PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME test_cuda_streams COMMAND test_cuda_streams test_cuda_streams)
  set_tests_properties(test_cuda_streams PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})

  # The bodies of the kernels of clump_objects, on the host: runs without a GPU.
  add_executable(gpu_objects gpu/objects.cu ${clump_check} ${clump_scans})
  set_target_properties(gpu_objects PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(gpu_objects PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
  target_link_libraries(gpu_objects PRIVATE clump_internal clump_io clump_test_support CUDA::cudart_static)
  target_include_directories(gpu_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME gpu_objects COMMAND gpu_objects gpu_objects)
  set_tests_properties(gpu_objects PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${CLUMP_TEST_TIMEOUT})

  # src/rules as nvcc compiles it. Needs nothing of the library.
  add_executable(gpu_rules gpu/rules.cu)
  set_target_properties(gpu_rules PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(gpu_rules PRIVATE -Xcompiler=-ffp-contract=off)
  target_include_directories(gpu_rules PRIVATE ${clump_SOURCE_DIR}/src)
endif()
