// A flexible fit that runs: its frames so far, and how it is stopped.
#include "app/window/maps/flexible_fit_run.h"

#include <utility>

#include "compute/base/device_fault.h"
#include "molecule/base/error.h"

namespace isolume {

FlexibleFitRun::State FlexibleFitRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::shared_ptr<const Trajectory> FlexibleFitRun::frames() const {
  const std::lock_guard lock(mutex_);
  return kept_.trajectory();
}

bool FlexibleFitRun::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

void FlexibleFitRun::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  job_.cancel();
}

void FlexibleFitRun::add(FlexibleFitSample sample) {
  const std::lock_guard lock(mutex_);
  sample.frame.time = sample.time;
  sample.frame.has_time = true;
  kept_.add(std::move(sample.frame));
  ++state_.samples;
  state_.times.push_back(sample.time);
  state_.correlations.push_back(sample.correlation);
}

void FlexibleFitRun::begin_again() {
  const std::lock_guard lock(mutex_);
  kept_ = KeptFrames(most_bytes_);
  state_ = {};
}

void FlexibleFitRun::run(const FlexibleFitInput& input, const FlexibleFitOptions& options, Job& progress) {
  try {
    on_device_or_another(
        options.device,
        [&](Device on) {
          FlexibleFitOptions here = options;
          here.device = on;
          flexible_fit(input, here, job_, [&](FlexibleFitSample sample) {
            progress.check();
            progress.progress(sample.time / options.length);
            add(std::move(sample));
          });
        },
        [this](const DeviceFault&, Device) { begin_again(); });  // whoever computes next says so
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::cancelled || progress.cancelled() || !stopped() || state().samples == 0) throw;
  }
}

}  // namespace isolume
