// Makes threads slow to wake, so that tests that do not wait for them fail every time and not once in a hundred runs.
// Not the main thread, and not those that draw.
//
//   gcc -O1 -shared -fPIC scripts/slow_threads.c -o slow_threads.so -ldl
//   SLOW_US=40000 LD_PRELOAD=$PWD/slow_threads.so xvfb-run -a build/release/bin/test_window --gtest_filter=...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { unknown, quick, slow };
static __thread int kind = unknown;

static int kind_of_thread(void) {
  char name[32] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  const int main_thread = getpid() == syscall(SYS_gettid), draws = strstr(name, "llvmpipe") || strchr(name, ':');
  return main_thread || draws ? quick : slow;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static int (*real)(pthread_cond_t*, pthread_mutex_t*);
  if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
  const int result = real(condition, mutex);
  if (kind == unknown) kind = kind_of_thread();
  if (kind == quick) return result;
  const char* wanted = getenv("SLOW_US");
  const long microseconds = wanted ? atol(wanted) : 40000;
  const struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
  pthread_mutex_unlock(mutex);
  nanosleep(&pause, NULL);
  pthread_mutex_lock(mutex);
  return result;
}
