// Every CUDA call can fail: a table that fails the n-th call, for each n, on a machine with or without a GPU.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

#include "compute/base/cuda_api.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_jit.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

/// A device that is host memory: it allocates, copies, scans and sorts, and its kernels do nothing.
struct Fake {
  static inline std::map<void*, std::size_t> memory;
  static inline int streams = 0;
  static inline int streams_made = 0;
  static inline int events = 0;
  static inline int calls = 0;    ///< that may fail
  static inline int failing = 0;  ///< the number of the call that fails, 0 for none
  static inline int code = 700;
  static inline std::size_t capacity = 1 << 26;

  static void reset() {
    memory.clear();
    streams = streams_made = events = calls = failing = 0;
    code = 700;
  }
  static bool fails() { return ++calls == failing; }
  static std::size_t used() {
    return std::accumulate(memory.begin(), memory.end(), std::size_t{0},
                           [](std::size_t sum, const auto& item) { return sum + item.second; });
  }
};

int fake_allocate(void** memory, std::size_t bytes, void*) {
  if (Fake::fails()) return Fake::code;
  if (Fake::used() + bytes > Fake::capacity) return 2;
  *memory = std::calloc(bytes, 1);
  Fake::memory[*memory] = bytes;
  return 0;
}

int fake_release(void* memory, void*) {
  if (Fake::memory.erase(memory) != 1) return 1;
  std::free(memory);
  return 0;
}

int fake_copy(void* to, const void* from, std::size_t bytes, CudaApi::Direction, void*) {
  if (Fake::fails()) return Fake::code;
  std::memcpy(to, from, bytes);
  return 0;
}

int fake_sum(void* temporary, std::size_t* bytes, const std::uint32_t* in, std::uint32_t* out, std::size_t count,
             void*) {
  if (Fake::fails()) return Fake::code;
  *bytes = 16;
  if (temporary) std::exclusive_scan(in, in + count, out, 0u);
  return 0;
}

int fake_sort(void* temporary, std::size_t* bytes, const std::uint32_t* keys, std::uint32_t* keys_out,
              const std::uint32_t* values, std::uint32_t* values_out, std::size_t count, int, void*) {
  if (Fake::fails()) return Fake::code;
  *bytes = 16;
  if (temporary) {
    std::copy_n(keys, count, keys_out);
    std::copy_n(values, count, values_out);
  }
  return 0;
}

CudaApi fake_api() {
  CudaApi api;
  api.device_count = [](int* count) { return *count = 1, 0; };
  api.properties = [](int, CudaProperties* out) {
    *out = {"Fake", 9, 0, 1, Fake::capacity, true};
    return 0;
  };
  api.versions = [](int* driver, int* runtime) { return *driver = *runtime = 13000, 0; };
  api.memory_info = [](std::size_t* free, std::size_t* total) {
    if (Fake::fails()) return Fake::code;
    *total = Fake::capacity;
    *free = Fake::capacity - Fake::used();
    return 0;
  };
  api.get_device = [](int* device) { return *device = 0, 0; };
  api.set_device = [](int) { return 0; };
  api.allocate = fake_allocate;
  api.release = fake_release;
  api.trim = [](int) { return 0; };
  api.allocate_host = [](void** memory, std::size_t bytes) { return fake_allocate(memory, bytes, nullptr); };
  api.release_host = [](void* memory) { return fake_release(memory, nullptr); };
  api.copy = fake_copy;
  api.set_bytes = [](void* to, int value, std::size_t bytes, void*) {
    if (Fake::fails()) return Fake::code;
    std::memset(to, value, bytes);
    return 0;
  };
  api.stream_create = [](void** stream) {
    if (Fake::fails()) return Fake::code;
    *stream = std::malloc(1);
    ++Fake::streams_made;
    return ++Fake::streams, 0;
  };
  api.stream_destroy = [](void* stream) {
    std::free(stream);
    return --Fake::streams, 0;
  };
  api.stream_synchronize = [](void*) { return Fake::fails() ? Fake::code : 0; };
  api.event_create = [](void** event) {
    *event = std::malloc(1);
    return ++Fake::events, 0;
  };
  api.event_destroy = [](void* event) {
    std::free(event);
    return --Fake::events, 0;
  };
  api.event_record = [](void*, void*) { return 0; };
  api.event_seconds = [](double* seconds, void*, void*) { return *seconds = 1e-6, 0; };
  api.launch = [](const void*, CudaDim, CudaDim, void**, std::size_t, void*) { return Fake::fails() ? Fake::code : 0; };
  api.exclusive_sum = fake_sum;
  api.sort_pairs = fake_sort;
  api.error_text = [](int code) { return code == 2 ? "out of memory" : "made to fail"; };
  return api;
}

class CudaFailures : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    // In a build without CUDA there are no bodies that could fail.
    if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA";
    Fake::reset();
    set_cuda_api_for_test(&api_);
    // A compiled kernel would come at a time of its own.
    set_compiled_orbitals(CompiledUse::never);
  }
  void TearDown() override {
    set_cuda_api_for_test(nullptr);
    set_compiled_orbitals(CompiledUse::automatic);
  }

  CudaApi api_ = fake_api();
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

TEST_P(CudaFailures, EachCallInTurnGivesAnErrorAndLeavesNothingBehind) {
  const std::size_t before = allocated_memory(Device::cuda());
  compute(GetParam());
  const int calls = Fake::calls;
  const int streams = Fake::streams_made;
  ASSERT_GT(calls, 5);
  EXPECT_TRUE(Fake::memory.empty());
  for (const int code : {700, 2}) {
    int silent = 0;
    for (int n = 1; n <= calls; ++n) {
      Fake::reset();
      Fake::failing = n;
      Fake::code = code;
      LaunchRecord record;
      try {
        compute(GetParam());
        ++silent;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::failed);
        EXPECT_GT(std::strlen(error.what()), 10u);
      }
      EXPECT_TRUE(Fake::memory.empty()) << "call " << n << " of " << calls << " leaves memory behind";
      EXPECT_EQ(Fake::streams, 0) << "call " << n;
      EXPECT_EQ(allocated_memory(Device::cuda()), before) << "call " << n;
    }
    // The wait in a stream's destructor has nobody to tell; an allocation that finds no memory (2) is tried again.
    EXPECT_LE(code == 700 ? silent : 0, streams);
  }
  EXPECT_EQ(Fake::events, 0);
}

TEST_P(CudaFailures, TooLittleMemoryIsSaidBeforeItIsTaken) {
  const auto refused = [&](std::size_t capacity) {
    Fake::capacity = capacity;
    try {
      compute(GetParam());
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("bytes"), std::string::npos) << message;
      EXPECT_TRUE(Fake::memory.empty());
      return true;
    }
    EXPECT_TRUE(Fake::memory.empty());
    return false;
  };
  EXPECT_TRUE(refused(7000)) << "the values take 8000 bytes";
  // The values fit, the computation does not; but the orbital of one function needs next to nothing.
  EXPECT_TRUE(refused(9000) || GetParam() >= 3);
  Fake::capacity = 1 << 26;
}

std::string computation_name(const testing::TestParamInfo<int>& info) {
  constexpr const char* names[] = {"potential", "density", "isosurface", "orbital", "electron_density", "orbitals"};
  return names[info.param];
}

INSTANTIATE_TEST_SUITE_P(Computations, CudaFailures, testing::Range(0, 6), computation_name);

}  // namespace
}  // namespace isolume
