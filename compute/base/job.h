// Job: progress out, cancel in.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "molecule/base/error.h"

namespace isolume {

/// What every long computation takes: it reports progress through it and stops soon (a tile at most, well under 200 ms)
/// after it is cancelled. One job belongs to one computation; cancel() may be called from any thread.
class Job {
 public:
  Job() = default;
  /// `report` is called from the computing thread with a fraction 0 to 1 and a phrase ("electron density").
  explicit Job(std::function<void(double, const std::string&)> report) : report_(std::move(report)) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  /// Throws Error (cancelled) after cancel(). Bodies call it once a tile.
  void check() const {
    if (cancelled()) throw Error("cancelled", Error::Kind::cancelled);
  }
  void progress(double fraction, const std::string& what = {}) {
    if (report_) report_(fraction, what);
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::function<void(double, const std::string&)> report_;
};

}  // namespace isolume
