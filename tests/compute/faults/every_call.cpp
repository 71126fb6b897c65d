// Every computation that has a CUDA body, on each CUDA device, with calls of CUDA that fail: each in turn, of long
// computations a spread of them.
#include <algorithm>
#include <cmath>
#include <memory>

#include "compute/base/device_fault.h"
#include "compute/base/memory.h"
#include "compute/orbitals/orbital_jit.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/faults/computations.h"
#include "tests/support/faulty_cuda.h"

namespace isolume {
namespace {

using namespace test;

struct Kind {
  const char* name;
  int code;
  bool lasting;
};
constexpr Kind kinds[] = {{"no memory once", 2, false},
                          {"no memory from there on", 2, true},
                          {"a launch that fails", 701, false},
                          {"an illegal address", 700, false}};
constexpr int most_calls = 48;  // of one computation and kind, so that all take minutes

class EveryCall : public testing::TestWithParam<std::tuple<Computation, Device>> {
 protected:
  void SetUp() override {
    set_compiled_orbitals(CompiledUse::never);  // a compiled kernel would come at a time of its own
    cuda_ = std::make_unique<FaultyCuda>(FaultyCuda::Under::real);
  }
  void TearDown() override {
    cuda_.reset();
    set_compiled_orbitals(CompiledUse::automatic);
  }
  std::unique_ptr<FaultyCuda> cuda_;
};

void expect_same(const std::vector<double>& found, const std::vector<double>& expected, const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    scale = std::max(scale, std::abs(expected[i]));
    worst = std::max(worst, std::isfinite(found[i]) ? std::abs(found[i] - expected[i]) : INFINITY);
  }
  EXPECT_LE(worst, 1e-4 * scale) << where;  // sums of single numbers in another order
}

TEST_P(EveryCall, GivesTheFaultOrTheResult) {
  const auto& [computation, device] = GetParam();
  const std::vector<double> warm = computation.run(device);  // what the process keeps is there from now on
  cuda_->reset();
  const std::size_t before = allocated_memory(device);
  const std::vector<double> expected = computation.run(device);
  expect_same(warm, expected, "two runs");
  const int calls = cuda_->calls();
  ASSERT_GT(calls, 3);
  const int tried = std::min(calls, most_calls);
  for (const Kind& kind : kinds) {
    int said = 0;
    for (int i = 0; i < tried; ++i) {
      const int call = 1 + static_cast<int>(static_cast<std::int64_t>(i) * (calls - 1) / std::max(1, tried - 1));
      cuda_->arm(call, kind.code, kind.lasting);
      std::string where = std::string(kind.name) + ", call " + std::to_string(call) + " of " + std::to_string(calls);
      try {
        const std::vector<double> found = computation.run(device);
        where += " (" + cuda_->failed() + ")";
        // Right all the same: tried again, done another way, or nothing depended on it.
        expect_same(found, expected, where);
        EXPECT_NE(cuda_->failed(), "launch") << where << ": nobody noticed";
      } catch (const DeviceFault& fault) {
        ++said;
        EXPECT_EQ(fault.lost(), kind.code == 700) << where << ": " << fault.what();
        EXPECT_EQ(fault.device(), device) << where;
      }
      EXPECT_EQ(lost_device(device).has_value(), kind.code == 700 && !cuda_->failed().empty()) << where;
      EXPECT_EQ(allocated_memory(device), before) << where << " leaves memory behind";
    }
    EXPECT_GT(said, 0) << kind.name;
    // Nothing of the faults is left.
    cuda_->reset();
    expect_same(computation.run(device), expected, std::string("after ") + kind.name);
  }
}

std::vector<Device> cuda_devices() {
  std::vector<Device> devices = devices_present();
  std::erase_if(devices, [](Device device) { return !device.is_cuda(); });
  return devices;
}

std::string name_of(const testing::TestParamInfo<std::tuple<Computation, Device>>& info) {
  return std::get<0>(info.param).name + "Cuda" + std::to_string(std::get<1>(info.param).index);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryCall);
INSTANTIATE_TEST_SUITE_P(Computations, EveryCall,
                         testing::Combine(testing::ValuesIn(cuda_computations()), testing::ValuesIn(cuda_devices())),
                         name_of);

/// The list itself, on the CPU: that every computation runs and has something to compare.
TEST(EveryComputation, HasNumbersOnTheCpu) {
  for (const Computation& computation : cuda_computations()) {
    const std::vector<double> found = computation.run(Device::cpu());
    ASSERT_FALSE(found.empty()) << computation.name;
    double scale = 0;
    for (const double value : found) {
      EXPECT_TRUE(std::isfinite(value)) << computation.name;
      scale = std::max(scale, std::abs(value));
    }
    EXPECT_GT(scale, 0) << computation.name;
  }
}

}  // namespace

}  // namespace isolume
