// Computations on a device that is host memory, with each call of CUDA failing in turn; needs no GPU.
#include <cstring>
#include <memory>
#include <optional>

#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_jit.h"
#include "tests/compute/base/devices.h"
#include "tests/support/faulty_cuda.h"

namespace isolume {
namespace {

using namespace test;

class CudaFailures : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    // In a build without CUDA there are no bodies that could fail.
    if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA";
    cuda_.emplace(FaultyCuda::Under::fake);
    kept_ = cuda_->blocks();
    // A compiled kernel would come at a time of its own.
    set_compiled_orbitals(CompiledUse::never);
  }
  void TearDown() override {
    cuda_.reset();
    set_compiled_orbitals(CompiledUse::automatic);
  }

  std::optional<FaultyCuda> cuda_;
  std::size_t kept_ = 0;  ///< page-locked buffers of an earlier test, which the process keeps
};

/// The computations, each with its memory, on the fake device.
void compute(int which) {
  const Device device = Device::cuda();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {20, 10, 10});
  Job job;
  DeviceArray<float> values(grid.size(), device, "values");
  cuda_check(cuda_api().set_bytes(values.data(), 0, grid.size() * sizeof(float), nullptr), "values");
  switch (which) {
    case 0: {
      const std::vector<PointCharge> charges(100, PointCharge{{1, 2, 3}, 1});
      return direct_potential(charges, grid, values.span(), job);
    }
    case 1: {
      const std::vector<DensityAtom> atoms(100, DensityAtom{{1, 2, 3}, 1.5f, {1, 1, 1}});
      DeviceArray<glm::vec3> colours(grid.size(), device, "colours");
      return gaussian_density(atoms, grid, {}, values.span(), colours.span(), job);
    }
    case 2: {
      const Mesh mesh = marching_cubes(values.span(), grid, {}, {}, job);
      EXPECT_TRUE(mesh.positions.empty());
      return;
    }
    default: {
      Basis basis;
      basis.shells.resize(1);
      basis.shells[0].exponents = {1.0};
      basis.shells[0].coefficients = {1.0};
      Orbitals orbitals;
      orbitals.basis = std::make_shared<const Basis>(basis);
      orbitals.centres = {{1, 1, 1}};
      orbitals.orbitals.resize(8);
      orbitals.orbitals[0].occupation = 2;
      orbitals.coefficients.assign(8, 1.0);
      if (which == 4) return electron_density(orbitals, DensityKind::electron, grid, values.span(), job);
      if (which == 5) {
        const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6, 7};
        const Grid small = make_grid({0, 0, 0}, {1, 1, 1}, {10, 5, 5});
        return orbital_amplitudes(orbitals, all, small, values.span(), job);
      }
      return orbital(orbitals, 0, grid, values.span(), job);
    }
  }
}

struct FaultKind {
  int code;
  bool lasting;  ///< all allocations from there on
};

/// Whether a computation may go on, and be right, where a call failed; the others must be said.
bool may_be_silent(const std::string& call, FaultKind kind) {
  if (call == "allocate") return kind.code == 2 && !kind.lasting;  // tried again
  // There is a way without memory that stays where it is; the wait in a stream's destructor has nobody to tell.
  return call == "allocate_host" || call == "stream_synchronize";
}

TEST_P(CudaFailures, EachCallInTurnGivesAnErrorAndLeavesNothingBehind) {
  const std::size_t before = allocated_memory(Device::cuda());
  compute(GetParam());
  const int calls = cuda_->calls();
  const int streams = cuda_->streams_made();
  ASSERT_GT(calls, 5);
  EXPECT_EQ(cuda_->blocks(), kept_);
  for (const FaultKind kind : {FaultKind{700, false}, {701, false}, {2, false}, {2, true}}) {
    int unheard = 0;
    for (int n = 1; n <= calls; ++n) {
      cuda_->arm(n, kind.code, kind.lasting);
      const std::string where = "code " + std::to_string(kind.code) + (kind.lasting ? " from" : " at") + " call " +
                                std::to_string(n) + " of " + std::to_string(calls);
      LaunchRecord record;
      bool said = false;
      try {
        compute(GetParam());
      } catch (const DeviceFault& fault) {
        said = true;
        EXPECT_EQ(fault.kind(), Error::Kind::failed);
        EXPECT_EQ(fault.lost(), kind.code == 700) << where;
        EXPECT_GT(std::strlen(fault.what()), 10u);
      }
      const std::string failed = cuda_->failed();
      ASSERT_FALSE(failed.empty()) << where;
      if (!said) {
        EXPECT_TRUE(may_be_silent(failed, kind)) << where << ": " << failed << " failed, and nobody said so";
        unheard += failed == "stream_synchronize";
      } else {
        EXPECT_FALSE(failed == "allocate" && kind.code == 2 && !kind.lasting) << where << ": not tried again";
      }
      EXPECT_EQ(lost_device(Device::cuda()).has_value(), kind.code == 700) << where;
      EXPECT_EQ(cuda_->blocks(), kept_) << where << " leaves memory behind";
      EXPECT_EQ(cuda_->streams(), 0) << where;
      EXPECT_EQ(allocated_memory(Device::cuda()), before) << where;
    }
    EXPECT_LE(unheard, streams) << "code " << kind.code;
  }
  EXPECT_EQ(cuda_->events(), 0);
}

TEST_P(CudaFailures, TooLittleMemoryIsSaidBeforeItIsTaken) {
  const auto refused = [&](std::size_t capacity) {
    cuda_->set_capacity(capacity);
    try {
      compute(GetParam());
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("bytes"), std::string::npos) << message;
      EXPECT_EQ(cuda_->blocks(), kept_);
      return true;
    }
    EXPECT_EQ(cuda_->blocks(), kept_);
    return false;
  };
  EXPECT_TRUE(refused(7000)) << "the values take 8000 bytes";
  // The values fit, the computation does not; but the orbital of one function needs next to nothing.
  EXPECT_TRUE(refused(9000) || GetParam() >= 3);
}

std::string computation_name(const testing::TestParamInfo<int>& info) {
  constexpr const char* names[] = {"potential", "density", "isosurface", "orbital", "electron_density", "orbitals"};
  return names[info.param];
}

INSTANTIATE_TEST_SUITE_P(Computations, CudaFailures, testing::Range(0, 6), computation_name);

}  // namespace
}  // namespace isolume
