# Checks which architectures are chosen for the GPUs that nvidia-smi lists: cmake -P, with programs that print as it does.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/GpuArchitectures.cmake)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/gpu_architectures)
file(MAKE_DIRECTORY ${folder})
set(known 75 80 86 89 90 100 120)

# check(PRINTED STATUS EXPECTED)
function(check printed status expected)
  file(WRITE ${folder}/smi "#!/bin/sh\nprintf '${printed}'\nexit ${status}\n")
  file(CHMOD ${folder}/smi PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  isolume_gpu_architectures(found ${folder}/smi "${known}")
  if(NOT "${found}" STREQUAL "${expected}")
    message(SEND_ERROR "'${printed}' gives '${found}', expected '${expected}'")
  endif()
endfunction()

check("8.6\\n" 0 "86")
check("12.0\\n8.9\\n12.0\\n" 0 "89;120")
check("6.1\\n" 0 "")                   # CUDA 13 does not compile for it
check("6.1\\n7.5\\n" 0 "75")
check("13.0\\n" 0 "120-virtual")       # newer than the compiler: PTX of what is next to it
check("" 9 "")                         # no driver
check("No devices were found\\n" 6 "")
isolume_gpu_architectures(found "SMI-NOTFOUND" "${known}")
if(NOT "${found}" STREQUAL "")
  message(SEND_ERROR "without nvidia-smi: '${found}'")
endif()
