// Progress on a terminal, or as lines for a program that reads them.
#include "app/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/cli/terminal.h"

namespace isolume::cli {
namespace {

constexpr int width = 30;

bool wants_lines() {
  const char* wish = std::getenv("ISOLUME_PROGRESS");
  return wish != nullptr && std::string_view(wish) == "lines";
}

}  // namespace

ProgressJob::ProgressJob(bool quiet)
    : lines_(!quiet && wants_lines()),
      enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_),
      job_([this](double fraction, const std::string& what) { show(fraction, what); }) {}

ProgressJob::~ProgressJob() {
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

void ProgressJob::write_line(int percent, const std::string& text) {
  if (percent == percent_) return;
  percent_ = percent;
  complain(fmt::format("progress: {} % {}", percent, plain(text)));
}

void ProgressJob::show(double fraction, const std::string& what) {
  const double all = std::clamp(from_ + (to_ - from_) * fraction, 0.0, 1.0);
  const std::string text = prefix_.empty() || what.empty() ? prefix_ + what : prefix_ + ": " + what;
  if (lines_) return write_line(static_cast<int>(all * 100), text);
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - begin_ < std::chrono::milliseconds(500) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const int filled = static_cast<int>(all * width);
  const std::string bar =
      fmt::format("\r[{}{}] {:3.0f} %  {}\033[K", std::string(static_cast<std::size_t>(filled), '='),
                  std::string(static_cast<std::size_t>(width - filled), ' '), all * 100, plain(text));
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace isolume::cli
