# How PCL is found: by pkg-config, as the rivals of the bench and the tests of clump/pcl.hpp need it.
include_guard(GLOBAL)
# clump_find_pcl(PREFIX MODULE...): PCL's modules; older releases have their version in the names. PREFIX_STANDARD is the oldest
# C++ that its headers and ours compile with.
macro(clump_find_pcl prefix)
  find_package(PkgConfig QUIET) # what it sets ends with the folder that calls it
  foreach(version "" -1.15 -1.14 -1.13 -1.12 -1.11 -1.10)
    if(NOT PKG_CONFIG_FOUND)
      break()
    endif()
    set(clump_modules ${ARGN})
    list(TRANSFORM clump_modules APPEND "${version}")
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${clump_modules})
    if(${prefix}_FOUND)
      list(GET clump_modules 0 clump_module)
      set(${prefix}_STANDARD 14)
      if(${prefix}_${clump_module}_VERSION VERSION_GREATER_EQUAL 1.15)
        set(${prefix}_STANDARD 17)
      endif()
      break()
    endif()
  endforeach()
endmacro()
