// Work on a thread of the pool that Cancel stops.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "molecule/base/stop.h"

namespace isolume {

/// Work for run_async() that stops once `*stop` is set (molecule/base/stop.h). Where it does, it fails, so that its end
/// is heard of.
template <class Work>
auto stoppable(std::shared_ptr<const std::atomic<bool>> stop, Work work) {
  return [stop = std::move(stop), work = std::move(work)]() mutable {
    const StopScope scope(stop.get());
    try {
      return work();
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::cancelled) throw Error(error.what());
      throw;
    }
  };
}

}  // namespace isolume
