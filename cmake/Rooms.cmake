# SPDX-License-Identifier: MIT
# isolume_room(NAME FOLDER folder SOURCES ... [SEES folders] [DEPENDS rooms or targets that callers see too]
#   [PRIVATE targets only this room sees] [RENAMED name, see isolume_unity])
# A room is one static library, isolume_NAME, of the sources of one folder. SEES are the folders besides its own that it may include
# (isolume_walls).
function(isolume_room name)
  cmake_parse_arguments(ROOM "" "FOLDER;RENAMED" "SOURCES;SEES;DEPENDS;PRIVATE" ${ARGN})
  add_library(isolume_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(isolume_${name} PUBLIC isolume_flags ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE})
  isolume_walls(isolume_${name} ${ROOM_FOLDER} ${ROOM_SEES})
  isolume_unity(isolume_${name} ${ROOM_RENAMED})
endfunction()

# isolume_part(ROOM PART SOURCES ... SEES folders [LINK targets]): sources of a room that are compiled with options of their own: the
# target isolume_ROOM_PART, whose objects are in the room's library.
function(isolume_part room part)
  cmake_parse_arguments(PART "" "" "SOURCES;SEES;LINK" ${ARGN})
  set(target isolume_${room}_${part})
  add_library(${target} OBJECT ${PART_SOURCES})
  target_link_libraries(${target} PRIVATE isolume_flags ${PART_LINK})
  isolume_walls(${target} ${PART_SEES})
  isolume_unity(${target})
  target_sources(isolume_${room} PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# isolume_walls(TARGET FOLDER ...): the sources of TARGET may include these folders of the checkout, and no others. Includes are
# written from the root of the checkout, so its include path is a folder of links to them: BUILD/include/TARGET.
function(isolume_walls target)
  set(walls ${CMAKE_BINARY_DIR}/include/${target})
  if(NOT "${ISOLUME_WALLS_${target}}" STREQUAL "${ARGN}")
    file(REMOVE_RECURSE ${walls})
    set(ISOLUME_WALLS_${target} ${ARGN} CACHE INTERNAL "What ${target} may include")
  endif()
  foreach(folder ${ARGN})
    get_filename_component(parent ${walls}/${folder} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    if(NOT EXISTS ${walls}/${folder})
      file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${walls}/${folder} SYMBOLIC)
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE ${walls})
endfunction()

# isolume_unity(TARGET [RENAMED]): where ISOLUME_UNITY is on, compiles its sources in batches of up to 24 (cmake/unity.py). At the
# end of the folder, when it is known which sources have options of their own: those are compiled alone. RENAMED is a name that
# many of the sources keep to themselves; in a batch, each has a form of its own of it.
function(isolume_unity target)
  if(ISOLUME_UNITY)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL isolume_batch ${target} ${ARGN})")
  endif()
endfunction()

# isolume_batches(RESULT FOLDER MOST RENAMED SOURCES ...): lines "NUMBER SOURCE", the batches of cmake/unity.py; sources are
# written from FOLDER. What a batch declares depends on the text of its sources.
function(isolume_batches result folder most renamed)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/unity.py ${CMAKE_SOURCE_DIR} ${most} "${renamed}" ${ARGN}
    WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${printed}")
  set(${result} ${lines} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/unity.py)
endfunction()

function(isolume_batch target)
  get_target_property(sources ${target} SOURCES)
  set(plain "")
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    get_source_file_property(includes ${source} INCLUDE_DIRECTORIES)
    if(source MATCHES "\\.cpp$" AND NOT options AND NOT definitions AND NOT includes)
      list(APPEND plain ${source})
    endif()
  endforeach()
  isolume_batches(lines ${CMAKE_CURRENT_SOURCE_DIR} 24 "${ARGN}" ${plain})
  foreach(line ${lines})
    string(REPLACE " " ";" parts "${line}")
    list(GET parts 0 group)
    list(GET parts 1 source)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    if(ISOLUME_UNITY_WITHOUT AND path MATCHES "${ISOLUME_UNITY_WITHOUT}")
      continue()
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP batch_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(ARGN)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD_CODE_BEFORE_INCLUDE "#include \"${CMAKE_SOURCE_DIR}/cmake/next_source.h\"\n#undef ${ARGN}\n#define ISOLUME_JOINED(a, b) a##b
#define ISOLUME_JOIN(a, b) ISOLUME_JOINED(a, b)\n#define ${ARGN} ISOLUME_JOIN(${ARGN}_, ISOLUME_SOURCE)")
  endif()
endfunction()

# isolume_cuda_unity(TARGET): the same for CUDA sources, whose headers are parsed three times each. CMake 3.25 makes no batches of
# them: a batch is a source of its own that includes its files.
function(isolume_cuda_unity target)
  if(ISOLUME_UNITY)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL isolume_cuda_batch ${target})")
  endif()
endfunction()

function(isolume_cuda_batch target)
  get_target_property(sources ${target} SOURCES)
  set(plain "")
  foreach(source ${sources})
    if(source MATCHES "\\.cu$")
      file(REAL_PATH ${source} path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      file(RELATIVE_PATH inside ${CMAKE_SOURCE_DIR} ${path})
      if(NOT ISOLUME_UNITY_WITHOUT OR NOT inside MATCHES "${ISOLUME_UNITY_WITHOUT}")
        list(APPEND plain ${inside})
        set(listed_as_${inside} ${source})
      endif()
    endif()
  endforeach()
  isolume_batches(lines ${CMAKE_SOURCE_DIR} 6 "" ${plain})
  set(groups "")
  foreach(line ${lines})
    string(REPLACE " " ";" parts "${line}")
    list(GET parts 0 group)
    list(GET parts 1 source)
    list(APPEND groups ${group})
    string(APPEND text_${group} "#include \"${source}\"\n")
    list(REMOVE_ITEM sources ${listed_as_${source}})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    set(batch ${CMAKE_CURRENT_BINARY_DIR}/${target}_unity/cuda_batch_${group}.cu)
    file(CONFIGURE OUTPUT ${batch} CONTENT "${text_${group}}" @ONLY)
    list(APPEND sources ${batch})
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
endfunction()

# isolume_precompile(TARGET HEADERS ...): headers that most of its sources include, parsed once.
function(isolume_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # Lets ccache see what is precompiled.
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endfunction()

# isolume_shared_headers(NAME HEADERS ... LINK ... [OPTIMISE -O2]): headers that several programs include, parsed once for
# all of them. Test programs are compiled with -O0, those that compute references themselves with -O1; the rooms keep their
# own flags.
function(isolume_shared_headers name)
  cmake_parse_arguments(SHARED "" "OPTIMISE" "HEADERS;LINK" ${ARGN})
  if(NOT SHARED_OPTIMISE)
    set(SHARED_OPTIMISE -O0)
  endif()
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/tests/support/headers.cpp)
  target_link_libraries(${name} PRIVATE isolume_flags ${SHARED_LINK})
  # The flags of programs, for which alone the headers hold.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${SHARED_OPTIMISE}> -Wno-cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF ISOLUME_OPTIMISE ${SHARED_OPTIMISE})
  target_compile_options(${name} PRIVATE -fPIE)
  isolume_precompile(${name} ${SHARED_HEADERS})
endfunction()

# isolume_precompiled_as(TARGET NAME): a program with the flags and the precompiled headers of isolume_shared_headers(NAME).
function(isolume_precompiled_as target name)
  get_target_property(optimise ${name} ISOLUME_OPTIMISE)
  # glibc warns that it checks no calls in what is not optimised.
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${optimise}>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-cpp>)
  target_precompile_headers(${target} REUSE_FROM ${name})
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endfunction()

# isolume_test(NAME SOURCES ... LINK ...) : one GoogleTest binary; every test in it is a CTest test.
# ISOLUME_TEST_HEADERS: the precompiled headers of a folder's tests, where they are not isolume_test_headers.
# LONG names tests, as --gtest_filter does, that take seconds: they have the label `long`, the others `quick`.
function(isolume_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;ENVIRONMENT;LONG" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} isolume_test_data GTest::gtest_main)
  if(NOT ISOLUME_TEST_HEADERS)
    set(ISOLUME_TEST_HEADERS isolume_test_headers)
  endif()
  isolume_precompiled_as(${name} ${ISOLUME_TEST_HEADERS})
  add_dependencies(isolume_tests ${name})
  isolume_unity(${name})
  list(JOIN TEST_LONG ":" long)
  set(filters quick "-${long}" long "${long}")
  if(NOT long)
    set(filters quick "*")
  elseif(long STREQUAL "*")
    set(filters long "*")
  endif()
  while(filters)
    list(POP_FRONT filters label filter)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "${filter}"
      PROPERTIES LABELS ${label} ENVIRONMENT "${TEST_ENVIRONMENT}")
  endwhile()
endfunction()
