// Devices: what the machine has to compute with, and which one is used and why.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isolume {

/// A place where numbers live and are computed: the host's processors, or one CUDA device.
struct Device {
  enum class Kind { cpu, cuda };
  Kind kind = Kind::cpu;
  int index = 0;  ///< CUDA ordinal; 0 for the CPU

  bool is_cuda() const { return kind == Kind::cuda; }
  bool operator==(const Device&) const = default;
  static Device cpu() { return {}; }
  static Device cuda(int index = 0) { return {Kind::cuda, index}; }
};

/// "cpu", "cuda:0".
std::string to_string(Device device);

/// Properties of a device.
struct DeviceInfo {
  Device device;
  std::string name;              ///< "NVIDIA H200", "Intel Xeon ... (2 threads, AVX-512)"
  std::size_t memory_total = 0;  ///< bytes
  std::size_t memory_free = 0;   ///< bytes, at the time of asking
  std::string detail;            ///< "compute capability 9.0, 132 multiprocessors", SIMD level
  bool usable = true;
  std::string why_not;  ///< where not usable: "no code for compute capability 6.1 in this build"
};

/// All devices, the CPU first. Never throws: a missing or broken driver makes a list without CUDA devices, and
/// cuda_status() says why.
std::vector<DeviceInfo> list_devices();

/// One sentence on CUDA: "CUDA 13.0, driver 580.159", "built without CUDA", "no NVIDIA driver on this machine".
std::string cuda_status();

/// The device that `wish` names: "auto" (the first usable CUDA device, else the CPU), "cpu", "cuda", "cuda:1". Throws
/// Error (usage) that says what there is where the wish cannot be met.
Device choose_device(const std::string& wish = "auto");

/// Number of threads the CPU bodies use; 0 restores the default (all that the process may run on).
void set_thread_count(int threads);
int thread_count();

}  // namespace isolume
