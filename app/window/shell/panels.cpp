// The panels of a window: each is found by its name or its class, and knows where it belongs.
#include "app/window/shell/panels.h"

#include <QAction>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <algorithm>

#include "app/window/widgets/panel_form.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

const char* const frames_key = "window/trajectory_panel";

// One that is a tab behind another counts as visible to Qt, which has moved it out of the window.
bool in_front(const QDockWidget& dock) {
  return !dock.isHidden() && !dock.visibleRegion().isEmpty();
}

}  // namespace

Panels::Panels(QMainWindow& window, QMenu& menu) : QObject(&window), window_(window), menu_(menu) {}

QAction* Panels::add(const char* name, const QString& title, PanelPlace place, QWidget* panel, const QString& words) {
  auto* dock = new QDockWidget(title, &window_);
  dock->setObjectName(QLatin1String(name));
  dock->setAccessibleName(tr("%1, panel").arg(title));
  dock->setWidget(place == PanelPlace::frames ? panel : scroll_panel(panel));
  window_.addDockWidget(place == PanelPlace::right ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, dock);
  entries_.push_back({panel, dock, place});
  auto* action = new QAction(title, &window_);
  action->setCheckable(true);
  action->setToolTip(tr("Bring the panel %1 to the front; hide it if it is there").arg(title));
  if (entries_.size() <= 10)
    action->setShortcut(QKeySequence(Qt::ALT | (Qt::Key_0 + static_cast<int>(entries_.size()) % 10)));
  if (!words.isEmpty()) action->setProperty("words", words);
  connect(action, &QAction::triggered, this, [this, dock, action] {
    in_front(*dock) ? dock->hide() : raise(*dock, true);
    action->setChecked(!dock->isHidden());
  });
  connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
  if (place != PanelPlace::frames)
    connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool shown) {
      if (shown) grow(dock);
    });
  menu_.addAction(action);
  return action;
}

void Panels::grow(QDockWidget* dock) {
  if (!window_.isVisible() || window_.dockWidgetArea(dock) != Qt::BottomDockWidgetArea) return;
  QTimer::singleShot(0, dock, [this, dock] {
    // As high as what it shows wants to be, within the part of the window that leaves the picture the larger one.
    const int least = 16 * window_.fontMetrics().height(), most = 2 * window_.height() / 5;
    const int frame = dock->minimumSizeHint().height() - dock->widget()->minimumSizeHint().height();
    const int wanted = std::min(std::max(least, dock->widget()->sizeHint().height() + frame), most);
    // Where docks are tabs of one place, its height has their bar.
    const int bar = window_.tabifiedDockWidgets(dock).isEmpty() ? 0 : 2 * window_.fontMetrics().height();
    if (dock->height() < wanted) window_.resizeDocks({dock}, {wanted + bar}, Qt::Vertical);
  });
}

QDockWidget& Panels::dock(const char* name) const {
  for (const Entry& entry : entries_)
    if (entry.dock->objectName() == QLatin1String(name)) return *entry.dock;
  missing(name);
}

void Panels::missing(const char* what) {
  throw Error(std::string("the window has no panel '") + what + "'");
}

std::vector<QDockWidget*> Panels::docks() const {
  std::vector<QDockWidget*> out;
  for (const Entry& entry : entries_) out.push_back(entry.dock);
  return out;
}

QDockWidget* Panels::dock_of(const QWidget* widget) const {
  for (const Entry& entry : entries_)
    if (widget && entry.dock->isAncestorOf(widget)) return entry.dock;
  return nullptr;
}

QDockWidget& Panels::frames_dock() const {
  for (const Entry& entry : entries_)
    if (entry.place == PanelPlace::frames) return *entry.dock;
  missing("of the frames");
}

void Panels::raise(const char* name, bool focus) {
  raise(dock(name), focus);
}

void Panels::raise(QDockWidget& dock, bool focus) {
  dock.show();
  dock.raise();
  if (!focus) return;
  for (const Entry& entry : entries_)
    if (entry.dock == &dock && entry.panel->focusProxy() != nullptr)
      return entry.panel->setFocus(Qt::ShortcutFocusReason);
  QWidget* widget = dock.widget();
  do {
    widget = widget->nextInFocusChain();
    const bool takes = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() && widget->isEnabled();
    if (!takes || !dock.widget()->isAncestorOf(widget)) continue;
    widget->setFocus(Qt::ShortcutFocusReason);
    return;
  } while (widget != dock.widget());
}

void Panels::lay_out() {
  for (const Entry& entry : entries_) {
    entry.dock->setFloating(false);
    entry.dock->show();
  }
  wants_frames_ = true;
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QDockWidget *first = nullptr, *last = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.place != PanelPlace::right) continue;
    window_.addDockWidget(Qt::RightDockWidgetArea, entry.dock);
    if (last) window_.tabifyDockWidget(last, entry.dock);
    if (!first) first = entry.dock;
    last = entry.dock;
  }
  QDockWidget& frames = frames_dock();
  window_.addDockWidget(Qt::BottomDockWidgetArea, &frames);
  last = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.place != PanelPlace::bottom) continue;
    last ? window_.tabifyDockWidget(last, entry.dock) : window_.splitDockWidget(&frames, entry.dock, Qt::Vertical);
    last = entry.dock;
  }
  for (const Entry& entry : entries_)
    if (entry.place == PanelPlace::bottom) entry.dock->hide();
  frames.setVisible(has_frames_);
  first->raise();
  // With the tabs at its side; the 3D view keeps the larger part, unless panels would be cut then.
  const int whole = window_.isVisible() ? window_.width() : std::min(1280, window_.screen()->availableSize().width());
  int tabs = 0, needed = 0;
  for (const Entry& entry : entries_)
    if (entry.place == PanelPlace::right) {
      tabs = std::max(tabs, window_.fontMetrics().horizontalAdvance(entry.dock->windowTitle()));
      needed = std::max(needed, entry.panel->minimumSizeHint().width());
    }
  tabs += 2 * window_.fontMetrics().height();  // the space around their texts
  const int most = std::max(48 * whole / 100, std::min(needed + tabs, 62 * whole / 100));
  const int width = std::min(window_.fontMetrics().averageCharWidth() * 60 + tabs, most);
  window_.resizeDocks({first}, {width}, Qt::Horizontal);
  window_.resizeDocks({&frames}, {frames.sizeHint().height()}, Qt::Vertical);
}

void Panels::restore() {
  // Hidden where there are no frames, or by the user while there were some.
  wants_frames_ = QSettings().value(QLatin1String(frames_key), true).toBool();
  frames_dock().hide();
}

void Panels::save() const {
  QSettings().setValue(QLatin1String(frames_key), has_frames_ ? !frames_dock().isHidden() : wants_frames_);
}

bool Panels::show_frames(bool frames) {
  if (frames == has_frames_) return false;
  QDockWidget& dock = frames_dock();
  has_frames_ = frames;
  if (!frames) wants_frames_ = !dock.isHidden();
  dock.setVisible(frames && wants_frames_);
  return true;
}

}  // namespace isolume
