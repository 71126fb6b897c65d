// Progress on a terminal, and Ctrl-C.
#include "app/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

namespace isolume::cli {
namespace {

std::atomic<Job*> active{nullptr};
static_assert(std::atomic<Job*>::is_always_lock_free);

extern "C" void on_signal(int) {
  Job* job = active.exchange(nullptr);
  if (!job) _exit(130);
  job->cancel();
}

constexpr int width = 30;

}  // namespace

ProgressJob::ProgressJob(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_),
      job_([this](double fraction, const std::string& what) { show(fraction, what); }) {
  active.store(&job_);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

ProgressJob::~ProgressJob() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  active.store(nullptr);
  clear();
}

void ProgressJob::part(double from, double to, std::string prefix) {
  from_ = from;
  to_ = to;
  prefix_ = std::move(prefix);
}

void ProgressJob::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressJob::show(double fraction, const std::string& what) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - begin_ < std::chrono::milliseconds(500) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double all = std::clamp(from_ + (to_ - from_) * fraction, 0.0, 1.0);
  const int filled = static_cast<int>(all * width);
  const std::string text = prefix_.empty() || what.empty() ? prefix_ + what : prefix_ + ": " + what;
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  {}\033[K", std::string(static_cast<std::size_t>(filled), '='),
             std::string(static_cast<std::size_t>(width - filled), ' '), all * 100, text);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace isolume::cli
