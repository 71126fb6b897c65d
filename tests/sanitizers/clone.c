// Qt starts programs by clone() with shared memory. The thread sanitizer of GCC 13 takes that for a fork and ends the
// program with "CHECK failed: tsan_rtl.cpp". Loaded before the sanitizer, this hands the call to the C library at once.
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>

extern int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);

int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
  va_list rest;
  va_start(rest, argument);
  void* parent_id = va_arg(rest, void*);
  void* storage = va_arg(rest, void*);
  void* child_id = va_arg(rest, void*);
  va_end(rest);
  return __clone(function, stack, flags, argument, parent_id, storage, child_id);
}
