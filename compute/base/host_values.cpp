// HostValues: the values of a map on the host, in memory or, where they do not fit there, in a file.
#include "compute/base/host_values.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// A file without a name in `folder`, of `bytes` that the disk has.
int unnamed_file(const std::string& folder, std::size_t bytes, const char* what) {
  const auto fail = [&](int fault) -> Error {
    return Error(fmt::format("{}: {} ({} bytes) fit neither into memory nor into a file in {}: {}", what,
                             bytes_in_words(bytes), bytes, folder, std::strerror(fault)));
  };
  std::string name = folder + "/.isolume-map-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) throw fail(errno);
  ::unlink(name.c_str());
  if (const int fault = ::posix_fallocate(file, 0, static_cast<off_t>(bytes))) {
    ::close(file);
    throw fail(fault);
  }
  return file;
}

/// Has the system make the pages of a large map while its values are computed: copies from a device then need not wait
/// for it. What is in the pages stays.
std::jthread pages_made_ahead(std::span<float> values) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t least = std::size_t{64} << 20;
  if (values.size_bytes() < least) return {};
  return std::jthread([values](const std::stop_token& stop) {
    constexpr std::size_t piece = std::size_t{16} << 20, page = std::size_t{2} << 20;
    auto* const begin = reinterpret_cast<char*>(values.data());  // LargeVector's memory begins with a page
    const std::size_t bytes = values.size_bytes() / page * page;
    for (std::size_t at = 0; at < bytes && !stop.stop_requested(); at += piece)
      if (::madvise(begin + at, std::min(piece, bytes - at), MADV_POPULATE_WRITE) != 0) return;  // a wish, no need
  });
#else
  (void)values;
  return {};
#endif
}

}  // namespace

HostValues::HostValues(std::size_t count, std::size_t beside, const std::string& near, const char* what)
    : bytes_(count * sizeof(float)) {
  const std::size_t available = available_memory(Device::cpu());
  if (count == 0) return;
  if (bytes_ <= available && beside <= available - bytes_) {
    memory_.resize(count);
    values_ = memory_;
    ahead_ = pages_made_ahead(values_);
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(near).parent_path();
  const int file = unnamed_file(folder.empty() ? "." : folder.string(), bytes_, what);
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int fault = errno;
  ::close(file);
  if (memory == MAP_FAILED)
    throw Error(
        fmt::format("{}: {} of a file cannot be mapped: {}", what, bytes_in_words(bytes_), std::strerror(fault)));
  mapped_ = memory;
  values_ = {static_cast<float*>(memory), count};
}

HostValues::~HostValues() {
  if (mapped_) ::munmap(mapped_, bytes_);
}

HostValues::HostValues(HostValues&& other) noexcept
    : memory_(std::move(other.memory_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      bytes_(other.bytes_),
      values_(std::exchange(other.values_, {})),
      ahead_(std::move(other.ahead_)) {}

HostValues& HostValues::operator=(HostValues&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(mapped_, other.mapped_);
  std::swap(bytes_, other.bytes_);
  std::swap(values_, other.values_);
  std::swap(ahead_, other.ahead_);
  return *this;
}

}  // namespace isolume
