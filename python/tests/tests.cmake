# All files of pytest in one process; python3 python/tests/run.py test_ec runs one of them. 77 is the exit status of "skipped".
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
add_test(NAME python_tests COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tests/run.py)
set_tests_properties(python_tests PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600 COST 100
  ENVIRONMENT "${clump_python_environment}" LABELS python)
