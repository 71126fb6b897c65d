// NVRTC, CUDA's compiler as a library, opened at run time.
#include "compute/base/nvrtc.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <array>

#include "molecule/base/error.h"

namespace isolume {

namespace {

// NVRTC's interface, as far as it is used (docs.nvidia.com/cuda/nvrtc).
using Program = struct NvrtcProgram*;

struct Nvrtc {
  int (*version)(int*, int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  bool present = false;
};

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

const Nvrtc& nvrtc() {
  static const Nvrtc table = [] {
    Nvrtc t;
    void* library = nullptr;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so.13",
                             "/usr/local/cuda/lib64/libnvrtc.so"}) {
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library) break;
    }
    if (!library) return t;
    t.present = find(library, "nvrtcVersion", t.version) && find(library, "nvrtcGetErrorString", t.error_text) &&
                find(library, "nvrtcCreateProgram", t.create) && find(library, "nvrtcCompileProgram", t.compile) &&
                find(library, "nvrtcGetProgramLogSize", t.log_size) && find(library, "nvrtcGetProgramLog", t.log) &&
                find(library, "nvrtcGetCUBINSize", t.cubin_size) && find(library, "nvrtcGetCUBIN", t.cubin) &&
                find(library, "nvrtcDestroyProgram", t.destroy);
    return t;
  }();
  return table;
}

void check(int code, const char* what) {
  if (code != 0) throw Error(fmt::format("NVRTC: {}: {}", what, nvrtc().error_text(code)));
}

/// A program that is destroyed at the end.
struct Owned {
  Program program = nullptr;
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (program) nvrtc().destroy(&program);
  }
};

std::string first_complaint(Program program) {
  std::size_t size = 0;
  if (nvrtc().log_size(program, &size) != 0 || size < 2) return "no message";
  std::string text(size, '\0');
  if (nvrtc().log(program, text.data()) != 0) return "no message";
  const std::size_t at = text.find("error");
  const std::size_t begin = at == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  return text.substr(begin, text.find_first_of(std::string("\n\0", 2), begin) - begin);
}

}  // namespace

bool nvrtc_present() {
  return nvrtc().present;
}

std::string nvrtc_status() {
  if (!nvrtc().present) return "NVRTC (libnvrtc.so.13) is not installed";
  int major = 0, minor = 0;
  nvrtc().version(&major, &minor);
  return fmt::format("NVRTC {}.{}", major, minor);
}

std::vector<char> nvrtc_compile(const std::string& source, const std::string& name, const std::string& architecture) {
  if (!nvrtc().present) throw Error(nvrtc_status());
  Owned owned;
  check(nvrtc().create(&owned.program, source.c_str(), name.c_str(), 0, nullptr, nullptr), "making a program");
  const std::string target = "--gpu-architecture=" + architecture;
  // Functions without a mark, as those of cuda_tuning.h, are of the device here.
  const std::array options{target.c_str(), "--std=c++17", "-default-device"};
  if (nvrtc().compile(owned.program, static_cast<int>(options.size()), options.data()) != 0) {
    throw Error("NVRTC: " + first_complaint(owned.program));
  }
  std::size_t size = 0;
  check(nvrtc().cubin_size(owned.program, &size), "the machine code's size");
  std::vector<char> code(size);
  check(nvrtc().cubin(owned.program, code.data()), "the machine code");
  return code;
}

}  // namespace isolume
