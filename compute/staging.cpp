// Staging: large copies between ordinary host memory and a CUDA device, at the speed of the bus.
#include "compute/staging.h"

#include <oneapi/tbb/parallel_for.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

#include "compute/stream.h"

namespace isolume {

namespace {

constexpr std::size_t least = std::size_t{1} << 20;  // bytes from which it pays
constexpr std::size_t piece = std::size_t{4} << 20;
constexpr std::size_t pieces = 6;
constexpr const char* what = "copying memory";

/// Page-locked memory for one copy at a time, taken once and kept.
class Buffer {
 public:
  Buffer() {
    {
      const std::lock_guard lock(mutex());
      if (!kept().empty()) {
        memory_ = kept().back();
        kept().pop_back();
        return;
      }
    }
    const CudaApi& api = cuda_api();
    if (!api.allocate_host || !api.release_host) return;
    void* memory = nullptr;
    if (api.allocate_host(&memory, piece * pieces) == 0) memory_ = static_cast<char*>(memory);
  }
  ~Buffer() {
    if (!memory_) return;
    const std::lock_guard lock(mutex());
    constexpr std::size_t most = 4;
    if (kept().size() < most) {
      kept().push_back(memory_);
    } else {
      cuda_api().release_host(memory_);
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  bool present() const { return memory_ != nullptr; }
  char* at(std::size_t n) const { return memory_ + n % pieces * piece; }

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static std::vector<char*>& kept() {
    static std::vector<char*> list;
    return list;
  }
  char* memory_ = nullptr;
};

/// Copies past the caches where the processor can: what comes from a device is far larger than they are, and memory
/// then need not be read before it is written.
void stream_copy(char* to, const char* from, std::size_t bytes) {
#ifdef __SSE2__
  const std::size_t head = std::min(bytes, (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + 64 <= bytes; at += 64) {
    const auto* source = reinterpret_cast<const __m128i*>(from + at);
    auto* target = reinterpret_cast<__m128i*>(to + at);
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();
  std::memcpy(to + at, from + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

template <class Copy>
void on_all_threads(char* to, const char* from, std::size_t bytes, const Copy& copy) {
  constexpr std::size_t part = std::size_t{128} << 10;
  oneapi::tbb::parallel_for(std::size_t{0}, (bytes + part - 1) / part, [&](std::size_t n) {
    copy(to + n * part, from + n * part, std::min(part, bytes - n * part));
  });
}

}  // namespace

bool staged_copy(void* to, const void* from, std::size_t bytes, CudaApi::Direction direction, Device device,
                 void* stream) {
  const CudaApi& api = cuda_api();
  if (bytes < least || !api.allocate_host) return false;
  const Buffer buffer;
  if (!buffer.present()) return false;
  const std::size_t count = (bytes + piece - 1) / piece;
  const auto size_of = [&](std::size_t n) { return std::min(piece, bytes - n * piece); };
  if (direction == CudaApi::host_to_device) {
    // The buffer is in use until then, also where something fails.
    struct Drain {
      void* stream;
      ~Drain() { cuda_api().stream_synchronize(stream); }
    };
    const Drain drain{stream};
    for (std::size_t n = 0; n < count; ++n) {
      if (n > 0 && n % pieces == 0) cuda_check(api.stream_synchronize(stream), what);
      on_all_threads(buffer.at(n), static_cast<const char*>(from) + n * piece, size_of(n), std::memcpy);
      cuda_check(api.copy(static_cast<char*>(to) + n * piece, buffer.at(n), size_of(n), direction, stream), what);
    }
    cuda_check(api.stream_synchronize(stream), what);
    return true;
  }
  cuda_check(api.stream_synchronize(stream), what);
  // Each piece of the buffer has a stream of its own, so that it can be waited for alone.
  std::deque<Stream> streams;
  for (std::size_t n = 0; n < std::min(count, pieces); ++n) streams.emplace_back(device);
  const auto begin = [&](std::size_t n) {
    cuda_check(api.copy(buffer.at(n), static_cast<const char*>(from) + n * piece, size_of(n), direction,
                        streams[n % pieces].handle()),
               what);
  };
  for (std::size_t n = 0; n < streams.size(); ++n) begin(n);
  for (std::size_t n = 0; n < count; ++n) {
    streams[n % pieces].synchronize(what);
    on_all_threads(static_cast<char*>(to) + n * piece, buffer.at(n), size_of(n), stream_copy);
    if (n + pieces < count) begin(n + pieces);
  }
  return true;
}

}  // namespace isolume
