// A window on a display, with what its tests need to wait and to look.
#pragma once

#include <gtest/gtest.h>

#include <QImage>
#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <optional>

#include "app/window/shell/main_window.h"
#include "render/image/image.h"

namespace isolume::test {

class WindowTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs the event loop until the condition holds; false after `ms`, which only what hangs should meet: fields are
  /// computed by a thread that gives way to all else on the machine.
  static bool wait_until(const std::function<bool()>& condition, int ms = 100000);
  /// Waits until the picture shows the scene with all its fields.
  bool wait_for_picture();
  /// Opens files as a drop would, and waits for their picture.
  bool open(const QStringList& paths);
  /// The viewport's framebuffer at rest.
  Image shot();
  /// Where an atom is in the viewport, by the camera and the frame that is shown.
  QPoint place_of(PickedAtom atom);
  /// Writes a picture of the whole window where ISOLUME_SCREENSHOTS names a folder; dark
  /// where ISOLUME_SCREENSHOTS_DARK is set.
  void screenshot(const QString& name);

  /// A file of `frames` frames of a small molecule (ethanol's heavy atoms and hydrogens) that breathes.
  QString write_breathing_xyz(int frames);
  /// A crystal of sodium chloride of n x n x n ions with their charges.
  QString write_salt_pqr(int n);
  QString temporary(const QString& name) const { return folder_.filePath(name); }

  QTemporaryDir folder_;
  std::optional<QStringList> files_before_;  ///< next to those of the sources that tests open
  std::unique_ptr<MainWindow> window_;
};

Image to_image(const QImage& picture);

/// Runs one test by itself, in a program with these variables; shows what it printed where it failed.
void run_alone(const QString& test, const QList<QPair<QString, QString>>& variables);

}  // namespace isolume::test
