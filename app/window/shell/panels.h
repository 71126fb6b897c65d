// The panels of a window: each is found by its name or its class, and knows where it belongs.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <vector>

namespace isolume {

/// Where a panel is in the usual layout.
enum class PanelPlace {
  right,   ///< one tab of those next to the 3D view
  frames,  ///< below the 3D view; shown where there are frames
  bottom,  ///< one tab of those at the bottom; hidden until it is asked for
};

/// Docks with their titles, menu entries and keys. Panels are numbered in the order in which they are added: Alt+1 to
/// Alt+9, then Alt+0; the tabs have the same order.
class Panels : public QObject {
  Q_OBJECT
 public:
  /// `menu`: where the entries go that show and hide the panels.
  Panels(QMainWindow& window, QMenu& menu);

  /// Puts a panel into a dock of its own. `name` is that of the dock: layouts are saved by it, so it never changes.
  /// `words`: what else the search for actions finds the panel by. Returns the action that shows it; from the eleventh
  /// on it has no key of its own.
  QAction* add(const char* name, const QString& title, PanelPlace place, QWidget* panel, const QString& words = {});
  /// The dock of that name. Throws Error where there is none.
  QDockWidget& dock(const char* name) const;
  /// The panel of that class, which was added.
  template <class Panel>
  Panel& get() const {
    for (const Entry& entry : entries_)
      if (auto* panel = qobject_cast<Panel*>(entry.panel)) return *panel;
    missing(Panel::staticMetaObject.className());
  }
  /// All of them, in the order in which they were added.
  std::vector<QDockWidget*> docks() const;
  /// The dock that holds a widget, null where none does.
  QDockWidget* dock_of(const QWidget* widget) const;

  /// Shows a panel in front of its neighbours; with `focus`, the keys go to it.
  void raise(const char* name, bool focus = false);
  /// All panels where they belong.
  void lay_out();
  /// After the layout was restored: whether the user wants the panel of the frames, where there are some.
  void restore();
  void save() const;
  /// The panel of the frames is there where there are frames, unless the user has hidden it. True where there are some
  /// now and were none before, or the other way round.
  bool show_frames(bool frames);

 private:
  struct Entry {
    QWidget* panel;
    QDockWidget* dock;
    PanelPlace place;
  };
  [[noreturn]] static void missing(const char* what);
  QDockWidget& frames_dock() const;
  void raise(QDockWidget& dock, bool focus);
  /// Opened again at the bottom it has the height it is used at, not the little that was left for it.
  void grow(QDockWidget* dock);

  QMainWindow& window_;
  QMenu& menu_;
  std::vector<Entry> entries_;
  bool has_frames_ = false;
  bool wants_frames_ = true;  ///< the panel of the frames, where there are some
};

}  // namespace isolume
