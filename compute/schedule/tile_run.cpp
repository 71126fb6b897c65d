// Runs a computation made of tiles: a thread a worker, and the caller's, which watches over them.
#include "compute/schedule/tile_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/memory_error.h"
#include "compute/base/timing.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> names_of(std::span<TileWorker* const> workers) {
  std::vector<std::string> names;
  for (const TileWorker* worker : workers) names.push_back(worker->name());
  return names;
}

struct Fault {
  TileFault kind = TileFault::failed;
  std::string why;
  bool cancelled = false;  ///< no fault: it was told to stop
  bool of_request = false;
  std::optional<DeviceFault> device = {};  ///< where a CUDA device failed
};

// To be called while an exception is handled.
Fault fault_of(TileWorker& worker) {
  try {
    throw;
  } catch (const MemoryError& error) {
    return {TileFault::memory, error.what()};
  } catch (const std::bad_alloc&) {
    return {TileFault::memory, "out of memory"};
  } catch (const DeviceFault& error) {
    const bool memory = error.code() == cuda_api().out_of_memory;
    const TileFault kind = error.lost() ? TileFault::lost : memory ? TileFault::memory : TileFault::failed;
    return {kind, error.what(), false, false, error};
  } catch (const Error& error) {
    const Error::Kind kind = error.kind();
    if (kind == Error::Kind::cancelled) return {TileFault::failed, error.what(), true};
    if (kind == Error::Kind::usage || kind == Error::Kind::input) return {TileFault::failed, error.what(), false, true};
    return {worker.lost() ? TileFault::lost : TileFault::failed, error.what()};
  } catch (const std::exception& error) {
    return {worker.lost() ? TileFault::lost : TileFault::failed, error.what()};
  }
}

TileReport report_of(const TileBook& book) {
  TileReport report;
  report.workers = book.records();
  for (const WorkerRecord& record : report.workers) report.tiles += record.tiles;
  return report;
}

class Run {
 public:
  Run(const TilePlan& plan, std::span<TileWorker* const> workers, const std::string& what, Job& job)
      : plan_(plan), workers_(workers), what_(what), job_(job), book_(plan, names_of(workers)), hands_(workers.size()) {
    for (std::size_t i = 0; i < workers.size(); ++i) book_.limit(i, workers[i]->most());
  }

  TileReport alone();
  TileReport together();

 private:
  // What a worker has in hand.
  struct Hand {
    std::unique_ptr<Job> job;
    std::optional<TileBook::Attempt> attempt;
    std::atomic<double> fraction{0};
  };

  double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double part(std::size_t parts) const { return static_cast<double>(parts) / static_cast<double>(plan_.parts); }
  bool over() const { return ended_ || book_.complete() || book_.stuck(); }
  void work(std::size_t i);
  bool begin(std::size_t i);
  bool make(std::size_t i, const TileBook::Attempt& attempt);
  std::unique_ptr<Job> job_of(std::size_t i);
  void watch(std::unique_lock<std::mutex>& lock);
  void stop(std::exception_ptr error);
  std::string progress_in_words() const;

  const TilePlan& plan_;
  std::span<TileWorker* const> workers_;
  const std::string& what_;
  Job& job_;
  const Clock::time_point begin_ = Clock::now();

  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  TileBook book_;
  std::vector<Hand> hands_;
  bool ended_ = false;
  std::size_t at_work_ = 0;  ///< threads
  std::exception_ptr error_;
  std::optional<DeviceFault> device_fault_;  ///< the last one of a CUDA device
  double reached_ = 0;
};

TileReport Run::alone() {
  TileWorker& worker = *workers_.front();
  worker.prepare(job_);
  book_.prepared(0, now());
  while (!book_.complete()) {
    job_.check();
    const TileBook::Attempt attempt = *book_.take(0, now());
    try {
      const std::size_t before = book_.done_parts();
      JobPart tile(job_, part(before), part(before + attempt.tile.size()));
      worker.compute(attempt.tile, tile);
      job_.check();
      book_.claim(attempt);
      worker.hand_over(attempt.tile);
    } catch (...) {
      const Fault fault = fault_of(worker);
      if (fault.kind != TileFault::memory || attempt.tile.size() == 1) throw;
      book_.failed(attempt, fault.kind, fault.why, now());
      continue;
    }
    book_.done(attempt, now());
  }
  return report_of(book_);
}

std::unique_ptr<Job> Run::job_of(std::size_t i) {
  auto job = std::make_unique<Job>([this, i](double fraction, const std::string&) {
    hands_[i].fraction = std::clamp(fraction, 0.0, 1.0);
    if (job_.cancelled()) throw Error("cancelled", Error::Kind::cancelled);
  });
  return job;
}

void Run::stop(std::exception_ptr error) {
  if (!error_) error_ = error;
  ended_ = true;
}

// False where the worker cannot take part.
bool Run::begin(std::size_t i) {
  Job* job = nullptr;
  const double since = now();
  {
    const std::lock_guard lock(mutex_);
    hands_[i].job = job_of(i);
    job = hands_[i].job.get();
  }
  bool ready = false;
  std::optional<Fault> fault;
  std::exception_ptr error;
  try {
    workers_[i]->prepare(*job);
    ready = true;
  } catch (...) {
    error = std::current_exception();
    fault = fault_of(*workers_[i]);
  }
  const std::lock_guard lock(mutex_);
  hands_[i].job.reset();
  book_.prepared(i, now() - since);
  if (fault && fault->device) device_fault_ = fault->device;
  if (fault && fault->of_request) stop(error);
  if (fault && !fault->cancelled) book_.retire(i, fault->why);
  return ready;
}

// Computes a tile and hands it over; false where that did not come about.
bool Run::make(std::size_t i, const TileBook::Attempt& attempt) {
  TileWorker& worker = *workers_[i];
  std::optional<Fault> fault;
  std::exception_ptr error;
  bool given = false;
  try {
    worker.compute(attempt.tile, *hands_[i].job);
    if (!worker.right(attempt.tile)) {
      fault = Fault{TileFault::wrong, "the spot check found wrong values"};
    } else {
      bool first = false;
      {
        const std::lock_guard lock(mutex_);
        first = !ended_ && book_.claim(attempt);
      }
      if (first) worker.hand_over(attempt.tile);
      given = first;
    }
  } catch (...) {
    error = std::current_exception();
    fault = fault_of(worker);
    given = false;
  }
  const std::lock_guard lock(mutex_);
  hands_[i].job.reset();
  hands_[i].attempt.reset();
  hands_[i].fraction = 0;
  if (fault && fault->device) device_fault_ = fault->device;
  if (given) {
    book_.done(attempt, now());
  } else if (!fault || fault->cancelled) {
    book_.dropped(attempt, now());
  } else {
    book_.failed(attempt, fault->kind, fault->why, now());
    if (fault->of_request) stop(error);
  }
  return given;
}

void Run::work(std::size_t i) {
  if (begin(i)) {
    for (;;) {
      std::optional<TileBook::Attempt> attempt;
      {
        std::unique_lock lock(mutex_);
        if (over() || book_.records()[i].retired) break;
        attempt = book_.take(i, now());
        if (!attempt) {
          changed_.wait_for(lock, std::chrono::milliseconds(5));
          continue;
        }
        hands_[i].attempt = attempt;
        hands_[i].fraction = 0;
        hands_[i].job = job_of(i);
      }
      make(i, *attempt);
      changed_.notify_all();
    }
  }
  const std::lock_guard lock(mutex_);
  --at_work_;
  changed_.notify_all();
}

std::string Run::progress_in_words() const {
  std::string text = what_ + " (";
  for (std::size_t i = 0; i < workers_.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", book_.records()[i].name, book_.records()[i].tiles);
  return text + " tiles)";
}

// Until all threads are at their end: passes a cancel on, tells those who were overtaken, reports progress.
void Run::watch(std::unique_lock<std::mutex>& lock) {
  while (at_work_ > 0) {
    if (job_.cancelled()) ended_ = true;
    const bool end = over();
    double parts = static_cast<double>(book_.done_parts());
    for (Hand& hand : hands_) {
      if (!hand.job) continue;
      if (end || (hand.attempt && !book_.wanted(*hand.attempt))) hand.job->cancel();
      if (hand.attempt) parts += hand.fraction * static_cast<double>(hand.attempt->tile.size());
    }
    const double fraction = std::min(1.0, parts / static_cast<double>(plan_.parts));
    const bool further = !end && fraction > reached_;
    if (further) {
      reached_ = fraction;
      const std::string words = progress_in_words();
      lock.unlock();
      try {
        job_.progress(fraction, words);
      } catch (...) {
        lock.lock();
        stop(std::current_exception());
        continue;
      }
      lock.lock();
    }
    changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
}

TileReport Run::together() {
  LaunchRecord* const record = LaunchRecord::current();
  {
    std::vector<std::jthread> threads;
    std::unique_lock lock(mutex_);
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      threads.emplace_back([this, i, record] {
        const LaunchRecord::Join join(record);
        work(i);
      });
      ++at_work_;
    }
    watch(lock);
    lock.unlock();
  }
  if (error_) std::rethrow_exception(error_);
  job_.check();
  if (!book_.complete()) {
    const std::string words = fmt::format("{}: {}", what_, book_.missing_in_words());
    // Another device, at last the CPU, may do what these could not.
    if (device_fault_) throw DeviceFault(words, device_fault_->device(), device_fault_->code(), device_fault_->lost());
    throw Error(words);
  }
  return report_of(book_);
}

}  // namespace

bool is_gone(Device device) {
  if (!device.is_cuda()) return false;
  try {
    available_memory(device);
    return false;
  } catch (const Error&) {
    return true;
  }
}

TileReport run_tiles(const TilePlan& plan, std::span<TileWorker* const> workers, const std::string& what, Job& job) {
  if (workers.empty()) throw Error(what + ": there is no device to compute it", Error::Kind::usage);
  job.check();
  if (plan.parts == 0) return report_of(TileBook(plan, names_of(workers)));
  Run run(plan, workers, what, job);
  return workers.size() == 1 ? run.alone() : run.together();
}

}  // namespace isolume
