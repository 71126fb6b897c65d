// The window's place on the screen and the arrangement of its panels, kept between runs.
#include "app/window/shell/window_layout.h"

#include <signal.h>
#include <unistd.h>

#include <QGuiApplication>
#include <QLayout>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

#include "app/window/recovery/safe_mode.h"

namespace isolume {
namespace {

/// Room for the frame that a window manager adds, which is not known before the window is shown.
constexpr QSize frame(16, 48);

constexpr int version = 4;  // of the panels' arrangement: others are not restored

const QString place_key = QStringLiteral("window/place"), maximised_key = QStringLiteral("window/maximised"),
              layout_key = QStringLiteral("layout"), mark_key = QStringLiteral("window/starting"),
              former_key = QStringLiteral("geometry");  // of versions that kept both in one value

bool marked = false;

/// Whether enough of a window's title would be on some screen to take hold of it.
bool within_reach(const QRect& place) {
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QRect part = screen->availableGeometry() & QRect(place.topLeft(), QSize(place.width(), 40));
    if (part.width() >= 100 && part.height() >= 20) return true;
  }
  return false;
}

}  // namespace

void restore_layout(QMainWindow& window) {
  const QSettings settings;
  // Qt keeps the least size of panels that are hidden by now.
  if (QLayout* layout = window.layout()) layout->activate();
  window.resize(1280, 820);
  if (const QScreen* here = window.screen()) window.resize(window.size().boundedTo(here->availableSize() - frame));
  if (safe_mode() != SafeMode::off) return;  // the kept one stays kept
  const QRect place = settings.value(place_key).toRect();
  if (place.isValid() && within_reach(place)) window.setGeometry(place);
  window.restoreState(settings.value(layout_key).toByteArray(), version);
  if (settings.value(maximised_key).toBool()) window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

void save_layout(const QMainWindow& window) {
  if (safe_mode() != SafeMode::off) return;
  QSettings settings;
  settings.setValue(place_key, window.normalGeometry());
  settings.setValue(maximised_key, window.isMaximized());
  settings.setValue(layout_key, window.saveState(version));
  settings.remove(former_key);
}

void begin_start() {
  QSettings settings;
  const qint64 other = settings.value(mark_key, 0).toLongLong();
  // In containers every start has the same number.
  const bool alive = other > 0 && other != getpid() && kill(static_cast<pid_t>(other), 0) == 0;
  if (other > 0 && !alive)
    for (const QString& key : {place_key, maximised_key, layout_key, former_key}) settings.remove(key);
  settings.setValue(mark_key, static_cast<qint64>(getpid()));
  settings.sync();  // before anything can go wrong
  marked = true;
}

void end_start() {
  if (!marked) return;
  marked = false;
  QSettings().remove(mark_key);
}

}  // namespace isolume
