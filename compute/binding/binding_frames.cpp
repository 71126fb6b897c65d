// Binding energies of many frames, several of them at once.
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "compute/base/device.h"
#include "compute/base/job_part.h"
#include "compute/base/timing.h"
#include "compute/binding/binding.h"

namespace isolume {

void evaluate_frames(Binding& binding, std::size_t count, std::size_t at_once,
                     const std::function<std::vector<glm::vec3>(std::size_t)>& positions,
                     const std::function<void(std::size_t, BindingFrame&&)>& take, Job& job) {
  const std::size_t lanes = std::clamp<std::size_t>(at_once, 1, std::max<std::size_t>(count, 1));
  const int threads = std::max(1, thread_count() / static_cast<int>(lanes));
  std::vector<Binding::Starts> starts(lanes);
  LaunchRecord* const record = LaunchRecord::current();
  const auto share = [count](std::size_t frame) { return static_cast<double>(frame) / static_cast<double>(count); };
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = std::min(lanes, count - first);
    std::vector<BindingFrame> frames(used);
    std::vector<std::exception_ptr> failed(used);
    const auto compute = [&](std::size_t lane, Job& part) {
      try {
        frames[lane] = binding.evaluate(positions(first + lane), starts[lane], part);
      } catch (...) {
        failed[lane] = std::current_exception();
      }
    };
    JobPart own(job, share(first), share(first + used));
    if (used == 1) {
      compute(0, own);
    } else {
      std::vector<std::jthread> others;
      for (std::size_t lane = 0; lane < used; ++lane) {
        if (lane == 0) continue;
        others.emplace_back([&, lane] {
          const LaunchRecord::Join join(record);
          JobPart part(job);
          oneapi::tbb::task_arena(threads).execute([&] { compute(lane, part); });
        });
      }
      oneapi::tbb::task_arena(threads).execute([&] { compute(0, own); });
    }
    for (const std::exception_ptr& fault : failed)
      if (fault) std::rethrow_exception(fault);
    for (std::size_t lane = 0; lane < used; ++lane) take(first + lane, std::move(frames[lane]));
  }
}

}  // namespace isolume
