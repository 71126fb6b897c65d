// Named selections: their panel and their actions.
#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QWidget>

#include "app/window/live/scene_controller.h"

class QLabel;
class QToolButton;
class QTreeWidget;

namespace isolume {

class SelectActions;

/// The named selections of the scene as rows: select, show, rename and remove them. Fills the menu of names too.
class NamedSelections : public QWidget {
  Q_OBJECT
 public:
  /// `menu`: gets an action that saves the current selection, and a menu of the names.
  NamedSelections(SceneController& controller, SelectActions& select, QMenu& menu, QWidget* parent = nullptr);

  /// The actions that have names of their own.
  QList<QAction*> all() const { return {save_, rename_, remove_, show_}; }
  QTreeWidget* list() const { return list_; }
  QMenu* names() const { return names_; }

  /// Keeps what is selected under a name, in place of what had it. Throws Error (usage) for a name that cannot be one,
  /// and where nothing is selected.
  void save(const QString& name);
  void select(const QString& name);
  /// Adds a representation of the atoms.
  void show_atoms(const QString& name);
  void rename(const QString& from, const QString& to);
  void remove(const QString& name);

 Q_SIGNALS:
  void failed(const QString& message);
  void told(const QString& message);

 private:
  void show_scene(const Scene& scene);
  void enable();
  void ask_name();
  QString current() const;

  SceneController& controller_;
  SelectActions& select_;
  QAction *save_, *rename_, *remove_, *show_;
  QMenu* names_;
  QTreeWidget* list_;
  QLabel* empty_;
};

}  // namespace isolume
