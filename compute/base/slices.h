// Slices: device work cut into launches short enough to cancel.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "compute/base/job.h"
#include "compute/base/stream.h"

namespace isolume {

/// Calls launch(begin, count) for consecutive parts of [0, total), waits for each but the last and checks the job
/// between them; the caller waits for the last (which saves the short computations a wait or two). The parts grow or
/// shrink towards 20 ms each, from `first` on, so that neither a slow device nor a hard problem holds up the display or
/// a cancel.
template <class Launch>
void for_slices(std::size_t total, std::size_t first, Stream& stream, Job& job, const char* what,
                const Launch& launch) {
  std::size_t slice = std::max<std::size_t>(first, 1);
  for (std::size_t begin = 0; begin < total;) {
    const std::size_t count = std::min(slice, total - begin);
    const auto start = std::chrono::steady_clock::now();
    launch(begin, count);
    if (begin + count < total) stream.synchronize(what);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    begin += count;
    job.progress(static_cast<double>(begin) / static_cast<double>(total), what);
    job.check();
    if (elapsed.count() < 0.010) slice = std::min<std::size_t>(slice * 2, std::size_t{1} << 30);
    if (elapsed.count() > 0.030) slice = std::max<std::size_t>(slice / 2, 1);
  }
}

}  // namespace isolume
