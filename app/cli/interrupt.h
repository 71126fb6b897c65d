// Ctrl-C, SIGTERM and time limits while a command runs.
#pragma once

#include <chrono>
#include <functional>
#include <list>

#include "compute/base/job.h"

namespace isolume::cli {

/// While it lives, SIGINT and SIGTERM ask everything to stop (molecule/base/stop.h). What has not ended by itself
/// shortly afterwards, or before a second signal, is ended: unfinished files are removed, and the exit code is 130.
/// SIGPIPE and SIGXFSZ are ignored, so that writing fails with a reason. One in a program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Whether a signal has come.
  static bool requested();
  /// How long the work may go on after a signal; 100 ms unless told. For runs that keep what they have so far.
  static void allow(std::chrono::milliseconds grace);
  /// Ends the program with exit code 1 and a message once so many seconds have passed since now.
  static void limit_time(double seconds);
};

/// While it lives, a signal cancels the job.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(Job& job);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

 private:
  Job& job_;
};

/// Clean-up where the program is ended without its destructors, from construction to destruction. `undo` is
/// called on a thread of its own.
class AtForcedEnd {
 public:
  explicit AtForcedEnd(std::function<void()> undo);
  ~AtForcedEnd();
  AtForcedEnd(const AtForcedEnd&) = delete;
  AtForcedEnd& operator=(const AtForcedEnd&) = delete;

 private:
  std::list<std::function<void()>>::iterator place_;
};

}  // namespace isolume::cli
