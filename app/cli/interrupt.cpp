// Ctrl-C, SIGTERM and time limits while a command runs.
#include "app/cli/interrupt.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/terminal.h"
#include "formats/write/unfinished_file.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume::cli {
namespace {

using Clock = std::chrono::steady_clock;

// All that the handler touches. It wakes the thread that watches, which may do what a handler may not.
std::atomic<int> signals{0};
std::atomic<int> wake{-1};
std::atomic<bool> finished{false};

std::atomic<int> grace_ms{100};
std::atomic<std::int64_t> deadline_ms{0};  // of Clock, 0 for none
std::atomic<double> seconds_allowed{0};

std::mutex mutex;

std::list<std::function<void()>>& undoings() {
  static std::list<std::function<void()>> all;
  return all;
}

std::vector<Job*>& jobs() {
  static std::vector<Job*> all;
  return all;
}

void wake_watch() {
  const std::uint64_t one = 1;
  if (::write(wake, &one, sizeof(one)) < 0) return;  // full: it is awake
}

extern "C" void on_signal(int) {
  const int error = errno;
  ++signals;
  stop_everything = true;
  wake_watch();
  errno = error;
}

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
}

[[noreturn]] void end(int code, const std::string& message) {
  {
    const std::lock_guard lock(mutex);
    for (const auto& undo : undoings()) undo();
    undoings().clear();
  }
  remove_unfinished_files();
  const std::string clear_line = "\r\033[K";
  if (isatty(STDERR_FILENO) == 1 && ::write(STDERR_FILENO, clear_line.data(), clear_line.size()) < 0) _exit(code);
  complain(message);
  _exit(code);
}

/// Sleeps until something is written to `wake`, or for so long; -1: for ever.
void sleep_until_woken(std::int64_t milliseconds) {
  pollfd watched{wake, POLLIN, 0};
  const int most = static_cast<int>(std::min<std::int64_t>(milliseconds, 1'000'000));
  if (::poll(&watched, 1, most) <= 0) return;
  std::uint64_t count = 0;
  if (::read(wake, &count, sizeof(count)) < 0) return;
}

void watch() {
  std::int64_t signalled = 0;
  while (!finished) {
    const std::int64_t now = now_ms();
    const int seen = signals;
    if (seen > 0 && signalled == 0) {
      signalled = now;
      const std::lock_guard lock(mutex);
      for (Job* job : jobs()) job->cancel();
    }
    if (seen > 1 || (seen > 0 && now - signalled >= grace_ms)) end(130, "isolume: cancelled");
    if (deadline_ms > 0 && now >= deadline_ms)
      end(1, fmt::format("isolume: not done after {:g} seconds (--time-limit)", seconds_allowed.load()));
    std::int64_t sleep = -1;
    if (seen > 0) sleep = signalled + grace_ms - now;
    if (deadline_ms > 0) sleep = sleep < 0 ? deadline_ms - now : std::min<std::int64_t>(sleep, deadline_ms - now);
    sleep_until_woken(sleep);
  }
}

std::thread watcher;

}  // namespace

Interrupt::Interrupt() {
  wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) throw Error("no event for signals can be made");
  finished = false;
  // The thread inherits that signals are blocked, so that the others get them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher = std::thread(watch);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    // What the caller ignores (nohup, a shell's background job) stays ignored.
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == on_signal) std::signal(signal, SIG_DFL);
  }
  finished = true;
  wake_watch();
  watcher.join();
  ::close(wake.exchange(-1));
  stop_everything = false;
  signals = 0;
  deadline_ms = 0;
}

bool Interrupt::requested() {
  return signals > 0;
}

void Interrupt::allow(std::chrono::milliseconds grace) {
  grace_ms = static_cast<int>(grace.count());
  if (wake >= 0) wake_watch();
}

void Interrupt::limit_time(double seconds) {
  if (!(seconds > 0)) return;
  seconds_allowed = seconds;
  deadline_ms = now_ms() + static_cast<std::int64_t>(seconds * 1000);
  if (wake >= 0) wake_watch();
}

CancelOnSignal::CancelOnSignal(Job& job) : job_(job) {
  const std::lock_guard lock(mutex);
  jobs().push_back(&job);
  if (Interrupt::requested()) job.cancel();
}

CancelOnSignal::~CancelOnSignal() {
  const std::lock_guard lock(mutex);
  std::erase(jobs(), &job_);
}

AtForcedEnd::AtForcedEnd(std::function<void()> undo) {
  const std::lock_guard lock(mutex);
  place_ = undoings().insert(undoings().end(), std::move(undo));
}

AtForcedEnd::~AtForcedEnd() {
  const std::lock_guard lock(mutex);
  undoings().erase(place_);
}

}  // namespace isolume::cli
