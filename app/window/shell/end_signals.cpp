// SIGTERM, SIGINT and SIGHUP as a signal of Qt.
#include "app/window/shell/end_signals.h"

#include <sys/eventfd.h>
#include <unistd.h>
#include <QSocketNotifier>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "molecule/base/stop.h"

namespace isolume {
namespace {

std::atomic<int> wake{-1};
constexpr int handled[] = {SIGTERM, SIGINT, SIGHUP};

extern "C" void on_end_signal(int signal) {
  const int error = errno;
  stop_everything = true;
  const std::uint64_t one = 1;
  if (::write(wake, &one, sizeof(one)) < 0) _exit(128 + signal);
  std::signal(signal, SIG_DFL);  // the next one ends the program
  errno = error;
}

}  // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
  wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return;
  notifier_ = new QSocketNotifier(wake, QSocketNotifier::Read, this);
  connect(notifier_, &QSocketNotifier::activated, this, [this] {
    notifier_->setEnabled(false);
    Q_EMIT asked();
  });
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : handled) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    std::signal(signal, on_end_signal);
  }
}

EndSignals::~EndSignals() {
  for (const int signal : handled) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == on_end_signal) std::signal(signal, SIG_DFL);
  }
  stop_everything = false;
  ::close(wake.exchange(-1));
}

}  // namespace isolume
