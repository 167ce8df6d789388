# One CTest test per file of pytest: python_ec is test_ec.py. 77 is the exit status of "skipped".
set(clump_python_environment PYTHONPATH=${CMAKE_CURRENT_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
  CLUMP_DATA_DEFAULT=${clump_SOURCE_DIR}/../shared/data)
if(TARGET clump_program)
  list(APPEND clump_python_environment CLUMP_PROGRAM=$<TARGET_FILE:clump_program>)
endif()
if(CLUMP_SANITIZE MATCHES "address") # its library must be loaded before Python; Python itself frees not everything
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE clump_libasan
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND clump_python_environment LD_PRELOAD=${clump_libasan} ASAN_OPTIONS=detect_leaks=0
    CLUMP_TEST_SMALL=1)
endif()
file(GLOB clump_python_tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/tests tests/test_*.py)
foreach(file IN LISTS clump_python_tests)
  string(REGEX REPLACE "^test_(.*)\\.py$" "python_\\1" name ${file})
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tests/run.py
    ${CMAKE_CURRENT_SOURCE_DIR}/tests/${file})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 ENVIRONMENT "${clump_python_environment}")
endforeach()
