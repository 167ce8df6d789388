# Whether there is a CUDA backend: sets CLUMP_WITH_CUDA. AUTO takes it where there is an NVIDIA GPU and an nvcc that can make a
# program; in another project (add_subdirectory, FetchContent) AUTO means OFF. ON fails where there is no such nvcc.
# The backend takes minutes to compile. So a machine that only has an nvcc does not compile it without being asked.
#
# CMAKE_CUDA_ARCHITECTURES says which GPUs there is code for. Where it is not given: all from Turing (75) on
# that this nvcc knows, and PTX, from which drivers make code for those to come. The presets of developers
# ask for one, 90, because each costs its time to compile. What a project around clump has set is left as it is,
# and nothing set here is seen there.
set(CLUMP_WITH_CUDA OFF)
if(CLUMP_CUDA STREQUAL "OFF" OR (CLUMP_CUDA STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL))
  return()
endif()

# Says why there is no CUDA, or fails with it where it was asked for.
macro(clump_no_cuda why)
  if(CLUMP_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CLUMP_CUDA is ON, but ${why}. Install the CUDA toolkit (12.0 or newer), name its nvcc with "
                        "-DCMAKE_CUDA_COMPILER=..., or configure with -DCLUMP_CUDA=OFF.")
  endif()
  message(STATUS "No CUDA, ${why}: clump is built for the CPU alone")
endmacro()

# Devices of the driver; of a Jetson; and nvidia-smi, for where the device has another name (WSL).
if(CLUMP_CUDA STREQUAL "AUTO" AND NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/nvhost-ctrl)
  find_program(clump_smi nvidia-smi PATHS /usr/lib/wsl/lib NO_CACHE)
  set(clump_gpus "")
  if(clump_smi)
    execute_process(COMMAND ${clump_smi} -L OUTPUT_VARIABLE clump_gpus ERROR_QUIET)
  endif()
  if(NOT clump_gpus MATCHES "GPU [0-9]")
    clump_no_cuda("there is no NVIDIA GPU here (-DCLUMP_CUDA=ON compiles for GPUs nevertheless)")
    return()
  endif()
endif()

# The toolkit's own folder is often not in the PATH. A compiler that was not found before may be there by now.
if(NOT CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER CACHE)
  find_program(CLUMP_NVCC nvcc PATHS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
  mark_as_advanced(CLUMP_NVCC)
  if(CLUMP_NVCC AND NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} ${CLUMP_NVCC})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    clump_no_cuda("no CUDA compiler (nvcc) that works was found")
    return()
  endif()
elseif(NOT CMAKE_CUDA_COMPILER_LOADED) # the user's word
  find_program(clump_named_nvcc NAMES ${CMAKE_CUDA_COMPILER} NO_CACHE)
  if(NOT clump_named_nvcc)
    clump_no_cuda("there is no ${CMAKE_CUDA_COMPILER}")
    return()
  endif()
endif()

set(clump_all_architectures OFF)
if("${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "")
  set(clump_all_architectures ON)
  set(CMAKE_CUDA_ARCHITECTURES 75) # until the compiler is known; enable_language wants one
endif()
enable_language(CUDA)
find_package(CUDAToolkit QUIET)
if(NOT TARGET CUDA::cudart_static)
  clump_no_cuda("the toolkit of ${CMAKE_CUDA_COMPILER} has no static runtime (libcudart_static)")
  return()
endif()
if(CUDAToolkit_VERSION VERSION_LESS 12.0)
  clump_no_cuda("this is CUDA ${CUDAToolkit_VERSION}, which is too old")
  return()
endif()
if(clump_all_architectures)
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real)
  if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.8)
    list(APPEND CMAKE_CUDA_ARCHITECTURES 90-real 100-real 120)
  else()
    list(APPEND CMAKE_CUDA_ARCHITECTURES 90)
  endif()
endif()
message(STATUS "CUDA ${CUDAToolkit_VERSION}, code for ${CMAKE_CUDA_ARCHITECTURES}")
set(CLUMP_WITH_CUDA ON)
