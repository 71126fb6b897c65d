# SPDX-License-Identifier: MIT
# Which architectures CUDA code is made for where the user does not say.

# Code for no GPU in particular: machine code of 7.5 and 9.0, and the PTX of both, which the driver translates for those
# between them and for newer ones. The oldest is compiled to machine code so that the compiler checks its limits.
set(ISOLUME_USUAL_ARCHITECTURES 75 90)

# isolume_gpu_architectures(RESULT SMI KNOWN): sets RESULT to the architectures of the GPUs that the program SMI
# (nvidia-smi) lists, as CMAKE_CUDA_ARCHITECTURES wants them; empty where there are none that CUDA 13 compiles for. KNOWN
# lists the architectures that the compiler knows; a newer GPU gets PTX of the last of them.
function(isolume_gpu_architectures result smi known)
  set(${result} "" PARENT_SCOPE)
  if(NOT smi)
    return()
  endif()
  execute_process(COMMAND ${smi} --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE printed ERROR_QUIET RESULT_VARIABLE failed TIMEOUT 30)
  if(failed)
    return()
  endif()
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${printed}")
  set(found "")
  foreach(capability ${capabilities})
    string(REPLACE "." "" architecture ${capability})
    if(architecture LESS 75)
      continue()
    endif()
    if(known AND NOT architecture IN_LIST known)
      set(below "")
      foreach(candidate ${known})
        if(candidate LESS architecture)
          set(below ${candidate}-virtual)
        endif()
      endforeach()
      set(architecture ${below})
    endif()
    list(APPEND found ${architecture})
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(SORT found COMPARE NATURAL)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# isolume_known_architectures(RESULT COMPILER): the architectures that nvcc compiles for, ascending.
function(isolume_known_architectures result compiler)
  execute_process(COMMAND ${compiler} --list-gpu-arch OUTPUT_VARIABLE printed ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCHALL "compute_[0-9]+" names "${printed}")
  list(TRANSFORM names REPLACE "compute_" "")
  list(SORT names COMPARE NATURAL)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
