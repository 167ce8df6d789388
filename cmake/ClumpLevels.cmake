# Levels: the CPU backend compiled for several kinds of processor (src/core/level.c). Sets CLUMP_WITH_LEVELS, and defines
# clump_add_level().
#
# A level is the same sources with other compiler options. Its objects are linked into one, and all its symbols but
# the function that returns its table become local. So no name has to differ between levels, and calls inside a level
# stay direct.
option(CLUMP_LEVELS "Compile the CPU backend for x86-64-v3 and -v4 too, and choose when a program runs (x86-64, ELF)" ON)

# 256: loops that the compiler vectorises gain nothing from wider registers (measured on a Xeon of 2023: ec, dbscan, nn and
# boxes differ by 4 % at most, in either direction), and older processors lower their clock for them. Code written for 16
# lanes is not affected.
set(clump_level_v3_options -march=x86-64-v3)
set(clump_level_v4_options -march=x86-64-v4 -mprefer-vector-width=256)
set(clump_levels v3 v4)
# Plain C, a level of tests alone: the other levels must give the same bits.
set(clump_level_plain_options -DCLUMP_NO_SIMD)

# Sets WHY to the reason for one level, or to nothing.
function(clump_why_one_level why)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(reason "")
  if(NOT CLUMP_LEVELS)
    set(reason "CLUMP_LEVELS is OFF")
  elseif(CLUMP_NATIVE)
    set(reason "this build is for one processor (CLUMP_NATIVE)")
  elseif(CLUMP_SANITIZE OR CLUMP_FUZZ OR several OR NOT type MATCHES "^(RELEASE|RELWITHDEBINFO|MINSIZEREL)$")
    set(reason "this is no build for packages")
  elseif("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-march=")
    set(reason "the compiler flags name a processor")
  elseif(NOT CMAKE_LINKER OR NOT CMAKE_OBJCOPY)
    set(reason "there is no linker or no objcopy")
  else()
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v4 -mprefer-vector-width=256")
    check_c_source_compiles("
      #if !defined __x86_64__ || defined __ILP32__ || !defined __ELF__
      #error other
      #endif
      int main(void) { return 0; }" CLUMP_X86_LEVELS)
    if(NOT CLUMP_X86_LEVELS)
      set(reason "there are levels for x86-64 and ELF only, and for compilers that know them")
    endif()
  endif()
  set(${why} "${reason}" PARENT_SCOPE)
endfunction()

clump_why_one_level(clump_one_level)
if(clump_one_level)
  set(CLUMP_WITH_LEVELS OFF)
else()
  set(CLUMP_WITH_LEVELS ON)
  message(STATUS "CPU levels: baseline, v3 and v4, chosen when a program runs")
endif()
# Also where there are no others (ARM). A build for one processor has none: it is compiled more quickly.
set(CLUMP_WITH_PLAIN OFF)
if(CLUMP_BUILD_TESTS AND NOT CLUMP_NATIVE AND NOT CLUMP_SANITIZE AND NOT CLUMP_FUZZ AND CMAKE_LINKER AND CMAKE_OBJCOPY
   AND NOT APPLE)
  set(CLUMP_WITH_PLAIN ON)
endif()

# clump_add_level(LEVEL OBJECT SOURCES ...): sets OBJECT to the file that holds the level. The symbol clump_backend_cpu is
# clump_backend_cpu_LEVEL there. Two steps of objcopy: tools disagree on the order within one. No link-time optimisation:
# its objects have no code that could be linked here.
function(clump_add_level level object)
  set(target clump_cpu_${level})
  add_library(${target} OBJECT ${ARGN})
  clump_compile_options(${target})
  clump_core_library(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF)
  target_include_directories(${target} PRIVATE ${clump_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE ${clump_level_${level}_options} -fno-lto)

  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  set(table clump_backend_cpu)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_LINKER} -r -o ${file}.all $<TARGET_OBJECTS:${target}>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${table} ${file}.all ${file}.one
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym ${table}=${table}_${level} ${file}.one ${file}
    COMMAND ${CMAKE_COMMAND} -E rm ${file}.all ${file}.one
    DEPENDS $<TARGET_OBJECTS:${target}>
    COMMENT "Linking level ${level} of the CPU backend" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_object DEPENDS ${file})
  add_dependencies(${target}_object ${target}) # for make, which does not see the rules of other targets
  set(${object} ${file} PARENT_SCOPE)
endfunction()
