// The latch of devices that a fault has ended: who is told what, where work goes, and what is destroyed afterwards.
#include "compute/base/device_fault.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "compute/base/cuda_graph.h"
#include "compute/base/kept_array.h"
#include "tests/support/faulty_cuda.h"

namespace isolume {
namespace {

using test::FaultyCuda;

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class LostDevices : public testing::Test {
 protected:
  FaultyCuda cuda_{FaultyCuda::Under::fake};
};

TEST_F(LostDevices, TheFirstFaultIsLatchedAndSaidFromThenOn) {
  EXPECT_EQ(choose_device("auto"), Device::cuda());
  DeviceArray<float> kept(100, Device::cuda(), "kept");
  std::string first;
  try {
    const DeviceScope scope(Device::cuda());
    cuda_check(700, "direct potential");
  } catch (const DeviceFault& fault) {
    first = fault.what();
    EXPECT_TRUE(fault.lost());
    EXPECT_EQ(fault.code(), 700);
    EXPECT_EQ(fault.device(), Device::cuda());
  }
  EXPECT_NE(first.find("direct potential: made to fail (CUDA error 700)"), std::string::npos) << first;
  EXPECT_NE(first.find("cuda:0"), std::string::npos) << first;
  EXPECT_NE(first.find("restart"), std::string::npos) << first;
  // Nothing is asked of the device any more, and everybody hears of the first fault.
  const int calls = cuda_.calls();
  EXPECT_EQ(message_of([] { const DeviceArray<float> more(1, Device::cuda(), "more"); }), first);
  EXPECT_EQ(message_of([] { const Stream stream(Device::cuda()); }), first);
  EXPECT_EQ(message_of([&] { kept.copy_to_host(); }), first);
  EXPECT_EQ(cuda_.calls(), calls);
  ASSERT_EQ(lost_devices().size(), 1u);
  EXPECT_EQ(lost_devices().front().message, first);
}

TEST_F(LostDevices, AutomaticMeansTheCpuAndTheUserIsTold) {
  note_cuda_code(719, "waiting for the device");
  EXPECT_EQ(choose_device("auto"), Device::cpu());
  EXPECT_NE(message_of([] { choose_device("cuda"); }).find("CUDA error 719"), std::string::npos);
  EXPECT_NE(message_of([] { choose_device("cuda:0"); }).find("CUDA error 719"), std::string::npos);
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_FALSE(devices[1].usable);
  EXPECT_NE(devices[1].why_not.find("waiting for the device"), std::string::npos);
  EXPECT_NE(cuda_status().find("CUDA error 719"), std::string::npos);
}

TEST_F(LostDevices, OnlyCodesThatEndTheContextLoseIt) {
  for (const int code : {1, 2, 9, 35, 98, 100, 201, 209, 400, 600, 701, 720, 800, 900, 999}) {
    EXPECT_FALSE(ends_context(code)) << code;
    EXPECT_THROW(cuda_check(code, "a call"), DeviceFault);
    EXPECT_TRUE(lost_devices().empty()) << code;
  }
  for (const int code : {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721}) {
    EXPECT_TRUE(ends_context(code)) << code;
    EXPECT_THROW(cuda_check(code, "a call"), DeviceFault);
    EXPECT_EQ(lost_devices().size(), 1u) << code;
    cuda_.reset();
  }
}

TEST_F(LostDevices, AnotherDeviceTakesOverThenTheCpu) {
  cuda_.set_devices(2);
  std::vector<Device> tried;
  std::vector<std::string> told;
  const Device last = on_device_or_another(
      Device::cuda(0),
      [&](Device device) {
        tried.push_back(device);
        const DeviceScope scope(device);
        if (device.is_cuda()) cuda_check(700, "a kernel");
        return device;
      },
      [&](const DeviceFault& fault, Device) { told.push_back(to_string(fault.device())); });
  EXPECT_EQ(last, Device::cpu());
  EXPECT_EQ(tried, (std::vector<Device>{Device::cuda(0), Device::cuda(1), Device::cpu()}));
  EXPECT_EQ(told, (std::vector<std::string>{"cuda:0", "cuda:1"}));
  EXPECT_EQ(lost_devices().size(), 2u);
}

TEST_F(LostDevices, AFaultThatPassesMeansTheCpuThisOnce) {
  cuda_.set_devices(2);
  const Device last = on_device_or_another(
      Device::cuda(0),
      [&](Device device) {
        if (device.is_cuda()) cuda_check(701, "a kernel");
        return device;
      },
      [](const DeviceFault&, Device) {});
  EXPECT_EQ(last, Device::cpu());
  EXPECT_TRUE(lost_devices().empty());
  EXPECT_EQ(choose_device("auto"), Device::cuda(0));
}

TEST_F(LostDevices, OtherErrorsAreNotComputedAgain) {
  int times = 0;
  const auto work = [&](Device) -> int {
    ++times;
    throw Error("orbital 99: the file has 1 to 84", Error::Kind::usage);
  };
  EXPECT_THROW(on_device_or_another(Device::cuda(), work, [](const DeviceFault&, Device) {}), Error);
  EXPECT_EQ(times, 1);
}

TEST_F(LostDevices, WhatIsKeptGoesQuietly) {
  const std::size_t before = allocated_memory(Device::cuda());
  {
    KeptArray<float> array;
    PinnedArray<float> pinned;
    array.room(1000, Device::cuda(), "array");
    pinned.room(1000, Device::cuda(), "pinned");
    std::vector<float> large(std::size_t{1} << 20, 1.0f);  // large enough to go through the staging buffers
    DeviceArray<float> there = DeviceArray<float>::from_host(large, Device::cuda());
    std::optional<Stream> stream(Device::cuda());
    CudaGraph graph = CudaGraph::record(*stream, [] {});
    cuda_.arm(1, 700);
    EXPECT_THROW(there.copy_to_host(), DeviceFault);
    EXPECT_THROW(graph.launch(*stream), DeviceFault);
    EXPECT_THROW(array.room(5000, Device::cuda(), "array"), DeviceFault);
    EXPECT_THROW(pinned.room(5000, Device::cuda(), "pinned"), DeviceFault);
    stream.reset();
  }  // the rest goes here
  EXPECT_EQ(allocated_memory(Device::cuda()), before);
  EXPECT_EQ(cuda_.streams(), 0);
  EXPECT_TRUE(lost_device(Device::cuda()).has_value());
}

TEST_F(LostDevices, AFaultThatOnlyADestructorSeesIsLatched) {
  {
    const Stream stream(Device::cuda());
    cuda_.arm(1, 716);
  }
  ASSERT_EQ(lost_devices().size(), 1u);
  EXPECT_EQ(lost_devices().front().code, 716);
}

TEST_F(LostDevices, ThreadsThatFailTogetherLoseADeviceOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      const auto fail = [i] {
        const DeviceScope scope(Device::cuda());
        cuda_check(700, i % 2 ? "one" : "another");
      };
      EXPECT_THROW(fail(), DeviceFault);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lost_devices().size(), 1u);
}

}  // namespace
}  // namespace isolume
