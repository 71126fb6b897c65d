// Which CUDA codes end a context, and the latch of the devices that they have ended.
#include "compute/base/device_fault.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include "compute/base/cuda_api.h"

namespace isolume {

namespace {

std::mutex& latch_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<LostDevice>& latch() {
  static auto* lost = new std::vector<LostDevice>;  // destructors ask until the very end
  return *lost;
}

std::string words_of(int code, const std::string& what) {
  const CudaApi& api = cuda_api();
  const char* words = api.error_text ? api.error_text(code) : "CUDA is not available";
  return fmt::format("{}: {} (CUDA error {})", what, words, code);
}

/// The first loss of a device is kept: what follows says only that it is lost.
LostDevice lose(Device device, int code, const std::string& what) {
  const std::lock_guard lock(latch_mutex());
  const auto found =
      std::find_if(latch().begin(), latch().end(), [&](const LostDevice& lost) { return lost.device == device; });
  if (found != latch().end()) return *found;
  LostDevice lost{device, code, words_of(code, what), {}};
  lost.message = fmt::format("{}; {} computes nothing more until Isolume is restarted", lost.what, to_string(device));
  latch().push_back(lost);
  return lost;
}

}  // namespace

bool ends_context(int code) {
  switch (code) {
    case 214:  // cudaErrorECCUncorrectable
    case 220:  // cudaErrorNvlinkUncorrectable
    case 226:  // cudaErrorContained
    case 700:  // cudaErrorIllegalAddress
    case 702:  // cudaErrorLaunchTimeout
    case 709:  // cudaErrorContextIsDestroyed
    case 710:  // cudaErrorAssert
    case 714:  // cudaErrorHardwareStackError
    case 715:  // cudaErrorIllegalInstruction
    case 716:  // cudaErrorMisalignedAddress
    case 717:  // cudaErrorInvalidAddressSpace
    case 718:  // cudaErrorInvalidPc
    case 719:  // cudaErrorLaunchFailure
    case 721:  // cudaErrorTensorMemoryLeak
      return true;
    default:
      return false;
  }
}

std::vector<LostDevice> lost_devices() {
  const std::lock_guard lock(latch_mutex());
  return latch();
}

std::optional<LostDevice> lost_device(Device device) {
  if (!device.is_cuda()) return {};
  const std::lock_guard lock(latch_mutex());
  const auto found =
      std::find_if(latch().begin(), latch().end(), [&](const LostDevice& lost) { return lost.device == device; });
  return found == latch().end() ? std::nullopt : std::optional(*found);
}

void retire_device(Device device, const std::string& why) {
  const std::lock_guard lock(latch_mutex());
  const auto found =
      std::find_if(latch().begin(), latch().end(), [&](const LostDevice& lost) { return lost.device == device; });
  if (found == latch().end()) latch().push_back({device, 0, why, why});
}

void forget_lost_devices() {
  const std::lock_guard lock(latch_mutex());
  latch().clear();
}

DeviceFault device_fault(int code, const std::string& what) {
  const Device device = current_cuda_device();
  if (const auto lost = lost_device(device)) return {lost->message, device, code, true};
  if (ends_context(code)) return {lose(device, code, what).message, device, code, true};
  return {words_of(code, what), device, code, false};
}

void note_cuda_code(int code, const char* what) noexcept {
  if (!ends_context(code)) return;
  try {
    lose(current_cuda_device(), code, what);
  } catch (...) {
    // No memory for the words: the next call of CUDA fails too, and says it.
  }
}

Device device_instead(const DeviceFault& fault) {
  if (!fault.lost()) return Device::cpu();
  const Device next = choose_device("auto");
  return next == fault.device() ? Device::cpu() : next;
}

}  // namespace isolume
