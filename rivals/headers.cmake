# Rivals from headers alone (CLUMP_PCL_HEADERS): PCL's clustering at its best, and the nearest neighbours. Eigen, Boost and
# lz4 (which FLANN's headers need) must be installed, or be in the folder: eigen3/, boost/, lz4.h.
# Check of the result: `nm -DC --undefined-only pcl-best.so | grep pcl` lists nothing.
file(GLOB clump_pcl_folder LIST_DIRECTORIES true "${CLUMP_PCL_HEADERS}/pcl-*")
# find_path() keeps what it has found; these names are searched anew for another folder.
foreach(name PCL FLANN EIGEN BOOST LZ4_HEADER LZ4)
  unset(CLUMP_HEADERS_${name} CACHE)
endforeach()
find_path(CLUMP_HEADERS_PCL pcl/pcl_config.h PATHS ${clump_pcl_folder} ${CLUMP_PCL_HEADERS} NO_DEFAULT_PATH)
find_path(CLUMP_HEADERS_FLANN flann/flann.hpp PATHS ${CLUMP_PCL_HEADERS} NO_DEFAULT_PATH)
find_path(CLUMP_HEADERS_EIGEN Eigen/Core HINTS ${CLUMP_PCL_HEADERS} PATH_SUFFIXES eigen3)
find_path(CLUMP_HEADERS_BOOST boost/version.hpp HINTS ${CLUMP_PCL_HEADERS})
find_path(CLUMP_HEADERS_LZ4_HEADER lz4hc.h HINTS ${CLUMP_PCL_HEADERS})
find_library(CLUMP_HEADERS_LZ4 NAMES lz4 liblz4.so.1 HINTS ${CLUMP_PCL_HEADERS})
foreach(name PCL FLANN EIGEN BOOST LZ4_HEADER LZ4)
  if(NOT CLUMP_HEADERS_${name})
    message(FATAL_ERROR "CLUMP_PCL_HEADERS=${CLUMP_PCL_HEADERS}: ${name} was not found, there or on this machine")
  endif()
endforeach()

add_library(clump_pcl_headers STATIC pcl_print.cpp)
target_include_directories(clump_pcl_headers SYSTEM PUBLIC
  ${CLUMP_HEADERS_PCL} ${CLUMP_HEADERS_FLANN} ${CLUMP_HEADERS_EIGEN} ${CLUMP_HEADERS_BOOST} ${CLUMP_HEADERS_LZ4_HEADER})
target_link_libraries(clump_pcl_headers PUBLIC ${CLUMP_HEADERS_LZ4})
set_target_properties(clump_pcl_headers PROPERTIES POSITION_INDEPENDENT_CODE ON
  CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
set(clump_pcl clump_pcl_headers)
clump_rival(rival_pcl_best pcl_best ${clump_best})
clump_rival(rival_nn_best nn_best ${clump_best})
message(STATUS "Bench: rivals of the headers in ${CLUMP_PCL_HEADERS}: pcl-best, nn-best")
