// CUDA that fails on purpose: every call counted, one of them made to fail, on a real device or one that is host
// memory.
#pragma once

#include <cstddef>
#include <string>

namespace isolume::test {

/// Puts tables of functions in place through which every CUDA call of the program goes, graphs included, as long as it
/// lives; one at a time. The n-th call that may fail fails with a code. What gives something back (memory, streams,
/// events, graphs) does so even then. A code that ends the context is returned by every call from then on.
class FaultyCuda {
 public:
  enum class Under {
    fake,  ///< a device that is host memory: it allocates, copies, scans and sorts, and its kernels do nothing
    real,
  };
  explicit FaultyCuda(Under under);
  ~FaultyCuda();
  FaultyCuda(const FaultyCuda&) = delete;
  FaultyCuda& operator=(const FaultyCuda&) = delete;

  /// Counts from 1 again, no call fails, no device is lost, and the fake device is as new.
  void reset();
  /// The same, and the call of that number fails. With `lasting` every allocation from there on does too, as where
  /// memory has run out.
  void arm(int call, int code, bool lasting = false);
  /// Calls since then that may have failed.
  int calls() const;
  /// The name in CudaApi of the one that failed ("copy"); empty where none has.
  std::string failed() const;

  // Of the fake device.
  static constexpr std::size_t usual_capacity = std::size_t{1} << 26;
  void set_capacity(std::size_t bytes);
  void set_devices(int count);  ///< that there are; 1 unless told
  std::size_t blocks() const;   ///< of memory that were not given back
  int streams() const;          ///< likewise
  int streams_made() const;
  int events() const;
};

/// One more call that may fail, of a table that a test puts in place itself (interop): its code, 0 for success.
int faulty_cuda_call(const char* name);

/// True while a fake device is in place, which no OpenGL knows.
bool faulty_cuda_is_fake();

/// Reads ISOLUME_TEST_FAULT, "CODE@CALL" or "CODE@CALL/fake", and lets that call fail as long as the program lives; for
/// test programs alone. Throws Error (usage) for other words.
void fail_as_environment_says();

}  // namespace isolume::test
