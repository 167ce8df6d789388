# What `cmake --install` puts where: libraries, headers, the package for find_package(clump) and the
# pkg-config files. The program installs itself (cli/CMakeLists.txt).
include(CMakePackageConfigHelpers)

# What must be built before `cmake --install` can do its work.
get_property(clump_installed GLOBAL PROPERTY clump_installed)
add_custom_target(clump_installed DEPENDS clump clump_io clump_sim clump_big ${clump_installed})

install(TARGETS clump clump_io clump_sim clump_big EXPORT clump-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT libraries)
install(FILES include/clump/batch.h include/clump/big.h include/clump/classes.h include/clump/clump.h include/clump/cuda.h include/clump/index.h
  include/clump/info.h include/clump/io.h include/clump/joint.h include/clump/map.h include/clump/odometry.h include/clump/options.h
  include/clump/papers.h include/clump/reader.h include/clump/sim.h include/clump/track.h include/clump/tree.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clump COMPONENT development)
# In place of classes of PCL; clump itself does not need PCL.
install(FILES include/clump/pcl.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clump COMPONENT development)
install(DIRECTORY include/clump/pcl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clump COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")

# The pages, with everything they link to. Headers lie elsewhere, and sources are not installed: such a link is changed,
# or becomes plain text.
file(RELATIVE_PATH clump_headers "/prefix/${CMAKE_INSTALL_DOCDIR}" "/prefix/${CMAKE_INSTALL_INCLUDEDIR}/clump")
set(clump_headers_from_docs "../${clump_headers}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_DOCDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(clump_headers "${CMAKE_INSTALL_FULL_INCLUDEDIR}/clump")
  set(clump_headers_from_docs "${clump_headers}")
endif()
file(GLOB clump_pages RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS README.md CONTRIBUTING.md docs/*.md)
file(REMOVE_RECURSE ${CMAKE_CURRENT_BINARY_DIR}/pages)
foreach(page ${clump_pages})
  file(READ ${page} text)
  string(REPLACE "](include/clump/" "](${clump_headers}/" text "${text}")
  string(REPLACE "](../include/clump/" "](${clump_headers_from_docs}/" text "${text}")
  string(REGEX REPLACE "\\[([^]]*)\\]\\((\\.\\./)?(src|viewer|ros)/[^)]*\\)" "\\1" text "${text}")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/pages/${page} "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
# For tools of ROS, which find installed packages by it.
install(FILES package.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/clump COMPONENT development)
# libclump_io finds libclump beside it wherever both are put.
if(BUILD_SHARED_LIBS AND NOT APPLE)
  set_target_properties(clump clump_io clump_sim clump_big PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()

# A static libclump leaves threads to the program that links it; a shared one has them already.
set(clump_needs_threads OFF)
if(NOT BUILD_SHARED_LIBS)
  set(clump_needs_threads ON)
endif()

# The same with the CUDA runtime.
set(clump_needs_cuda OFF)
if(NOT BUILD_SHARED_LIBS AND CLUMP_WITH_CUDA)
  set(clump_needs_cuda ON)
endif()

# find_package(clump): targets clump::clump, clump::clump_io, clump::clump_sim, clump::clump_big. While the major
# version is 0 every minor version may break what used the one before.
set(clump_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clump)
if(clump_VERSION_MAJOR EQUAL 0)
  set(clump_compatibility SameMinorVersion)
else()
  set(clump_compatibility SameMajorVersion)
endif()
configure_package_config_file(cmake/clump-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/clump-config.cmake
  INSTALL_DESTINATION ${clump_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/clump-config-version.cmake
  VERSION ${clump_VERSION} COMPATIBILITY ${clump_compatibility})
install(EXPORT clump-targets NAMESPACE clump:: DESTINATION ${clump_package_dir} COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clump-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/clump-config-version.cmake
  DESTINATION ${clump_package_dir} COMPONENT development)

# pkg-config: one file a library. Folders are told relative to the file, so the tree can be moved.
function(clump_pkg_config name description requires private)
  foreach(kind INCLUDEDIR LIBDIR)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
      set(pc_${kind} "${CMAKE_INSTALL_${kind}}")
    else()
      file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix/${CMAKE_INSTALL_${kind}}")
      string(REGEX REPLACE "/$" "" up "${up}")
      set(pc_${kind} "\${pcfiledir}/${up}")
    endif()
  endforeach()
  set(pc_name ${name})
  set(pc_description "${description}")
  set(pc_requires "${requires}")
  set(pc_private "${private}")
  configure_file(${clump_SOURCE_DIR}/cmake/clump.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()

set(clump_private_libraries "-lm")
if(clump_needs_threads)
  string(APPEND clump_private_libraries " -pthread")
endif()
if(clump_needs_cuda)
  string(APPEND clump_private_libraries " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lpthread -ldl -lrt")
endif()
clump_pkg_config(clump "Finds the clusters in LiDAR point clouds, exactly" "" "${clump_private_libraries}")
clump_pkg_config(clump_io "Point clouds in files, for clump" "clump = ${clump_VERSION}" "-lm ${clump_io_private_libraries}")
clump_pkg_config(clump_sim "Synthetic point clouds, for clump" "clump = ${clump_VERSION}" "-lm")
clump_pkg_config(clump_big "Surveys larger than memory, for clump" "clump_io = ${clump_VERSION}" "-lm ${CMAKE_THREAD_LIBS_INIT}")
