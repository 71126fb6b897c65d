# isolume_room(NAME SOURCES ... [DEPENDS rooms or targets that callers see too] [PRIVATE targets only this room sees])
# A room is one static library, isolume_NAME. What it may include follows from what it links: see tests/lint.
function(isolume_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(isolume_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(isolume_${name} PUBLIC isolume_flags ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE})
endfunction()

# isolume_precompile(TARGET HEADERS ...): headers that most of its sources include, parsed once.
function(isolume_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # Lets ccache see what is precompiled.
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endfunction()

# isolume_test(NAME SOURCES ... LINK ...) : one GoogleTest binary; every test in it is a CTest test.
# PRECOMPILE names further headers to parse once.
# Tests are compiled with -O1 and GoogleTest's header precompiled, which together make them three times faster to build; the rooms keep their own flags.
function(isolume_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;ENVIRONMENT;PRECOMPILE" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} isolume_test_data GTest::gtest_main)
  target_compile_options(${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  isolume_precompile(${name} <algorithm> <cmath> <gtest/gtest.h> <string> <vector> ${TEST_PRECOMPILE})
  add_dependencies(isolume_tests ${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}")
endfunction()
