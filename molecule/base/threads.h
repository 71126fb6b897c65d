// Work in parts on all threads of the processor, for rooms that have nothing but the standard library.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace isolume {

/// The most threads that on_threads() uses, 0 for those of the processor; compute's set_thread_count() sets it.
inline std::atomic<unsigned> thread_limit{0};

/// Calls body(i) for every i below `count`, in any order, on the caller's thread and as many others as there are
/// processors, or as can be started. The first exception of a body ends the others' loops and is thrown from here.
template <class Body>
void on_threads(std::size_t count, const Body& body) {
  const unsigned limit = thread_limit.load();
  const std::size_t threads =
      std::min<std::size_t>(count, limit > 0 ? limit : std::clamp(std::thread::hardware_concurrency(), 1u, 64u));
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr fault;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!fault) fault = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
    } catch (const std::system_error&) {
      // Where no more threads can be had, those that there are do the work.
    }
    work();
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace isolume
