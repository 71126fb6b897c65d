// Timing: how long each named step of a computation took, on the CPU and on CUDA devices.
#include "compute/base/timing.h"

#include <mutex>

#include "compute/base/cuda_api.h"

namespace isolume {

namespace {
thread_local LaunchRecord* current_record = nullptr;
}

struct LaunchRecord::State {
  struct Pending {
    const char* name;
    int device;
    void* begin;
    void* end;
  };
  std::mutex mutex;
  std::vector<LaunchEntry> entries;
  std::vector<Pending> pending;

  void add(const std::string& name, double seconds, std::size_t launches, bool cuda) {
    for (LaunchEntry& entry : entries) {
      if (entry.name != name || entry.cuda != cuda) continue;
      entry.seconds += seconds;
      entry.launches += launches;
      return;
    }
    entries.push_back({name, seconds, launches, cuda});
  }

  /// Reads the events that are waiting; a device that failed leaves its launches with no time.
  void resolve() {
    const CudaApi& api = cuda_api();
    for (const Pending& p : pending) {
      double seconds = 0;
      int before = 0;
      const bool moved = api.get_device(&before) == 0 && before != p.device && api.set_device(p.device) == 0;
      if (api.event_seconds(&seconds, p.begin, p.end) != 0) seconds = 0;
      api.event_destroy(p.begin);
      api.event_destroy(p.end);
      if (moved) api.set_device(before);
      add(p.name, seconds, 1, true);
    }
    pending.clear();
  }
};

LaunchRecord::LaunchRecord() : state_(std::make_unique<State>()), outer_(current_record) {
  current_record = this;
}

LaunchRecord::~LaunchRecord() {
  state_->resolve();
  current_record = outer_;
  if (!outer_) return;
  for (const LaunchEntry& entry : state_->entries) outer_->add(entry.name, entry.seconds, entry.launches, entry.cuda);
}

std::vector<LaunchEntry> LaunchRecord::entries() const {
  const std::lock_guard lock(state_->mutex);
  state_->resolve();
  return state_->entries;
}

LaunchRecord* LaunchRecord::current() {
  return current_record;
}

LaunchRecord::Join::Join(LaunchRecord* record) : before_(current_record) {
  current_record = record;
}

LaunchRecord::Join::~Join() {
  current_record = before_;
}

void LaunchRecord::add(const std::string& name, double seconds, std::size_t launches, bool cuda) {
  const std::lock_guard lock(state_->mutex);
  state_->add(name, seconds, launches, cuda);
}

void LaunchRecord::add_events(const char* name, int device, void* begin, void* end) {
  const std::lock_guard lock(state_->mutex);
  state_->pending.push_back({name, device, begin, end});
  // Events are a limited resource: a film of thousands of launches reads them as it goes.
  if (state_->pending.size() >= 1024) state_->resolve();
}

PhaseTimer::~PhaseTimer() {
  if (LaunchRecord* record = LaunchRecord::current()) {
    record->add(name_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
  }
}

LaunchTimer::LaunchTimer(const char* name, int device, void* stream) : name_(name), device_(device), stream_(stream) {
  if (!LaunchRecord::current()) return;
  const CudaApi& api = cuda_api();
  if (api.event_create(&begin_) != 0) {
    begin_ = nullptr;
  } else if (api.event_record(begin_, stream_) != 0) {
    api.event_destroy(begin_);
    begin_ = nullptr;
  }
}

LaunchTimer::~LaunchTimer() {
  if (!begin_) return;
  const CudaApi& api = cuda_api();
  void* end = nullptr;
  if (api.event_create(&end) == 0 && api.event_record(end, stream_) == 0) {
    LaunchRecord::current()->add_events(name_, device_, begin_, end);
    return;
  }
  if (end) api.event_destroy(end);
  api.event_destroy(begin_);
}

}  // namespace isolume
