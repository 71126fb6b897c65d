// NVRTC, CUDA's compiler as a library, opened at run time.
#pragma once

#include <string>
#include <vector>

namespace isolume {

/// True where libnvrtc is there.
bool nvrtc_present();

/// "NVRTC 13.0", or "NVRTC (libnvrtc.so.13) is not installed".
std::string nvrtc_status();

/// Machine code (cubin) of CUDA C++ for an architecture ("sm_90"). Throws Error with the compiler's first complaint.
std::vector<char> nvrtc_compile(const std::string& source, const std::string& name, const std::string& architecture);

}  // namespace isolume
