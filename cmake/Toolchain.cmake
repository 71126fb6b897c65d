# SPDX-License-Identifier: MIT
# Compiler flags that every room is built with. Warnings stop the build only with ISOLUME_WERROR, which the presets of
# developers and CI set.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
# Programs find the libraries of a bundle in ../lib; RPATH rather than RUNPATH, so that those libraries find theirs too.
# It is taken out when the program is installed (resources/CMakeLists.txt). CMake would do that itself, but then ends the path with a
# colon, which is the current folder for the loader.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

# CMake's own defaults are replaced; other flags are the user's.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
if(CMAKE_CXX_FLAGS_DEBUG STREQUAL "-g")
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
endif()

if(ISOLUME_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(isolume_flags INTERFACE)
target_compile_definitions(isolume_flags INTERFACE GLM_ENABLE_EXPERIMENTAL)
# maybe-uninitialized is off: GCC 12 and 13 see it in every std::optional that they inline. In a batch, types of anonymous
# namespaces are not those of the main file, which subobject-linkage takes amiss.
set(errors "")
set(cuda_errors "")
if(ISOLUME_WERROR)
  set(errors -Werror)
  set(cuda_errors -Werror=all-warnings)
endif()
set(gcc_warnings -Wno-maybe-uninitialized)
# Clang sees that libstdc++ 12 and 13 use in std::stable_sort what they call deprecated. GCC tells of what we use ourselves.
set(clang_warnings -Wno-deprecated-declarations)
if(ISOLUME_UNITY)
  list(APPEND gcc_warnings -Wno-subobject-linkage)
endif()
target_compile_options(isolume_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;${errors};$<$<CXX_COMPILER_ID:GNU>:${gcc_warnings}>;$<$<CXX_COMPILER_ID:Clang>:${clang_warnings}>;-fstack-protector-strong;-D_GLIBCXX_ASSERTIONS>"
  "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_errors};-Xcompiler=-Wall>")
# GCC clears its memory as often as if there were little of it. Where it does so less often, a large batch of tests takes 35
# instead of 42 seconds of processor, and 1.2 instead of 0.9 GB.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory "${memory} / ${processors}")
if(memory GREATER 2048)
  target_compile_options(isolume_flags INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=524288>")
endif()
target_link_options(isolume_flags INTERFACE -Wl,-z,relro,-z,now -Wl,--disable-new-dtags)
if(ISOLUME_HARDENING)
  include(CheckCXXCompilerFlag)
  foreach(flag -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "ISOLUME_HAS${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(isolume_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
    endif()
  endforeach()
  # glibc checks calls only in an optimised build; sanitizers check more than it does.
  if(NOT ISOLUME_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(isolume_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
  endif()
  # GCC 12 at -O3 leaves calls away whose writes it has lost sight of: checks/lost_writes.cpp is such a case.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CROSSCOMPILING)
    if(NOT DEFINED ISOLUME_LOSES_WRITES)
      try_run(ISOLUME_LOSES_WRITES compiled ${CMAKE_BINARY_DIR}/checks ${CMAKE_SOURCE_DIR}/cmake/checks/lost_writes.cpp
        COMPILE_DEFINITIONS -O3)
    endif()
    if(ISOLUME_LOSES_WRITES)
      message(STATUS "The compiler loses writes at -O3: its analysis between functions is off there")
      set(ISOLUME_KEEP_WRITES -fno-ipa-modref -fno-ipa-pure-const)
    endif()
  endif()
endif()

if(ISOLUME_SANITIZE)
  target_compile_options(isolume_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ISOLUME_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined>)
  target_link_options(isolume_flags INTERFACE -fsanitize=${ISOLUME_SANITIZE})
endif()
if(ISOLUME_LLD)
  find_program(LLD_PROGRAM ld.lld)
  if(LLD_PROGRAM)
    target_link_options(isolume_flags INTERFACE -fuse-ld=lld)
  endif()
endif()
