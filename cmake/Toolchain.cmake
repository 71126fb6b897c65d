# Compiler flags that every room is built with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
# Programs find the libraries of a bundle beside them; RPATH rather than RUNPATH, so that those libraries find theirs too.
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# maybe-uninitialized is off: GCC 12 and 13 see it in every std::optional that they inline.
add_library(isolume_flags INTERFACE)
target_compile_options(isolume_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> -fstack-protector-strong -D_GLIBCXX_ASSERTIONS>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Wall>)
target_include_directories(isolume_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(isolume_flags INTERFACE GLM_ENABLE_EXPERIMENTAL)
if(ISOLUME_SANITIZE)
  target_compile_options(isolume_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ISOLUME_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined>)
  target_link_options(isolume_flags INTERFACE -fsanitize=${ISOLUME_SANITIZE})
endif()
target_link_options(isolume_flags INTERFACE -Wl,-z,relro,-z,now -Wl,--disable-new-dtags)
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  target_link_options(isolume_flags INTERFACE -fuse-ld=lld)
endif()
