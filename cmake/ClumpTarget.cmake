# What every target of ours is compiled with. Consumers inherit none of it.

# -ffp-contract=off: a fused multiply-add rounds once where the definition of a distance rounds
# twice, and a pair at exactly distance d would be neighbours on one machine and not on another.
function(clump_compile_options target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla>)
  if(CLUMP_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-Werror>)
  endif()
  # On ARM only gcc asks the system what the processor can do. clang derives it from the model
  # number, and on a virtual machine that hides SVE it makes instructions that do not exist there.
  if(CLUMP_NATIVE)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
      target_compile_options(${target} PRIVATE -march=native)
    elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -mcpu=native)
    endif()
  endif()
  if(CLUMP_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CLUMP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${CLUMP_SANITIZE})
  endif()
endfunction()

# The number in the SONAME of the libraries, libclump.so.0. A release that breaks programs compiled with the one before raises
# it; `make abi` compares them. Debian's package libclump0 has it in its name.
set(clump_abi 0)

# clump_library(NAME SOURCES ...): one of the installed libraries, with its alias clump::NAME.
function(clump_library name)
  add_library(${name} ${ARGN})
  add_library(clump::${name} ALIAS ${name})
  clump_compile_options(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${clump_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${name} PROPERTIES VERSION ${clump_VERSION} SOVERSION ${clump_abi}
    POSITION_INDEPENDENT_CODE ON)
endfunction()

# clump_install_program(TARGET COMPONENT): a program that finds the shared libraries beside it wherever both are put.
function(clump_install_program target component)
  if(BUILD_SHARED_LIBS AND NOT APPLE AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH clump_to_libraries "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${clump_to_libraries}")
  endif()
  clump_install(${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
endfunction()

# clump_install(TARGET ARGUMENTS...): install(TARGETS ...). `clump_installed` builds all targets that are installed.
function(clump_install target)
  install(TARGETS ${target} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY clump_installed ${target})
endfunction()
