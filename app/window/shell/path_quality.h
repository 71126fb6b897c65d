// The render quality of the 3-D view: drawn as ever, or path traced as soon as nothing moves.
#pragma once

#include <QObject>
#include <QString>

#include "app/window/path/path_view.h"

namespace isolume {

class MainWindow;

/// While it is on, path tracing begins where the view is at rest and its fields are computed; each pass is shown.
/// Whatever changes camera, scene or window cancels it, and the rasteriser's picture is seen again until the next rest.
class PathQuality : public QObject {
  Q_OBJECT
 public:
  explicit PathQuality(MainWindow& window);

  bool on() const { return on_; }
  void set_on(bool on);
  /// After so many samples a picture is done. Images that are exported as they are seen have as many.
  int samples() const { return samples_; }
  void set_samples(int samples) { samples_ = samples; }
  /// Of the picture that is seen; 0: it is the rasteriser's.
  int shown_samples() const { return shown_; }
  bool tracing() const { return worker_.busy(); }

 Q_SIGNALS:
  /// Another pass is seen, or the rasteriser's picture again.
  void shown_changed(int samples);

 private:
  /// Begins where it is time.
  void consider();
  void begin();
  void cancel();
  void take(const PathPass& pass);

  MainWindow& window_;
  PathView worker_;
  bool on_ = false;
  int samples_ = 256, shown_ = 0;
  QString refused_;  ///< why the view as it is cannot be traced; empty: not known
  QString told_;     ///< the same, as it was said last
};

}  // namespace isolume
