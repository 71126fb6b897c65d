// Devices, memory and timing: choosing, refusing, counting.
#include "compute/base/device.h"

#include "compute/base/host_copy.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using DeviceMemory = OnDevice;
ISOLUME_ON_EVERY_DEVICE(DeviceMemory);

TEST(Devices, TheCpuComesFirstAndIsUsable) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].device, Device::cpu());
  EXPECT_TRUE(devices[0].usable);
  EXPECT_GT(devices[0].memory_total, std::size_t{1} << 28);
  EXPECT_LE(devices[0].memory_free, devices[0].memory_total);
  EXPECT_FALSE(cuda_status().empty());
}

TEST(Devices, AWishIsMetOrRefusedWithWhatThereIs) {
  EXPECT_EQ(choose_device("cpu"), Device::cpu());
  EXPECT_NO_THROW(choose_device("auto"));
  for (const char* wish : {"cuda:63", "gpu", "cuda:", "cpu:1"}) {
    try {
      choose_device(wish);
      ADD_FAILURE() << wish;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos) << error.what();
    }
  }
}

TEST(Devices, ThreadsCanBeSetAndRestored) {
  const int usual = thread_count();
  EXPECT_GE(usual, 1);
  set_thread_count(1);
  EXPECT_EQ(thread_count(), 1);
  set_thread_count(0);
  EXPECT_EQ(thread_count(), usual);
  EXPECT_THROW(set_thread_count(-1), Error);
}

TEST(Memory, BytesInWords) {
  EXPECT_EQ(bytes_in_words(512), "512 bytes");
  EXPECT_EQ(bytes_in_words(1536), "1.5 KiB");
  EXPECT_EQ(bytes_in_words(std::size_t{3} << 30), "3.0 GiB");
}

TEST_P(DeviceMemory, TheLimitRefusesAndNamesTheBytes) {
  set_memory_limit(1000000);
  EXPECT_EQ(available_memory(GetParam()), 1000000u);
  EXPECT_NO_THROW(require_memory(1000000, GetParam(), "map"));
  try {
    require_memory(1000001, GetParam(), "map");
    ADD_FAILURE();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("1000001 bytes"), std::string::npos) << message;
    EXPECT_NE(message.find(to_string(GetParam())), std::string::npos) << message;
  }
  set_memory_limit(0);
}

TEST_P(DeviceMemory, WhatCannotBeHadIsAnErrorAndNothingIsLost) {
  const std::size_t before = allocated_memory(GetParam());
  const std::size_t absurd = std::size_t{1} << 50;
  EXPECT_THROW(DeviceArray<float>(absurd, GetParam(), "map"), Error);
  EXPECT_THROW(DeviceArray<float>(~std::size_t{0} / 2, GetParam(), "map"), Error);
  EXPECT_EQ(allocated_memory(GetParam()), before);
  // The device still works.
  const std::vector<float> values{1, 2, 3};
  EXPECT_EQ(DeviceArray<float>::from_host(values, GetParam()).copy_to_host(), values);
}

TEST_P(DeviceMemory, CopiesOfAnySizeArriveWhole) {
  // Around the sizes of the pieces in which large ones travel, and so many that every buffer is used again.
  for (const std::size_t bytes : {4u, (1u << 20) - 4, 1u << 20, (1u << 20) + 4, 4u << 20, (9u << 20) + 12, 61u << 20}) {
    std::vector<std::uint32_t> values(bytes / 4);
    std::uint32_t x = 1;
    for (std::uint32_t& value : values) value = x = x * 1664525 + 1013904223;
    const auto there = DeviceArray<std::uint32_t>::from_host(values, GetParam());
    EXPECT_TRUE(there.copy_to_host() == values) << bytes;
    EXPECT_TRUE(host_copy(there) == values) << bytes;
  }
}

TEST_P(DeviceMemory, ArraysMoveAndAreCounted) {
  const std::size_t before = allocated_memory(GetParam());
  reset_peak_memory();
  {
    DeviceArray<double> a(1000, GetParam());
    EXPECT_EQ(allocated_memory(GetParam()), before + 8000);
    const double* memory = a.data();
    DeviceArray<double> b = std::move(a);
    EXPECT_EQ(b.data(), memory);
    EXPECT_EQ(a.data(), nullptr);  // NOLINT: moved from is empty
    EXPECT_EQ(a.size(), 0u);
    b = DeviceArray<double>(10, GetParam());
    EXPECT_EQ(allocated_memory(GetParam()), before + 80);
  }
  EXPECT_EQ(allocated_memory(GetParam()), before);
  EXPECT_GE(peak_memory(GetParam()), before + 8000);
}

TEST(Timing, RecordsNestAndSum) {
  LaunchRecord outer;
  {
    LaunchRecord inner;
    { const PhaseTimer timer("first"); }
    { const PhaseTimer timer("second"); }
    { const PhaseTimer timer("first"); }
    const std::vector<LaunchEntry> entries = inner.entries();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].name, "first");
    EXPECT_EQ(entries[0].launches, 2u);
    EXPECT_GE(entries[0].seconds, 0);
    EXPECT_TRUE(outer.entries().empty());
  }
  ASSERT_EQ(outer.entries().size(), 2u);
  EXPECT_EQ(outer.entries()[1].launches, 1u);
  EXPECT_EQ(LaunchRecord::current(), &outer);
}

}  // namespace
}  // namespace isolume
