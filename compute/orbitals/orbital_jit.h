// Kernels for orbitals compiled at run time for one basis, used where they measure faster than the general one.
#pragma once

#include <memory>
#include <string>

#include "compute/base/stream.h"
#include "compute/orbitals/orbital_plan.h"

namespace isolume {

/// When kernels compiled for a basis are used.
enum class CompiledUse {
  /// A basis that is asked for a second time is compiled in the background, on one thread. Once that is done, the two
  /// kernels take turns for a few calls, and the one with the shorter time stays.
  automatic,
  always,  ///< the first call waits for the compiler; the general kernel only where that fails. For tests, benchmarks.
  never,
};

void set_compiled_orbitals(CompiledUse use);
CompiledUse compiled_orbitals();

/// One sentence: "NVRTC 13.0: 2 kernels compiled, 1 read from /home/u/.cache/isolume/kernels, 1 faster than the general
/// one", "NVRTC (libnvrtc.so.13) is not installed", what the compiler said.
std::string compiled_orbitals_status();

/// Waits until the kernels that were ordered are compiled.
void wait_for_compiled_orbitals();

/// Forgets all that was compiled or measured in this process; waits for the compiler. Files on disk stay.
void forget_compiled_orbitals();

/// The source that is compiled for a basis, and what tells kernels apart: generator, compiler and architecture.
std::string compiled_orbital_source(const OrbitalPlan& plan, bool fine);

/// One call's part in the choice between the two kernels.
class CompiledOrbital {
 public:
  struct Entry;

  CompiledOrbital() = default;
  CompiledOrbital(std::shared_ptr<Entry> entry, int device);
  CompiledOrbital(const CompiledOrbital&) = delete;
  CompiledOrbital& operator=(const CompiledOrbital&) = delete;
  ~CompiledOrbital();

  /// As CudaApi::launch takes it; null where the general kernel's turn it is.
  const void* kernel() const { return kernel_; }
  /// Encloses the launches while the two are compared.
  void begin(const Stream& stream);
  void end(const Stream& stream);
  /// Notes the time, when all is done.
  void note(std::size_t tiles);

 private:
  std::shared_ptr<Entry> entry_;
  const void* kernel_ = nullptr;
  bool timed_ = false;
  void* events_[2] = {nullptr, nullptr};
};

/// What there is for a basis on a device, without waiting unless CompiledUse::always. Never throws.
CompiledOrbital compiled_orbital(const OrbitalPlan& plan, Device device, bool fine);

}  // namespace isolume
