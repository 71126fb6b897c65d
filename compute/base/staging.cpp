// Staging: large copies between ordinary host memory and a CUDA device, at the speed of the bus.
#include "compute/base/staging.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

#include "compute/base/stream.h"

namespace isolume {

namespace {

constexpr std::size_t least = std::size_t{1} << 20;  // bytes from which it pays
constexpr std::size_t piece = std::size_t{4} << 20;
constexpr std::size_t pieces = 6;
constexpr std::size_t small = std::size_t{1} << 20;  // of a worker, on the way to the host
constexpr std::size_t slots = 3;                     // pieces that each of them has on the way
constexpr std::size_t workers = piece * pieces / (small * slots);
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
  char* small_at(std::size_t n) const { return memory_ + n * small; }

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
  // Each worker has slots of its own, each with a stream, so that it waits for its own pieces alone.
  std::atomic<std::size_t> next{0};
  const std::size_t small_count = (bytes + small - 1) / small;
  oneapi::tbb::parallel_for(
      std::size_t{0}, std::min(workers, small_count),
      [&](std::size_t worker) {
        std::deque<Stream> streams;
        std::size_t piece_of[slots];
        const auto begin = [&](std::size_t slot) {
          const std::size_t n = piece_of[slot] = next.fetch_add(1, std::memory_order_relaxed);
          if (n >= small_count) return;
          if (slot == streams.size()) streams.emplace_back(device);
          cuda_check(api.copy(buffer.small_at(worker * slots + slot), static_cast<const char*>(from) + n * small,
                              std::min(small, bytes - n * small), direction, streams[slot].handle()),
                     what);
        };
        for (std::size_t slot = 0; slot < slots; ++slot) begin(slot);
        for (std::size_t slot = 0; piece_of[slot] < small_count; slot = (slot + 1) % slots) {
          const std::size_t n = piece_of[slot];
          streams[slot].synchronize(what);
          stream_copy(static_cast<char*>(to) + n * small, buffer.small_at(worker * slots + slot),
                      std::min(small, bytes - n * small));
          begin(slot);
        }
      },
      oneapi::tbb::simple_partitioner());
  return true;
}

}  // namespace isolume
