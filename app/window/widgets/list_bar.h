// The buttons under a list of the scene, and the list's view.
#pragma once

#include <QAction>
#include <QList>
#include <QToolButton>
#include <QWidget>
#include <vector>

class QLabel;
class QStyledItemDelegate;
class QTreeView;

namespace isolume {

class SceneListModel;

/// Add, duplicate, remove, up, down. `what` names one thing of the list ("representation") for tool tips.
class ListBar : public QWidget {
  Q_OBJECT
 public:
  ListBar(const QString& what, QWidget* parent = nullptr);

  QToolButton* add_button() const { return add_; }
  /// Enables what makes sense for the chosen row of `count`; -1 for none.
  void set_state(int row, int count, bool can_add);
  /// Gives the list a context menu that does the same, and shows or hides the selected row.
  void add_menu(QTreeView* list);

 Q_SIGNALS:
  void add();
  void duplicate();
  void remove();
  void move(int by);

 private:
  QToolButton* make(const QString& name, const QString& tip);
  QToolButton* add_;
  QToolButton* duplicate_;
  QToolButton* remove_;
  QToolButton* up_;
  QToolButton* down_;
  QList<QAction*> entries_;  ///< of the context menu: show or hide, duplicate, remove, up, down
};

/// Draws the rows of lists with some air between them.
QStyledItemDelegate* make_roomy_rows(QObject* parent);

/// A view for such a list: whole rows, one at a time, no lines of a tree.
QTreeView* make_list_view(SceneListModel& model, const QString& name, QWidget* parent);

/// A form's text before a field, which names it for screen readers and carries its tool tip.
QLabel* form_label(const QString& text, QWidget* buddy);

}  // namespace isolume
