# Whether there is a CUDA backend: sets CLUMP_WITH_CUDA. AUTO takes it where nvcc is found and can make a
# program, and says so where not; ON fails there.
#
# CMAKE_CUDA_ARCHITECTURES says which GPUs there is code for. Where it is not given: all from Turing (75) on
# that this nvcc knows, and PTX, from which drivers make code for those to come. The presets of developers
# ask for one, 90, because each costs its time to compile.
set(CLUMP_WITH_CUDA OFF)
if(CLUMP_CUDA STREQUAL "OFF")
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(CLUMP_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CLUMP_CUDA is ON, but no CUDA compiler (nvcc) that works was found. Install the CUDA toolkit, "
                        "name its nvcc with -DCMAKE_CUDA_COMPILER=..., or configure with -DCLUMP_CUDA=OFF.")
  endif()
  message(STATUS "No CUDA compiler was found: clump is built for the CPU alone")
  return()
endif()

set(clump_chosen_architectures ${CMAKE_CUDA_ARCHITECTURES})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75) # until the compiler is known; enable_language wants one
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
if(CUDAToolkit_VERSION VERSION_LESS 12.0)
  if(CLUMP_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CLUMP_CUDA is ON, but this is CUDA ${CUDAToolkit_VERSION}; clump needs 12.0 or newer.")
  endif()
  message(STATUS "No CUDA 12.0 or newer was found (this is ${CUDAToolkit_VERSION}): clump is built for the CPU alone")
  return()
endif()
if(NOT clump_chosen_architectures)
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real)
  if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.8)
    list(APPEND CMAKE_CUDA_ARCHITECTURES 90-real 100-real 120)
  else()
    list(APPEND CMAKE_CUDA_ARCHITECTURES 90)
  endif()
endif()
message(STATUS "CUDA ${CUDAToolkit_VERSION}, code for ${CMAKE_CUDA_ARCHITECTURES}")
set(CLUMP_WITH_CUDA ON)
