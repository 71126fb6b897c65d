// The priority of threads that work behind the window.
#include "app/documents/thread_priority.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <tbb/task_scheduler_observer.h>
#include <unistd.h>

namespace isolume {
namespace {

constexpr int behind = 3;  // half the share of a thread at 0: no more, or a busy machine would leave the window nothing

class PoolObserver : public tbb::task_scheduler_observer {
 public:
  PoolObserver() { observe(true); }
  void on_scheduler_entry(bool worker) override {
    if (worker) lower_thread_priority();
  }
};

}  // namespace

void lower_thread_priority() {
  // On Linux the nice value is each thread's own.
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  if (getpriority(PRIO_PROCESS, thread) < behind) setpriority(PRIO_PROCESS, thread, behind);
}

void lower_pool_priority() {
  // Never destroyed: at the end of the program threads of the pool still look at it.
  static const PoolObserver& observer = *new PoolObserver;
  static_cast<void>(observer);
}

}  // namespace isolume
