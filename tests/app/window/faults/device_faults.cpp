// A CUDA device that fails while the window computes: the surface comes all the same, and that is said.
#include <QLabel>
#include <QTest>
#include <algorithm>
#include <optional>

#include "app/window/maps/flexible_fit_run.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/status_line.h"
#include "compute/base/cuda_api.h"
#include "compute/base/device_fault.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/maps/hairpin.h"
#include "tests/support/faulty_cuda.h"
#ifdef ISOLUME_TEST_REAL_CUDA
#include "tests/support/faulty_interop.h"
#include "tests/support/null_read.h"
#endif

namespace isolume::test {
namespace {

class DeviceFaults : public WindowTest {
 protected:
  void SetUp() override {
    if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA: there are no bodies that could fail";
#ifdef ISOLUME_TEST_REAL_CUDA
    count_interop_calls();
#endif
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    // Each test chooses its own device, once it has put the faulty one in place.
    window_->choose_device_by_name(QStringLiteral("cpu"));
    ASSERT_TRUE(wait_until([this] { return !window_->fields().device().is_cuda(); }));
  }
  void TearDown() override {
    if (window_) WindowTest::TearDown();
    cuda_.reset();
  }
  bool shows_device(const QString& text) {
    const auto labels = window_->statusBar()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text() == text; });
  }
  void add_surface() {
    window_->controller().edit(QStringLiteral("Add surface"), [](Scene& scene) { scene.fields.emplace_back(); });
  }

  std::optional<FaultyCuda> cuda_;
};

TEST_F(DeviceFaults, AStickyErrorMovesTheWindowToTheCpu) {
  cuda_.emplace(FaultyCuda::Under::fake);
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->choose_device_by_name(QStringLiteral("cuda"));
  ASSERT_TRUE(wait_until([&] { return window_->fields().device() == Device::cuda(); }));
  cuda_->arm(3, 700);
  add_surface();
  ASSERT_TRUE(wait_until([&] { return window_->fields().device() == Device::cpu(); }));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_FALSE(window_->fields().results().front().items.empty());
  EXPECT_TRUE(window_->fields().results().front().error.empty());
  EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("CUDA error 700")))
      << window_->messages().message().toStdString();
  EXPECT_TRUE(wait_until([&] { return shows_device(QStringLiteral("CPU (cuda:0 stopped)")); }));
  // It is said once, and what is changed now is computed as ever.
  window_->messages().clear();
  window_->controller().edit(QStringLiteral("Finer"), [](Scene& scene) { scene.fields[0].spacing = 0.4; });
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->messages().message(), QString());
}

TEST_F(DeviceFaults, AFaultThatPassesCostsOneComputation) {
  cuda_.emplace(FaultyCuda::Under::fake);
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->choose_device_by_name(QStringLiteral("cuda"));
  ASSERT_TRUE(wait_until([&] { return window_->fields().device() == Device::cuda(); }));
  for (const int code : {2, 701}) {
    window_->messages().clear();
    cuda_->arm(2, code, code == 2);
    add_surface();
    ASSERT_TRUE(wait_for_picture());
    EXPECT_EQ(window_->fields().device(), Device::cuda()) << "the device is kept";
    EXPECT_TRUE(window_->fields().results().back().error.empty());
    EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("another device"))) << code;
  }
}

TEST_F(DeviceFaults, AFlexibleFitBeginsAgainOnTheCpu) {
  for (const std::string& file : hairpin_files()) ISOLUME_NEEDS(file);
  FlexibleFitInput input;
  input.molecule = std::make_shared<const Molecule>(read_files(hairpin_files()).front());
  input.frame = input.molecule->trajectory->frame(0);
  input.map = std::make_shared<const Volume>(hairpin_map(*input.molecule));
  for (std::uint32_t i = 0; i < input.molecule->topology->atoms.size(); ++i)
    if (input.molecule->topology->atoms[i].element != 1) input.atoms.push_back(i);
  FlexibleFitOptions options;
  options.length = 0.02;
  options.every = 5;
  options.minimise = 0;
  const auto samples_on = [&](Device device) {
    options.device = device;
    FlexibleFitRun run(std::size_t{64} << 20);
    Job job;
    run.run(input, options, job);
    EXPECT_EQ(run.frames()->frame_count(), run.state().samples);
    return run.state();
  };
  const FlexibleFitRun::State expected = samples_on(Device::cpu());
  ASSERT_EQ(expected.samples, 5u);
  cuda_.emplace(FaultyCuda::Under::fake);
  // At the first allocations, and with samples that are thrown away.
  for (const int call : {3, 150}) {
    cuda_->arm(call, 700);
    const FlexibleFitRun::State found = samples_on(Device::cuda());
    EXPECT_FALSE(cuda_->failed().empty()) << call;
    EXPECT_EQ(found.times, expected.times) << call;
    ASSERT_EQ(found.samples, expected.samples) << call;
    for (std::size_t i = 0; i < found.samples; ++i)
      EXPECT_NEAR(found.correlations[i], expected.correlations[i], 1e-9) << call;
  }
}

#ifdef ISOLUME_TEST_REAL_CUDA
/// Alone in its program: the device is lost for all that comes after.
TEST_F(DeviceFaults, DISABLED_ARealFaultWhileTheWorkerRuns) {
  Device device;
  try {
    device = choose_device("cuda");
  } catch (const Error&) {
    GTEST_SKIP() << "no CUDA device";
  }
  ASSERT_TRUE(open({write_salt_pqr(12)}));
  window_->choose_device_by_name(QStringLiteral("cuda"));
  ASSERT_TRUE(wait_until([&] { return window_->fields().device() == device; }));
  add_surface();
  ASSERT_TRUE(wait_for_picture());
  std::printf("before: %s\n", window_->fields().results().front().summary.c_str());
  // The worker computes on and on while the kernel reads what is not there.
  for (int i = 0; i < 6; ++i) {
    window_->controller().edit(QStringLiteral("Spacing"),
                               [i](Scene& scene) { scene.fields[0].spacing = 0.5 + 0.01 * i; });
    QTest::qWait(0);
  }
  const int code = read_address_zero(device.index);
  std::printf("the kernel that reads address 0: CUDA error %d\n", code);
  EXPECT_TRUE(ends_context(code)) << code;
  window_->controller().edit(QStringLiteral("Spacing"), [](Scene& scene) { scene.fields[0].spacing = 0.45; });
  ASSERT_TRUE(wait_until([&] { return window_->fields().device() != device; }));
  ASSERT_TRUE(wait_for_picture());
  const FieldResult result = window_->fields().results().front();
  std::printf("after: %s\nmessage: %s\nstatus: %s\n", result.summary.c_str(),
              window_->messages().message().toStdString().c_str(), cuda_status().c_str());
  EXPECT_TRUE(result.error.empty()) << result.error;
  EXPECT_FALSE(result.items.empty());
  EXPECT_TRUE(lost_device(device).has_value());
  EXPECT_NE(result.summary.find(to_string(window_->fields().device())), std::string::npos) << result.summary;
  EXPECT_GT(shot().width, 100);
}

TEST(DeviceFault, ARealOneLeavesTheWindowAlive) {
  if (!built_in_cuda_api().launch || list_devices().size() < 2) GTEST_SKIP() << "no CUDA device";
  run_alone(QStringLiteral("DeviceFaults.DISABLED_ARealFaultWhileTheWorkerRuns"), {});
}
#endif

/// Twenty fields and three faults. On a real device, where there is one, in the midst of the work; else as a device of
/// host memory is woken, whose kernels compute nothing. Prints the table.
class WindowKillMatrix : public DeviceFaults {};

TEST_F(WindowKillMatrix, OfFields) {
  const bool real = list_devices().size() > 1;
  cuda_.emplace(real ? FaultyCuda::Under::real : FaultyCuda::Under::fake);
  const Device device = choose_device("cuda");
  ASSERT_TRUE(open({write_salt_pqr(6)}));
  struct Case {
    const char* name;
    std::function<void(Field&)> change;
  };
  const auto potential = [](PotentialMethod method) {
    return [method](Field& field) {
      field.kind = Field::Kind::potential;
      field.potential.method = method;
      field.spacing = 1;
    };
  };
  const auto painted = [](Field::Kind kind, PotentialMethod method) {
    return [kind, method](Field& field) {
      field.kind = kind;
      field.paint = Field::Paint::potential;
      field.potential.method = method;
    };
  };
  using enum PotentialMethod;
  const std::vector<Case> cases{{"gaussian", [](Field&) {}},
                                {"excluded", [](Field& field) { field.kind = Field::Kind::solvent_excluded; }},
                                {"accessible", [](Field& field) { field.kind = Field::Kind::solvent_accessible; }},
                                {"direct", potential(direct)},
                                {"cutoff", potential(cutoff)},
                                {"msm", potential(msm)},
                                {"debye_hueckel", potential(debye_hueckel)},
                                {"pb", potential(pb)},
                                {"gaussian_direct", painted(Field::Kind::gaussian, direct)},
                                {"gaussian_cutoff", painted(Field::Kind::gaussian, cutoff)},
                                {"gaussian_msm", painted(Field::Kind::gaussian, msm)},
                                {"gaussian_dh", painted(Field::Kind::gaussian, debye_hueckel)},
                                {"gaussian_pb", painted(Field::Kind::gaussian, pb)},
                                {"excluded_direct", painted(Field::Kind::solvent_excluded, direct)},
                                {"excluded_cutoff", painted(Field::Kind::solvent_excluded, cutoff)},
                                {"excluded_msm", painted(Field::Kind::solvent_excluded, msm)},
                                {"excluded_dh", painted(Field::Kind::solvent_excluded, debye_hueckel)},
                                {"accessible_dir.", painted(Field::Kind::solvent_accessible, direct)},
                                {"accessible_msm", painted(Field::Kind::solvent_accessible, msm)},
                                {"slice", [](Field& field) {
                                   field.kind = Field::Kind::potential;
                                   field.slice.kind = SlicePlane::Kind::x;
                                 }}};
  std::printf("%-16s %-14s %-14s %-14s\n", "field", "no memory", "launch", "sticky");
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    std::printf("%-16s", one.name);
    for (const int code : {2, 701, 700}) {
      cuda_->reset();
      window_->controller().edit(QStringLiteral("Clear"), [](Scene& scene) { scene.fields.clear(); });
      window_->choose_device_by_name(QStringLiteral("cuda"));
      ASSERT_TRUE(wait_until([&] { return window_->fields().device() == device; }));
      ASSERT_TRUE(wait_for_picture());
      cuda_->arm(real ? 4 : 1, code, code == 2);
      window_->controller().edit(QStringLiteral("Add"), [&](Scene& scene) {
        scene.fields.emplace_back();
        one.change(scene.fields.back());
      });
      ASSERT_TRUE(wait_for_picture());
      const FieldResult result = window_->fields().results().front();
      EXPECT_TRUE(result.error.empty()) << code << ": " << result.error;
      EXPECT_FALSE(result.summary.empty());
      EXPECT_NE(cuda_->failed(), "") << code << ": no call failed";
      const bool elsewhere = result.summary.find("cuda:") == std::string::npos;
      EXPECT_TRUE(real || elsewhere) << code << ": " << result.summary;
      std::printf(" %-14s", !result.error.empty() ? "FAILED" : elsewhere ? "done by CPU" : "done on GPU");
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace isolume::test
