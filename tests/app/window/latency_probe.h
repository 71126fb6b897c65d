// How long events wait in the loop of the window.
#pragma once

#include <QEventLoop>
#include <QObject>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace isolume::test {

/// Posts an event to the window's thread every few milliseconds and notes how long each waited. From a thread of its
/// own, so that a busy event loop is seen, not skipped.
class LatencyProbe : public QObject {
  using Clock = std::chrono::steady_clock;

 public:
  LatencyProbe()
      : thread_([this] {
          std::unique_lock lock(mutex_);
          while (!stop_) {
            const auto sent = Clock::now();
            QMetaObject::invokeMethod(
                this,
                [this, sent] {
                  latencies_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
                  if (latencies_.size() == wanted_) loop_.quit();
                },
                Qt::QueuedConnection);
            wake_.wait_for(lock, std::chrono::milliseconds(3));
          }
        }) {}
  ~LatencyProbe() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  /// Runs the event loop, and nothing else, until so many events have come.
  void run(std::size_t count) {
    wanted_ = count;
    loop_.exec();
  }
  std::size_t count() const { return latencies_.size(); }
  double quantile(double q) const {
    std::vector<double> sorted = latencies_;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0
                          : sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(q * double(sorted.size())))];
  }

 private:
  std::vector<double> latencies_;
  std::size_t wanted_ = 0;
  QEventLoop loop_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace isolume::test
