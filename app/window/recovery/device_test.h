// The test of a CUDA device in a program of its own, before the window uses it.
#pragma once

#include <QString>

#include "compute/base/device.h"

namespace isolume {

/// What the test of a device said.
struct DeviceTest {
  bool good = true;
  QString message;  ///< where it is not: what failed, in a sentence
};

/// Runs `program devices --test --device NAME` and waits for its end, `seconds` at most: a driver that crashes or hangs
/// takes that program with it, and not the window. On any thread but the window's.
DeviceTest test_device(const QString& program, Device device, int seconds = 20);

/// The device where it may be used, else the CPU or another one, and why (empty otherwise). A device is tested once
/// with a driver, and again after a session that ended unexpectedly. One whose test has crashed or failed as often as
/// the crash budget allows is not tried again with that driver, unless `named`: the user asked for it.
struct TestedDevice {
  Device device;
  QString why;
};
TestedDevice tested_device(const QString& program, Device device, bool named, bool after_crash);

}  // namespace isolume
