// The test of a CUDA device in a program of its own, before the window uses it.
#include "app/window/recovery/device_test.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSettings>

#include "app/models/labels.h"
#include "app/window/recovery/safe_mode.h"
#include "compute/base/device_fault.h"

namespace isolume {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("DeviceTest", text);
}

/// What a test was made of: another driver, device or version of Isolume is another thing.
QString key_of(Device device) {
  QString name;
  for (const DeviceInfo& info : list_devices())
    if (info.device == device) name = to_qt(info.name);
  QString key = QStringLiteral("%1|%2|%3|%4")
                    .arg(to_qt(to_string(device)), name, to_qt(cuda_status()), QStringLiteral(ISOLUME_VERSION));
  return key.replace(QLatin1Char('/'), QLatin1Char('-')).replace(QLatin1Char('\\'), QLatin1Char('-'));
}

}  // namespace

DeviceTest test_device(const QString& program, Device device, int seconds) {
  QProcess test;
  test.setStandardOutputFile(QProcess::nullDevice());
  test.start(program, {QStringLiteral("devices"), QStringLiteral("--test"), QStringLiteral("--device"),
                       to_qt(to_string(device)), QStringLiteral("--quiet")});
  if (!test.waitForStarted(5000)) return {};  // the program's own fault says nothing about the device
  const QString name = to_qt(to_string(device));
  if (!test.waitForFinished(1000 * seconds)) {
    test.kill();
    test.waitForFinished(5000);
    return {false, tr("the test of %1 did not end within %2 s").arg(name).arg(seconds)};
  }
  if (test.exitStatus() != QProcess::NormalExit) return {false, tr("the test of %1 crashed").arg(name)};
  if (test.exitCode() == 0) return {};
  const QString said = QString::fromUtf8(test.readAllStandardError()).trimmed().section(QLatin1Char('\n'), -1);
  return {false, tr("the test of %1 failed: %2").arg(name, said)};
}

TestedDevice tested_device(const QString& program, Device device, bool named, bool after_crash) {
  if (!device.is_cuda() || program.isEmpty()) return {device, {}};
  const QString group = QStringLiteral("device_test/") + key_of(device);
  QSettings settings;
  const int faults = settings.value(group + QStringLiteral("/faults"), 0).toInt();
  const bool known = settings.value(group + QStringLiteral("/good"), false).toBool();
  if (known && !after_crash) return {device, {}};
  DeviceTest test;
  if (faults >= crash_budget && !named) {
    test = {false, tr("%1 is not used: its test has failed %2 times. Choose it under Compute > Device to test it again")
                       .arg(to_qt(to_string(device)))
                       .arg(faults)};
  } else {
    // Counted before, so that what takes the whole machine down counts too.
    settings.setValue(group + QStringLiteral("/faults"), faults + 1);
    settings.setValue(group + QStringLiteral("/good"), false);
    settings.sync();
    test = test_device(program, device);
    if (test.good) {
      settings.setValue(group + QStringLiteral("/faults"), 0);
      settings.setValue(group + QStringLiteral("/good"), true);
      return {device, {}};
    }
  }
  if (named) return {Device::cpu(), test.message};
  retire_device(device, test.message.toStdString());
  const TestedDevice next = tested_device(program, choose_device("auto"), false, after_crash);
  return {next.device, test.message};
}

}  // namespace isolume
