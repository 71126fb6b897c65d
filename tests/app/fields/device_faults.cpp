// The queue of fields on a CUDA device that fails: the field comes from another device, and that is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>

#include "app/fields/field_queue.h"
#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "tests/app/documents/gate.h"
#include "tests/support/faulty_cuda.h"
#ifdef ISOLUME_TEST_REAL_CUDA
#include "tests/support/faulty_interop.h"
#include "tests/support/null_read.h"
#endif

namespace isolume {
namespace {

using test::FaultyCuda;

/// A queue, with what it said.
class Queue {
 public:
  Queue() {
    FieldQueue::Callbacks callbacks;
    callbacks.finished = [this](FieldResult result) {
      const std::lock_guard lock(mutex_);
      result_ = std::move(result);
      changed_.notify_all();
    };
    callbacks.device_failed = [this](const std::string& fault, bool lost, Device next) {
      const std::lock_guard lock(mutex_);
      faults.push_back(fault);
      losses += lost;
      computes_on = next;
    };
    std::unique_ptr<GlContext> context;
    try {
      context = create_egl_context();
    } catch (const Error&) {
      // Results come as meshes.
    }
    queue_ = std::make_unique<FieldQueue>(std::move(callbacks), std::move(context));
  }
  FieldResult compute(Field::Kind kind, Device device, double spacing) {
    static const auto molecule = test::molecule_of({{0, 0, 0}, {1.5, 0, 0}, {3, 0.5, 0}}, {0.5f, -0.9f, 0.4f});
    FieldRequest request;
    request.number = ++number_;
    request.field.kind = kind;
    request.field.spacing = spacing;
    request.molecule = molecule;
    request.device = device;
    queue_->submit(request);
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::minutes(1), [&] { return result_.number == number_; }));
    return result_;
  }

  std::vector<std::string> faults;
  int losses = 0;
  Device computes_on;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  FieldResult result_;
  std::uint64_t number_ = 0;
  std::unique_ptr<FieldQueue> queue_;
};

class FieldFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA: there are no bodies that could fail";
#ifdef ISOLUME_TEST_REAL_CUDA
    test::count_interop_calls();
#endif
  }
};

TEST_F(FieldFaults, EveryEarlyCallThatFailsLeavesTheField) {
  for (const Field::Kind kind : {Field::Kind::gaussian, Field::Kind::solvent_excluded, Field::Kind::potential}) {
    for (const int code : {2, 701, 700}) {
      for (const int call : {1, 2, 4}) {
        FaultyCuda cuda(FaultyCuda::Under::fake);
        Queue queue;
        const FieldResult expected = queue.compute(kind, Device::cpu(), 0.6);
        cuda.arm(call, code, code == 2);
        const FieldResult found = queue.compute(kind, Device::cuda(), 0.6);
        const std::string where = "kind " + std::to_string(static_cast<int>(kind)) + ", code " + std::to_string(code) +
                                  " at call " + std::to_string(call) + ", " + cuda.failed();
        EXPECT_EQ(found.error, "") << where;
        EXPECT_EQ(found.items.size(), expected.items.size()) << where;
        ASSERT_EQ(queue.faults.size(), 1u) << where;
        EXPECT_EQ(queue.losses, code == 700 ? 1 : 0) << where;
        EXPECT_EQ(queue.computes_on, Device::cpu()) << where;
        EXPECT_NE(found.summary.find("computed on cpu after a device fault"), std::string::npos) << found.summary;
      }
    }
  }
}

#ifdef ISOLUME_TEST_REAL_CUDA
TEST_F(FieldFaults, OnARealDeviceEveryCallThatFailsLeavesTheField) {
  Device device;
  try {
    device = choose_device("cuda");
  } catch (const Error&) {
    GTEST_SKIP() << "no CUDA device";
  }
  FaultyCuda cuda(FaultyCuda::Under::real);
  const auto compute = [&](Queue& queue) {
    FieldResult result;  // the second time what OpenGL and CUDA know of each other is known already
    for (const double spacing : {0.6, 0.61}) result = queue.compute(Field::Kind::gaussian, device, spacing);
    return result;
  };
  int calls = 0;
  {
    Queue queue;
    const FieldResult expected = compute(queue);
    ASSERT_EQ(expected.error, "");
    ASSERT_TRUE(queue.faults.empty()) << queue.faults.front();
    std::printf("%s\n", expected.path.c_str());
    calls = cuda.calls();
  }
  ASSERT_GT(calls, 10);
  std::set<std::string> failed;
  for (const int code : {2, 701, 700}) {
    for (int call = 1; call <= calls; call += std::max(1, calls / 40)) {
      cuda.arm(call, code);
      Queue queue;
      const FieldResult found = compute(queue);
      failed.insert(cuda.failed());
      const std::string where = "code " + std::to_string(code) + " at call " + std::to_string(call) + " of " +
                                std::to_string(calls) + ", " + cuda.failed();
      EXPECT_EQ(found.error, "") << where;
      EXPECT_FALSE(found.items.empty()) << where;
      EXPECT_LE(queue.losses, code == 700 ? 2 : 0) << where;
    }
  }
  for (const std::string& name : failed) std::printf("%s ", name.c_str());
  std::printf("failed once each, of %d calls\n", calls);
}

/// The last of its program: the device is lost for all that would come after.
TEST_F(FieldFaults, ZARealFaultOfTheDeviceLeavesTheField) {
  Device device;
  try {
    device = choose_device("cuda");
  } catch (const Error&) {
    GTEST_SKIP() << "no CUDA device";
  }
  Queue queue;
  const FieldResult before = queue.compute(Field::Kind::gaussian, device, 0.3);
  std::printf("before: %s\n", before.summary.c_str());
  EXPECT_EQ(before.error, "");
  EXPECT_TRUE(queue.faults.empty());
  const int code = test::read_address_zero(device.index);
  std::printf("the kernel that reads address 0: CUDA error %d\n", code);
  EXPECT_TRUE(ends_context(code));
  for (const double spacing : {0.31, 0.32, 0.33}) {
    const FieldResult after = queue.compute(Field::Kind::gaussian, device, spacing);
    std::printf("after: %s\n", after.summary.c_str());
    EXPECT_EQ(after.error, "");
    EXPECT_FALSE(after.items.empty());
  }
  ASSERT_FALSE(queue.faults.empty());
  std::printf("said: %s\n", queue.faults.front().c_str());
  EXPECT_EQ(queue.faults.front(), queue.faults.back());
  EXPECT_TRUE(lost_device(device).has_value());
  EXPECT_NE(choose_device("auto"), device);
}
#endif

}  // namespace
}  // namespace isolume
