# The house rules: who includes whom, a licence in every file, and that README, figures and examples are true.
set(clump_scripts ${clump_SOURCE_DIR}/scripts)
add_test(NAME house_spdx COMMAND sh ${clump_scripts}/check-spdx.sh)
clump_tier_test(2 house_bundle sh ${clump_scripts}/viewer.sh --check)
find_program(CLUMP_PYTHON_PROGRAM NAMES python3)
if(CLUMP_PYTHON_PROGRAM)
  clump_tier_test(2 house_tables ${CLUMP_PYTHON_PROGRAM} ${clump_SOURCE_DIR}/bench/report tables --check)
  clump_tier_test(2 test_report ${CLUMP_PYTHON_PROGRAM} ${CMAKE_CURRENT_SOURCE_DIR}/bench/test_report.py)
  add_test(NAME house_rooms COMMAND ${CLUMP_PYTHON_PROGRAM} ${clump_scripts}/rooms.py)
  add_test(NAME house_circles COMMAND ${CLUMP_PYTHON_PROGRAM} ${clump_scripts}/circles.py ${clump_BINARY_DIR})
  set_tests_properties(house_circles PROPERTIES SKIP_RETURN_CODE 77)
endif()
if(CLUMP_BUILD_CLI AND CLUMP_PYTHON_PROGRAM AND NOT CLUMP_SANITIZE) # a sanitizer takes minutes for these frames
  clump_tier_test(3 house_accuracy ${CLUMP_PYTHON_PROGRAM} ${clump_scripts}/accuracy-table.py --check $<TARGET_FILE:clump_program>)
  clump_tier_test(3 house_score ${CLUMP_PYTHON_PROGRAM} ${clump_scripts}/score-table.py --check $<TARGET_FILE:clump_program>)
endif()
add_test(NAME house_readme COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/readme.sh ${clump_SOURCE_DIR})
if(CLUMP_BUILD_CLI AND NOT CLUMP_SANITIZE) # the commands have their own tests with sanitizers
  add_test(NAME house_commands COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/house/commands.sh $<TARGET_FILE:clump_program>
    README.md docs/commands.md docs/detect.md docs/objects.md docs/recordings.md docs/view.md
    WORKING_DIRECTORY ${clump_SOURCE_DIR})
endif()

# Each example runs and ends with the line it is known for.
function(clump_example_test name line)
  target_sources(example_${name} PRIVATE ${clump_leaks})
  add_test(NAME example_${name} COMMAND example_${name} ${ARGN})
  set_tests_properties(example_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${line}"
    FAIL_REGULAR_EXPRESSION "Sanitizer|runtime error")
endfunction()
if(CLUMP_BUILD_EXAMPLES)
  clump_example_test(classes "3 clusters, 1681 points of the road are noise")
  clump_example_test(label "point 4: cluster 1 of 2")
  clump_example_test(boxes "frame 3: 3 objects")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/example.xyz "0 0 0\n0.3 0 0\n5 0 0\n5 0.4 0\n9 9 9\n")
  clump_example_test(file "5 points, 3 clusters" ${CMAKE_CURRENT_BINARY_DIR}/example.xyz
    ${CMAKE_CURRENT_BINARY_DIR}/example.pcd 0.5)
  clump_example_test(dbscan "2 clusters, 432 core points, 2 border points, 7 noise")
  clump_example_test(obstacles "2 obstacles on 10000 points of ground")
  clump_example_test(nearest "moved by 0.300 -0.100 0.000")
  clump_example_test(detect "room for 8 objects only.*20 objects on [0-9]+ points of ground")
  clump_example_test(odometry "frame 5: ok, at 4.00")
  clump_example_test(objects "cluster 0: size of a car,.*cluster 1: background,.*cluster 2: size of a person,")
  clump_example_test(track "frame 5: object 1 at  3.9  0.4, 15.0 m/s")
  clump_example_test(recording "frame 19: object 1, 7.0 m away, 1.0 m/s.*found.mcap")
  clump_example_test(pieces "piece 4: its first points have the labels 0 1 2 3.*4 clusters")
  clump_example_test(tasks "40000 points, 100 clusters, 4 tasks at once")
  clump_example_test(device_memory "20000 points on the GPU, 100 clusters, the last point is in 99|No GPU to show this on")
endif()
