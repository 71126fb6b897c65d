// Devices: what the machine has to compute with.
#include "compute/base/device.h"

#include <fmt/core.h>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>

#include "compute/base/cpu_info.h"
#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"

namespace isolume {

namespace {

std::string read_cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
  }
  return "CPU";
}

/// Read once: the kernel writes some thousand characters for each processor, and every command asks.
const std::string& cpu_model() {
  static const std::string model = read_cpu_model();
  return model;
}

/// The best instruction set that the processor has and the bodies are built for.
std::string simd_level() {
  const auto targets = hwy::SupportedTargets();
  if (targets & (HWY_AVX3 | HWY_AVX3_DL)) return "AVX-512";
  if (targets & HWY_AVX2) return "AVX2";
  if (targets & HWY_SSE4) return "SSE4";
  return "baseline vectors";
}

}  // namespace

DeviceInfo cpu_info() {
  DeviceInfo info;
  info.device = Device::cpu();
  const int threads = thread_count();
  const std::string level = simd_level();
  info.name = fmt::format("{} ({} thread{}, {})", cpu_model(), threads, threads == 1 ? "" : "s", level);
  info.memory_total =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  info.memory_free = available_memory(Device::cpu());
  info.detail = level;
  return info;
}

namespace {

DeviceInfo cuda_info(int index) {
  const CudaApi& api = cuda_api();
  DeviceInfo info;
  info.device = Device::cuda(index);
  info.name = to_string(info.device);
  if (const auto lost = lost_device(info.device)) {
    info.usable = false;
    info.why_not = lost->message;
    return info;
  }
  CudaProperties p;
  if (const int code = api.properties(index, &p)) {
    info.usable = false;
    info.why_not = api.error_text(code);
    return info;
  }
  info.name = p.name;
  info.memory_total = p.memory_total;
  info.detail = fmt::format("compute capability {}.{}, {} multiprocessors", p.major, p.minor, p.multiprocessors);
  if (!p.has_code) {
    info.usable = false;
    info.why_not = fmt::format("no code for compute capability {}.{} in this build", p.major, p.minor);
    return info;
  }
  try {
    info.memory_free = available_memory(info.device);
  } catch (const Error& error) {
    info.usable = false;
    info.why_not = error.what();
  }
  return info;
}

std::string version_in_words(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// The NVIDIA kernel driver's own version, "580.159"; empty where there is none.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word) {
    if (word.size() > 2 && word[0] >= '1' && word[0] <= '9' && word.find('.') != std::string::npos) return word;
  }
  return {};
}

/// How many devices there are. A driver that a fault has left without answers once said it.
int cuda_count(const CudaApi& api) {
  static std::atomic<int> known{0};
  int count = 0;
  if (!api.device_count) return 0;
  if (api.device_count(&count) == 0) return known = count;
  return lost_devices().empty() ? 0 : known.load();
}

std::mutex thread_mutex;
std::unique_ptr<oneapi::tbb::global_control> thread_control;

}  // namespace

std::string to_string(Device device) {
  return device.is_cuda() ? "cuda:" + std::to_string(device.index) : "cpu";
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices{cpu_info()};
  const int count = cuda_count(cuda_api());
  // The first question starts a device, which takes some tenths of a second: all of them at the same time.
  std::vector<std::future<DeviceInfo>> others;
  for (int i = 1; i < count; ++i) others.push_back(std::async(std::launch::async, cuda_info, i));
  if (count > 0) devices.push_back(cuda_info(0));
  for (std::future<DeviceInfo>& other : others) devices.push_back(other.get());
  return devices;
}

std::string cuda_status() {
  const CudaApi& api = cuda_api();
  if (!api.device_count) return cuda_off().empty() ? "built without CUDA" : cuda_off();
  if (const auto lost = lost_devices(); !lost.empty()) return lost.front().message;
  int driver = 0;
  int runtime = 0;
  if (const int code = api.versions(&driver, &runtime)) return fmt::format("CUDA: {}", api.error_text(code));
  if (driver == 0) return fmt::format("CUDA {}, no NVIDIA driver on this machine", version_in_words(runtime));
  int count = 0;
  if (const int code = api.device_count(&count)) {
    return fmt::format("CUDA {}, driver for CUDA {}: {}", version_in_words(runtime), version_in_words(driver),
                       api.error_text(code));
  }
  const std::string version = driver_version();
  return fmt::format("CUDA {}, driver {}{}", version_in_words(runtime),
                     version.empty() ? "for CUDA " + version_in_words(driver) : version,
                     count == 0 ? ", no device" : "");
}

Device choose_device(const std::string& wish) {
  if (wish == "cpu") return Device::cpu();
  // One that is named is asked alone: others need not start.
  for (int i = 0, count = wish.starts_with("cuda:") ? cuda_count(cuda_api()) : 0; i < count; ++i)
    if (wish == to_string(Device::cuda(i)) && cuda_info(i).usable) return Device::cuda(i);
  const std::vector<DeviceInfo> devices = list_devices();
  if (wish == "auto" || wish == "cuda" || wish.empty()) {
    for (const DeviceInfo& info : devices) {
      if (info.device.is_cuda() && info.usable) return info.device;
    }
    if (wish != "cuda") return Device::cpu();
  }
  std::string there;
  for (const DeviceInfo& info : devices) {
    const bool asked = wish == to_string(info.device);
    if (asked && info.usable) return info.device;
    if (asked) throw Error(fmt::format("device {}: {}", wish, info.why_not), Error::Kind::usage);
    there += fmt::format("{}{}{}", there.empty() ? "" : ", ", to_string(info.device), info.usable ? "" : " (unusable)");
  }
  if (wish != "cuda" && !wish.starts_with("cuda:")) {
    throw Error(fmt::format("device '{}': known are auto, cpu, cuda and cuda:N; this machine has {}", wish, there),
                Error::Kind::usage);
  }
  throw Error(fmt::format("device {}: this machine has {} ({})", wish, there, cuda_status()), Error::Kind::usage);
}

void set_thread_count(int threads) {
  if (threads < 0) throw Error(fmt::format("{} threads: a count of 1 or more is needed", threads), Error::Kind::usage);
  const std::lock_guard lock(thread_mutex);
  thread_control.reset();
  thread_limit = static_cast<unsigned>(threads);
  if (threads > 0) {
    using oneapi::tbb::global_control;
    thread_control =
        std::make_unique<global_control>(global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  }
}

int thread_count() {
  using oneapi::tbb::global_control;
  const auto allowed = static_cast<int>(global_control::active_value(global_control::max_allowed_parallelism));
  const std::lock_guard lock(thread_mutex);
  return thread_control ? allowed : std::min(allowed, oneapi::tbb::info::default_concurrency());
}

}  // namespace isolume
