# The installed library, as its users meet it. Each part is a shell script that installs into a
# folder of its own and builds small programs there; where a tool is missing it skips and says so.
if(CLUMP_INSTALL AND NOT CLUMP_SANITIZE)
  foreach(part shared pages whole symbols rounding static headers pcl subproject)
    set(tier 1)
    if(part MATCHES "^(static|subproject|pcl)$") # they compile much
      set(tier 2)
    endif()
    clump_tier_test(${tier} install_${part} sh ${CMAKE_CURRENT_SOURCE_DIR}/install/${part}.sh
      ${clump_SOURCE_DIR} ${clump_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/install-${part})
    set_tests_properties(install_${part} PROPERTIES TIMEOUT 600
      ENVIRONMENT "CMAKE=${CMAKE_COMMAND};CC=${CMAKE_C_COMPILER};CLUMP_VERSION=${clump_VERSION};WITH_CUDA=${CLUMP_WITH_CUDA}")
  endforeach()
  set_tests_properties(install_static PROPERTIES COST 90) # it takes long, so it begins early
  # They install the build itself, which keeps one list of installed files.
  set_tests_properties(install_shared install_pages install_whole install_pcl PROPERTIES RESOURCE_LOCK clump_install)
endif()
