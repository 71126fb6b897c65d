# isolume_room(NAME SOURCES ... [DEPENDS rooms or targets that callers see too] [PRIVATE targets only this room sees])
# A room is one static library, isolume_NAME. What it may include follows from what it links: see tests/lint.
function(isolume_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(isolume_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(isolume_${name} PUBLIC isolume_flags ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE})
endfunction()

# isolume_test(NAME SOURCES ... LINK ...) : one GoogleTest binary; every test in it is a CTest test.
# Tests are compiled with -O1 and GoogleTest's header precompiled, which together make them three times faster to build; the rooms keep their own flags.
function(isolume_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    ISOLUME_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" ISOLUME_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
  target_compile_options(${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}")
endfunction()
