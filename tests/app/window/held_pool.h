// The thread pool held still, so that a test decides when results of work on it arrive.
#pragma once

#include <QCoreApplication>
#include <QSemaphore>
#include <QThreadPool>
#include <memory>

#include "app/window/widgets/work_pool.h"

namespace isolume::test {

/// Waits until the pool has done all that was asked for, and lets the window take the results.
inline void take_results() {
  work_pool().waitForDone();
  QCoreApplication::sendPostedEvents();
}

/// While there is one, nothing runs on the pool but what run() lets through, one after another.
class HeldPool {
 public:
  HeldPool() {
    pool_.waitForDone();
    pool_.setMaxThreadCount(1);
    first_ = gate();
    first_->reached.acquire();
  }
  ~HeldPool() {
    first_->open.release();
    if (last_) last_->open.release();
    pool_.setMaxThreadCount(threads_);
  }
  HeldPool(const HeldPool&) = delete;
  HeldPool& operator=(const HeldPool&) = delete;

  /// What is asked for from now on is held when run() has run what was asked for before.
  void hold_from_here() { last_ = gate(); }
  /// Runs up to there, and lets the window take the results.
  void run() {
    first_->open.release();
    last_->reached.acquire();
    first_ = std::move(last_);
    QCoreApplication::sendPostedEvents();
  }

 private:
  struct Gate {
    QSemaphore reached, open;
  };
  std::shared_ptr<Gate> gate() {
    auto made = std::make_shared<Gate>();
    pool_.start([made] {
      made->reached.release();
      made->open.acquire();
    });
    return made;
  }

  QThreadPool& pool_ = work_pool();
  const int threads_ = pool_.maxThreadCount();
  std::shared_ptr<Gate> first_, last_;
};

}  // namespace isolume::test
