# The live server of the viewer. It needs bytes of the other parts: the tests take its objects. Tests of its time limits
# have a shorter second.
find_package(Threads REQUIRED)
file(GLOB clump_view_server CONFIGURE_DEPENDS ${clump_SOURCE_DIR}/viewer/server/*.c)
foreach(second 1000 100)
  add_library(test_view_server_${second} OBJECT ${clump_view_server} ${clump_SOURCE_DIR}/viewer/bytes/bytes.c)
  clump_compile_options(test_view_server_${second})
  target_compile_definitions(test_view_server_${second} PUBLIC VIEW_SECOND=${second})
  target_include_directories(test_view_server_${second} PUBLIC ${clump_SOURCE_DIR} ${clump_SOURCE_DIR}/include ${clump_SOURCE_DIR}/src)
endforeach()
clump_test_program(tests_view_server view/test_view_server.c view/test_view_server_hostile.c)
target_link_libraries(tests_view_server PRIVATE test_view_server_1000 Threads::Threads)
clump_test_program(test_view_server_limits view/test_view_server_limits.c)
target_link_libraries(test_view_server_limits PRIVATE test_view_server_100 Threads::Threads)
