// Memory: what may be taken, what is taken, and the refusal that says so beforehand.
#pragma once

#include <cstddef>
#include <string>

#include "compute/base/device.h"

namespace isolume {

/// The largest number of bytes that one computation may take on a device; 0 for no limit of its own (--memory-limit).
void set_memory_limit(std::size_t bytes);
std::size_t memory_limit();

/// Bytes that can be had now: free device memory, or the host's available memory, and never more than the limit.
std::size_t available_memory(Device device);

/// Throws Error ("surface: needs 3.2 GiB on cuda:0, where 1.1 GiB can be had") where `bytes` is more than
/// available_memory().
void require_memory(std::size_t bytes, Device device, const std::string& what);

/// "512 bytes", "3.2 GiB".
std::string bytes_in_words(std::size_t bytes);

/// Bytes that DeviceArrays hold on a device now, and the most they have held since reset_peak_memory().
std::size_t allocated_memory(Device device);
std::size_t peak_memory(Device device);
void reset_peak_memory();

/// Raw allocation, counted. For CUDA in stream order where `stream` is given, else usable from any stream at once.
/// Throws Error that names the bytes and `what`. Used through DeviceArray.
void* allocate_memory(std::size_t bytes, Device device, void* stream, const char* what);
void release_memory(void* memory, std::size_t bytes, Device device, void* stream) noexcept;

/// Copies between any two devices and waits for it. Throws Error.
void copy_memory(void* to, Device to_device, const void* from, Device from_device, std::size_t bytes,
                 void* stream = nullptr);

}  // namespace isolume
