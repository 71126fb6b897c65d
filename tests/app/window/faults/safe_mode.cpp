// Sessions that end unexpectedly, safe mode, and the test of devices.
#include "app/window/recovery/safe_mode.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/recovery/crash_record.h"
#include "app/window/recovery/device_test.h"
#include "app/window/recovery/safe_mode_bar.h"
#include "app/window/shell/window_layout.h"
#include "compute/base/device_fault.h"
#include "tests/app/window/fixture.h"
#include "tests/support/faulty_cuda.h"

namespace isolume::test {
namespace {

/// A session of another program that is killed in the middle.
void crash(const QString& folder) {
  const pid_t child = fork();
  if (child == 0) {
    new CrashRecord(folder);  // never ended
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(CrashRecords, SessionsThatEndUnexpectedlyAreCountedUntilOneEndsCleanly) {
  const QTemporaryDir folder;
  {
    CrashRecord first(folder.path());
    EXPECT_EQ(first.crashes(), 0);
    first.finish();
  }
  crash(folder.path());
  {
    CrashRecord second(folder.path());
    EXPECT_EQ(second.crashes(), 1);
  }  // it ends without saying so as well
  CrashRecord third(folder.path());
  EXPECT_EQ(third.crashes(), 2);
  third.finish();
  EXPECT_EQ(CrashRecord(folder.path()).crashes(), 0);
}

TEST(CrashRecords, ASessionThatRunsIsNoCrash) {
  const QTemporaryDir folder;
  CrashRecord first(folder.path());
  CrashRecord second(folder.path());
  EXPECT_EQ(second.crashes(), 0);
  second.finish();
  first.finish();
  EXPECT_EQ(CrashRecord(folder.path()).crashes(), 0);
}

TEST(CrashRecords, AHomeThatCannotBeWrittenIsNoTrouble) {
  CrashRecord record(QStringLiteral("/proc/isolume/sessions"));
  EXPECT_EQ(record.crashes(), 0);
  record.finish();
}

TEST(SafeModeChoice, IsAskedForOrFollowsTwoCrashes) {
  qunsetenv("ISOLUME_SAFE_MODE");
  EXPECT_EQ(choose_safe_mode({}, 0), SafeMode::off);
  EXPECT_EQ(choose_safe_mode({}, 1), SafeMode::off);
  EXPECT_EQ(choose_safe_mode({}, 2), SafeMode::crashed);
  EXPECT_EQ(choose_safe_mode({QStringLiteral("a.pdb"), QStringLiteral("--safe-mode")}, 0), SafeMode::asked);
  EXPECT_EQ(choose_safe_mode({QStringLiteral("--no-safe-mode")}, 5), SafeMode::off);
  qputenv("ISOLUME_SAFE_MODE", "1");
  EXPECT_EQ(choose_safe_mode({}, 0), SafeMode::asked);
  EXPECT_EQ(choose_safe_mode({QStringLiteral("--no-safe-mode")}, 0), SafeMode::off);
  qputenv("ISOLUME_SAFE_MODE", "0");
  EXPECT_EQ(choose_safe_mode({}, 2), SafeMode::off);
  qunsetenv("ISOLUME_SAFE_MODE");
}

class SafeModeWindow : public WindowTest {};

/// Alone in its program: CUDA stays off, and OpenGL's driver is chosen once.
TEST_F(SafeModeWindow, DISABLED_WorksWithoutCudaAndSaysHowToGetBack) {
  window_->resize(900, 600);
  window_->close();
  const QByteArray layout = QSettings().value(QStringLiteral("layout")).toByteArray();
  ASSERT_FALSE(layout.isEmpty());
  window_.reset();
  enter_safe_mode(SafeMode::crashed);
  window_ = std::make_unique<MainWindow>();
  window_->show();
  auto* bar = window_->findChild<SafeModeBar*>();
  ASSERT_NE(bar, nullptr);
  EXPECT_TRUE(bar->isVisible());
  EXPECT_TRUE(bar->text().contains(QStringLiteral("unexpectedly 2 times"))) << bar->text().toStdString();
  EXPECT_EQ(cuda_status(), "CUDA is off in safe mode");
  EXPECT_EQ(list_devices().size(), 1u);
  EXPECT_EQ(choose_device("auto"), Device::cpu());
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->controller().edit(QStringLiteral("Add surface"), [](Scene& scene) { scene.fields.emplace_back(); });
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(window_->viewport().gl().software);
  // What is started from here is not in safe mode.
  EXPECT_EQ(qEnvironmentVariable("ISOLUME_DRAWING"), QStringLiteral("image"));
  EXPECT_NE(normal_environment().value(QStringLiteral("ISOLUME_DRAWING")), QStringLiteral("image"));
  screenshot(QStringLiteral("safe_mode"));
  // Nothing of the user's layout is written over.
  window_->close();
  EXPECT_EQ(QSettings().value(QStringLiteral("layout")).toByteArray(), layout);
}

TEST(SafeModeAlone, WorksWithoutCudaAndSaysHowToGetBack) {
  run_alone(QStringLiteral("SafeModeWindow.DISABLED_WorksWithoutCudaAndSaysHowToGetBack"), {});
}

/// A program in place of Isolume's, which tests a device in its way.
QString script(const QTemporaryDir& folder, const QString& text) {
  const QString path = folder.filePath(QStringLiteral("program"));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("#!/bin/sh\n" + text.toUtf8());
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

TEST(DeviceTests, SayWhatWentWrong) {
  const QTemporaryDir folder;
  const auto message = [&](const QString& text, int seconds = 20) {
    const DeviceTest test = test_device(script(folder, text), Device::cuda(), seconds);
    return test.good ? std::string() : test.message.toStdString();
  };
  EXPECT_EQ(message(QStringLiteral("exit 0")), "");
  EXPECT_EQ(message(QStringLiteral("echo isolume: no good >&2; exit 1")),
            "the test of cuda:0 failed: isolume: no good");
  EXPECT_EQ(message(QStringLiteral("kill -SEGV $$")), "the test of cuda:0 crashed");
  EXPECT_EQ(message(QStringLiteral("while :; do :; done"), 1), "the test of cuda:0 did not end within 1 s");
  // A program that is not there says nothing about the device.
  EXPECT_TRUE(test_device(folder.filePath(QStringLiteral("none")), Device::cuda()).good);
}

TEST(DeviceTests, HaveACrashBudget) {
  FaultyCuda cuda(FaultyCuda::Under::fake);
  QSettings().remove(QStringLiteral("device_test"));
  const QTemporaryDir folder;
  const QString log = folder.filePath(QStringLiteral("log"));
  const auto runs = [&] {
    QFile file(log);
    return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
  };
  const QString bad = script(folder, QStringLiteral("echo x >> %1; kill -SEGV $$").arg(log));
  for (int session = 1; session <= 4; ++session) {
    const TestedDevice tested = tested_device(bad, Device::cuda(), false, false);
    EXPECT_EQ(tested.device, Device::cpu()) << session;
    EXPECT_FALSE(tested.why.isEmpty()) << session;
    EXPECT_FALSE(choose_device("auto").is_cuda()) << session;
    EXPECT_EQ(runs(), std::min(session, crash_budget)) << "no more than the budget";
    forget_lost_devices();  // the next session
  }
  // The user may ask for it, and a test that is passed is remembered.
  const QString good = script(folder, QStringLiteral("echo x >> %1").arg(log));
  EXPECT_EQ(tested_device(good, Device::cuda(), true, false).device, Device::cuda());
  const auto before = runs();
  EXPECT_EQ(tested_device(good, Device::cuda(), false, false).device, Device::cuda());
  EXPECT_EQ(runs(), before) << "tested once";
  EXPECT_EQ(tested_device(good, Device::cuda(), false, true).device, Device::cuda());
  EXPECT_EQ(runs(), before + 1) << "and again after a crash";
  QSettings().remove(QStringLiteral("device_test"));
}

}  // namespace
}  // namespace isolume::test
