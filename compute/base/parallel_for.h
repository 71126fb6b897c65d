// parallel_for: a loop over tiles on all threads that reports progress and can be cancelled.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <atomic>
#include <cstddef>
#include <thread>

#include "compute/base/job.h"

namespace isolume {

/// Calls body(i) for every i below count, in any order, on the CPU's threads. Checks the job before each call and
/// reports the fraction done from the calling thread alone. An exception of a body (or of the report) stops the loop
/// and is thrown from here.
template <class Body>
void parallel_for(std::size_t count, Job& job, const char* what, const Body& body) {
  job.check();
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<std::size_t> done{0};
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          job.check();
          body(i);
          const std::size_t finished = done.fetch_add(1, std::memory_order_relaxed) + 1;
          if (std::this_thread::get_id() == caller) {
            job.progress(static_cast<double>(finished) / static_cast<double>(count), what);
          }
        }
      },
      oneapi::tbb::auto_partitioner());
  job.check();
}

}  // namespace isolume
