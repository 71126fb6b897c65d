// Timing: how long each named step of a computation took, on the CPU and on CUDA devices.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace isolume {

/// Time spent under one name.
struct LaunchEntry {
  std::string name;  ///< in words: "electron density: tiles"
  double seconds = 0;
  std::size_t launches = 0;
  bool cuda = false;  ///< timed on a CUDA device, by events
};

/// Collects the named steps that the opening thread runs while it is open:
///
///     LaunchRecord record;
///     orbital(...);
///     for (const LaunchEntry& entry : record.entries()) ...
///
/// Records nest (the innermost collects, and hands its sums to the next outer one when it closes). Threads that work
/// for the same record join it with LaunchRecord::Join. CUDA launches are timed with events, which are read only when
/// entries() or the destructor asks.
class LaunchRecord {
 public:
  LaunchRecord();
  ~LaunchRecord();
  LaunchRecord(const LaunchRecord&) = delete;
  LaunchRecord& operator=(const LaunchRecord&) = delete;

  /// One entry per name in order of first use. Waits for launches that are not finished.
  std::vector<LaunchEntry> entries() const;

  /// The record that the calling thread reports to, or null.
  static LaunchRecord* current();

  /// Makes the calling thread report to `record` while it lives.
  class Join {
   public:
    explicit Join(LaunchRecord* record);
    ~Join();
    Join(const Join&) = delete;
    Join& operator=(const Join&) = delete;

   private:
    LaunchRecord* before_;
  };

  /// Adds to an entry; any thread.
  void add(const std::string& name, double seconds, std::size_t launches = 1, bool cuda = false);
  /// Takes over two events of `device` that enclose a launch.
  void add_events(const char* name, int device, void* begin, void* end);

 private:
  struct State;
  std::unique_ptr<State> state_;
  LaunchRecord* outer_;
};

/// Times a step on the CPU from construction to destruction, where a record is open.
class PhaseTimer {
 public:
  explicit PhaseTimer(const char* name) : name_(name), begin_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  const char* name_;
  std::chrono::steady_clock::time_point begin_;
};

/// Times what is put into a CUDA stream from construction to destruction, where a record is open.
class LaunchTimer {
 public:
  LaunchTimer(const char* name, int device, void* stream);
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

 private:
  const char* name_;
  int device_;
  void* stream_;
  void* begin_ = nullptr;
};

}  // namespace isolume
