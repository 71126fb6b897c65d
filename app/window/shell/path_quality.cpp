// The render quality of the 3-D view: drawn as ever, or path traced as soon as nothing moves.
#include "app/window/shell/path_quality.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/models/labels.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/status_line.h"
#include "molecule/base/error.h"

namespace isolume {

PathQuality::PathQuality(MainWindow& window) : window_(window) {
  const QList<QAction*>& actions = window.commands().qualities;
  connect(actions[0], &QAction::triggered, this, [this] { set_on(false); });
  connect(actions[1], &QAction::triggered, this, [this] { set_on(true); });
  Viewport& viewport = window.viewport();
  connect(&viewport, &Viewport::picture_asked, this, &PathQuality::cancel);
  connect(&viewport, &Viewport::came_to_rest, this, &PathQuality::consider);
  // Fields that come last, and leave the picture as it was.
  connect(&window.picture(), &LivePicture::shown, this, &PathQuality::consider);
  connect(&window.fields(), &LiveFields::results_changed, this, &PathQuality::consider);
  connect(&viewport, &Viewport::context_going, this, [this] {
    cancel();
    worker_.stop();
  });
  connect(&worker_, &PathView::passed, this, &PathQuality::take);
  connect(&worker_, &PathView::failed, this, [this](const QString& message) {
    window_.status().show_traced(tr("Not path traced"), message);
    refused_ = message;
    // Said once, not after each movement.
    if (std::exchange(told_, message) != message) window_.say(tr("Not path traced: %1").arg(message), false);
  });
}

void PathQuality::set_on(bool on) {
  window_.commands().qualities[on ? 1 : 0]->setChecked(true);
  if (on == on_) return;
  on_ = on;
  refused_.clear();
  told_.clear();
  if (on) return consider();
  cancel();
  worker_.stop();  // the scene that it keeps may be large
}

void PathQuality::cancel() {
  worker_.cancel();
  refused_.clear();
  window_.status().show_traced({}, {});
  if (std::exchange(shown_, 0) == 0) return;
  window_.viewport().show_traced({});
  Q_EMIT shown_changed(0);
}

void PathQuality::consider() {
  const Viewport& viewport = window_.viewport();
  if (!on_ || worker_.busy() || shown_ > 0 || !refused_.isEmpty()) return;
  if (!viewport.ready() || !viewport.at_rest() || !window_.picture().settled()) return;
  if (viewport.view() && !(viewport.view()->items.empty() && viewport.view()->tiles.empty())) begin();
}

void PathQuality::begin() {
  Viewport& viewport = window_.viewport();
  PathView::Request request;
  request.view = viewport.view();
  request.camera = viewport.camera();
  request.look = window_.controller().scene().look;
  request.pixel_ratio = viewport.devicePixelRatioF();
  request.width = std::max(1, qRound(viewport.width() * request.pixel_ratio));
  request.height = std::max(1, qRound(viewport.height() * request.pixel_ratio));
  request.vision = viewport.vision();
  request.device = window_.fields().device();
  request.samples = samples_;
  try {
    if (!worker_.started()) worker_.start(viewport.create_shared_context());
  } catch (const Error& error) {
    refused_ = to_qt(error.what());
    return window_.say(tr("Not path traced: %1").arg(refused_), true);
  }
  worker_.request(std::move(request));
  window_.status().show_traced(tr("Path tracing..."), tr("The first picture is being path traced"));
}

void PathQuality::take(const PathPass& pass) {
  shown_ = pass.samples;
  window_.viewport().show_traced(pass.picture);
  const QString samples = pass.samples == 1 ? tr("1 sample") : tr("%1 samples").arg(pass.samples);
  const QString error =
      std::isfinite(pass.standard_error) ? tr(", standard error %1").arg(pass.standard_error, 0, 'g', 2) : QString();
  QString tip = tr("%1 of %2 samples per pixel, on %3. Standard error of the brightness of a pixel, where white is 1")
                    .arg(pass.samples)
                    .arg(samples_)
                    .arg(pass.device);
  for (const QString& note : pass.left_out) tip += QLatin1Char('\n') + note;
  window_.status().show_traced(
      (worker_.busy() ? tr("Path tracing: %1%2") : tr("Path traced: %1%2")).arg(samples, error), tip);
  Q_EMIT shown_changed(shown_);
}

}  // namespace isolume
