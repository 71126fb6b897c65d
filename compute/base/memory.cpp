// Memory: what may be taken, what is taken, and the refusal that says so beforehand.
#include "compute/base/memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "compute/base/host_memory.h"
#include "compute/base/memory_error.h"
#include "compute/base/staging.h"

namespace isolume {

namespace {

std::atomic<std::size_t> limit{0};

struct Account {
  std::atomic<std::size_t> now{0};
  std::atomic<std::size_t> peak{0};
  std::atomic<std::size_t> kept{0};  ///< what a device's pool has at least: the most that was taken since it gave back
};
std::array<Account, 65> accounts;  // 0 the CPU, 1 + i CUDA device i

Account& account(Device device) {
  const int index = device.is_cuda() ? std::clamp(device.index, 0, 63) + 1 : 0;
  return accounts[static_cast<std::size_t>(index)];
}

std::size_t device_available(Device device) {
  const DeviceScope scope(device);
  std::size_t free = 0;
  std::size_t total = 0;
  cuda_check(cuda_api().memory_info(&free, &total), "asking for free device memory");
  return free;
}

}  // namespace

void set_memory_limit(std::size_t bytes) {
  limit = bytes;
}

std::size_t memory_limit() {
  return limit;
}

std::size_t available_memory(Device device) {
  const std::size_t free = device.is_cuda() ? device_available(device) : host_memory().available;
  return limit ? std::min<std::size_t>(limit, free) : free;
}

void require_memory(std::size_t bytes, Device device, const std::string& what) {
  // Asking a CUDA device for its free memory takes longer than a small computation; what is less than this it has, or
  // the allocation says so at once.
  constexpr std::size_t small = std::size_t{64} << 20;
  if (device.is_cuda() && limit == 0) {
    const Account& a = account(device);
    if (bytes <= small || a.now + bytes <= a.kept) return;
  }
  std::size_t free = available_memory(device);
  if (bytes <= free) return;
  if (device.is_cuda()) {
    // The pool keeps what was freed; ask for it back before saying no.
    const DeviceScope scope(device);
    cuda_check(cuda_api().trim(device.index), "giving cached device memory back");
    account(device).kept = account(device).now.load();
    free = available_memory(device);
    if (bytes <= free) return;
  }
  std::string bound;
  if (limit != 0 && free == limit) {
    bound = " (the memory limit)";
  } else if (const char* of_host = device.is_cuda() ? "" : host_memory().bound; *of_host) {
    bound = fmt::format(" ({})", of_host);
  }
  throw MemoryError(fmt::format("{}: needs {} ({} bytes) on {}, where {} can be had{}", what, bytes_in_words(bytes),
                                bytes, to_string(device), bytes_in_words(free), bound));
}

std::string bytes_in_words(std::size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::size_t allocated_memory(Device device) {
  return account(device).now;
}

std::size_t peak_memory(Device device) {
  return account(device).peak;
}

void reset_peak_memory() {
  for (Account& a : accounts) a.peak = a.now.load();
  reset_resident_peak();
}

void* allocate_memory(std::size_t bytes, Device device, void* stream, const char* what) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  if (device.is_cuda()) {
    const DeviceScope scope(device);
    const CudaApi& api = cuda_api();
    int code = api.allocate(&memory, bytes, stream);
    if (code == api.out_of_memory && api.trim(device.index) == 0) {
      account(device).kept = account(device).now.load();
      code = api.allocate(&memory, bytes, stream);
    }
    if (code == api.out_of_memory) {
      throw DeviceFault(fmt::format("{}: {} ({} bytes) could not be allocated on {}", what, bytes_in_words(bytes),
                                    bytes, to_string(device)),
                        device, code, false);
    }
    cuda_check(code, what);
    // Without a stream of its own the memory may be used on any stream from now on.
    if (!stream) {
      if (const int wait = api.stream_synchronize(nullptr)) {
        api.release(memory, nullptr);
        cuda_check(wait, what);
      }
    }
  } else {
    memory = ::operator new (bytes, std::align_val_t{64}, std::nothrow);
    if (!memory) {
      throw MemoryError(fmt::format("{}: {} ({} bytes) could not be allocated", what, bytes_in_words(bytes), bytes));
    }
  }
  Account& a = account(device);
  const std::size_t now = a.now += bytes;
  for (std::atomic<std::size_t>* most : {&a.peak, &a.kept}) {
    std::size_t before = *most;
    while (now > before && !most->compare_exchange_weak(before, now)) {
    }
  }
  return memory;
}

void release_memory(void* memory, std::size_t bytes, Device device, void* stream) noexcept {
  if (!memory) return;
  account(device).now -= bytes;
  if (!device.is_cuda()) {
    ::operator delete (memory, std::align_val_t{64});
    return;
  }
  const CudaApi& api = cuda_api();
  int before = 0;
  if (!api.release || api.get_device(&before) != 0) return;
  if (before != device.index) api.set_device(device.index);
  // A lost device answers with its error, and keeps the memory until the program ends.
  note_cuda_code(api.release(memory, stream), "freeing memory");
  if (before != device.index) api.set_device(before);
}

void copy_memory(void* to, Device to_device, const void* from, Device from_device, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  if (!to_device.is_cuda() && !from_device.is_cuda()) {
    std::memcpy(to, from, bytes);
    return;
  }
  const Device scope_device = to_device.is_cuda() ? to_device : from_device;
  const DeviceScope scope(scope_device);
  const CudaApi& api = cuda_api();
  const CudaApi::Direction direction = !from_device.is_cuda() ? CudaApi::host_to_device
                                       : !to_device.is_cuda() ? CudaApi::device_to_host
                                                              : CudaApi::device_to_device;
  if (direction != CudaApi::device_to_device && staged_copy(to, from, bytes, direction, scope_device, stream)) return;
  cuda_check(api.copy(to, from, bytes, direction, stream), "copying memory");
  cuda_check(api.stream_synchronize(stream), "copying memory");
}

}  // namespace isolume
