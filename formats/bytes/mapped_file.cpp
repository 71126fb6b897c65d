// A file mapped for reading, which may shrink under us without ending the program.
#include "formats/bytes/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <mutex>

namespace isolume {
namespace {

/// What the handler looks through: a fixed table, since it may neither allocate nor lock.
struct Watch {
  std::atomic<std::uintptr_t> begin{0};  ///< 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> shrunk{false};
};
std::array<Watch, 4096> watches;
std::atomic<std::size_t> watches_used{0};  ///< the highest slot ever taken, plus one
std::mutex taking;
struct sigaction earlier {};
std::uintptr_t page_size = 4096;

void pass_on(int signal, siginfo_t* info, void* context) {
  if (earlier.sa_flags & SA_SIGINFO) {
    earlier.sa_sigaction(signal, info, context);
  } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(signal);
  } else {
    // The default action, at the access that is repeated on return.
    ::signal(signal, SIG_DFL);
  }
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const std::size_t used = watches_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    Watch& watch = watches[i];
    const std::uintptr_t begin = watch.begin.load(std::memory_order_acquire);
    if (begin == 0 || at < begin || at >= watch.end.load(std::memory_order_acquire)) continue;
    watch.shrunk.store(true, std::memory_order_release);
    // mmap is a system call and safe here; the page reads as zeros from now on.
    void* page = reinterpret_cast<void*>(at / page_size * page_size);
    if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
    errno = error;
    return;
  }
  errno = error;
  pass_on(signal, info, context);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &earlier);
  });
}

}  // namespace

std::unique_ptr<MappedFile> MappedFile::map(int descriptor, std::size_t size) {
  install_handler();
  const std::lock_guard lock(taking);
  std::size_t slot = 0;
  while (slot < watches.size() && watches[slot].begin.load(std::memory_order_relaxed) != 0) ++slot;
  if (slot == watches.size()) {
    errno = EMFILE;
    return nullptr;
  }
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) return nullptr;
  Watch& watch = watches[slot];
  watch.shrunk.store(false, std::memory_order_relaxed);
  watch.end.store(reinterpret_cast<std::uintptr_t>(address) + size, std::memory_order_release);
  watch.begin.store(reinterpret_cast<std::uintptr_t>(address), std::memory_order_release);
  if (slot >= watches_used.load(std::memory_order_relaxed)) watches_used.store(slot + 1, std::memory_order_release);
  return std::unique_ptr<MappedFile>(new MappedFile(address, size, slot));
}

MappedFile::~MappedFile() {
  const std::lock_guard lock(taking);
  munmap(address_, size_);
  watches[slot_].begin.store(0, std::memory_order_release);
}

bool MappedFile::shrunk() const {
  return watches[slot_].shrunk.load(std::memory_order_acquire);
}

}  // namespace isolume
