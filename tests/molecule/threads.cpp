// Work in parts on threads.
#include "molecule/base/threads.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace isolume {
namespace {

// Where memory for the stack of another thread cannot be had (ulimit -v), the caller's thread does all parts.
TEST(OnThreads, DoTheWorkWhereNoMoreCanBeStarted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take addresses of their own";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto work = [] {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t now = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{1} << 20);
    const rlimit addresses{now, now};
    setrlimit(RLIMIT_AS, &addresses);
    thread_limit = 8;
    std::atomic<std::size_t> sum{0};
    try {
      on_threads(100, [&](std::size_t i) { sum += i; });
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(sum == 4950 ? 0 : 2);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace isolume
