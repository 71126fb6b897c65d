// The worker that computes fields: a thread, the requests that wait, and the one that runs.
#include "app/fields/field_queue.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "app/documents/thread_priority.h"
#include "app/fields/field_memory.h"
#include "compute/base/device_fault.h"
#include "molecule/base/error.h"

namespace isolume {

struct FieldQueue::Worker {
  Callbacks callbacks;
  std::unique_ptr<GlContext> context;

  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<FieldRequest> waiting;  // at most one per field, oldest first
  Job* running = nullptr;
  std::size_t running_field = 0;
  bool stop = false;

  std::thread thread;  // last: it uses everything above

  void run() {
    lower_thread_priority();
    std::unique_ptr<GlShare> share;
    FieldMemory memory;
    Device share_device;
    if (context) {
      try {
        context->make_current();
      } catch (const std::exception&) {
        context.reset();  // results come as meshes then
      }
    }
    while (true) {
      FieldRequest request;
      Job job([&](double fraction, const std::string& what) { report(what, fraction); });
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop || !waiting.empty(); });
        if (stop) break;
        request = std::move(waiting.front());
        waiting.pop_front();
        running = &job;
        running_field = request.field_index;
      }
      FieldResult result;
      bool cancelled = false;
      bool again = false;
      const auto compute = [&](Device device) {
        request.device = device;
        if (context && (!share || share_device != device)) {
          share.reset();
          share = create_gl_share(device);
          share_device = device;
        }
        return compute_field(request, share.get(), job, &memory);
      };
      // Nothing that the failed device has is used again.
      const auto give_up = [&](const DeviceFault& fault, Device next) {
        memory.clear();
        share.reset();
        again = true;
        if (callbacks.device_failed) callbacks.device_failed(fault.what(), fault.lost(), next);
        report("computing again on " + to_string(next), 0);
      };
      try {
        result = on_device_or_another(request.device, compute, give_up);
        if (again) result.summary += "; computed on " + to_string(request.device) + " after a device fault";
      } catch (const Error& error) {
        cancelled = error.kind() == Error::Kind::cancelled;
        result.error = error.what();
      } catch (const std::exception& error) {
        result.error = error.what();
      }
      result.number = request.number;
      result.field_index = request.field_index;
      bool idle = false;
      {
        const std::lock_guard lock(mutex);
        running = nullptr;
        idle = waiting.empty();
        // Cancelled after the last check of the computation: the result is not wanted either.
        cancelled = cancelled || job.cancelled();
      }
      if (!cancelled && callbacks.finished) callbacks.finished(std::move(result));
      if (idle) report({}, 1);
    }
    share.reset();
    if (context) context->done_current();
  }

  void report(const std::string& what, double fraction) const {
    if (callbacks.progress) callbacks.progress(what, fraction);
  }
};

FieldQueue::FieldQueue(Callbacks callbacks, std::unique_ptr<GlContext> context) : worker_(std::make_unique<Worker>()) {
  worker_->callbacks = std::move(callbacks);
  worker_->context = std::move(context);
  worker_->thread = std::thread([worker = worker_.get()] { worker->run(); });
}

FieldQueue::~FieldQueue() {
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->stop = true;
    worker_->waiting.clear();
    if (worker_->running) worker_->running->cancel();
  }
  worker_->wake.notify_one();
  worker_->thread.join();
}

void FieldQueue::submit(FieldRequest request) {
  {
    const std::lock_guard lock(worker_->mutex);
    if (worker_->running && worker_->running_field == request.field_index) worker_->running->cancel();
    auto& waiting = worker_->waiting;
    const auto same = std::find_if(waiting.begin(), waiting.end(),
                                   [&](const FieldRequest& r) { return r.field_index == request.field_index; });
    if (same != waiting.end()) {
      *same = std::move(request);
    } else {
      waiting.push_back(std::move(request));
    }
  }
  worker_->wake.notify_one();
}

void FieldQueue::cancel_all() {
  const std::lock_guard lock(worker_->mutex);
  worker_->waiting.clear();
  if (worker_->running) worker_->running->cancel();
}

void FieldQueue::cancel(std::size_t field_index) {
  const std::lock_guard lock(worker_->mutex);
  std::erase_if(worker_->waiting, [&](const FieldRequest& waiting) { return waiting.field_index == field_index; });
  if (worker_->running && worker_->running_field == field_index) worker_->running->cancel();
}

bool FieldQueue::busy() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->running || !worker_->waiting.empty();
}

}  // namespace isolume
