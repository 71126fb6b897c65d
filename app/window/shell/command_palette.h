// All actions of the window in one list that is searched by typing.
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QTreeWidget;

namespace isolume {

/// Lists actions with the menu they are in and their keys; what is typed narrows the list, Enter does the first or the
/// selected one. Words that mean the same are found, too: an action's property "words". Actions that cannot be done now
/// are shown dim.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  /// `actions` with the path of their menus ("View: Look from").
  struct Entry {
    QPointer<QAction> action;
    QString place;
  };
  explicit CommandPalette(QList<Entry> entries, QWidget* parent);

  QLineEdit* line() const { return line_; }
  QTreeWidget* list() const { return list_; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void narrow(const QString& text);
  void carry_out();

  QList<Entry> entries_;
  QLineEdit* line_;
  QTreeWidget* list_;
};

/// How well typed words fit a text: each word begins one of its words (best), is in it, or its letters follow one
/// another in it; 0 where a word does not fit at all. In longer texts (`beginnings`) only beginnings of words count, as
/// nearly any letters follow one another there.
int fit_of(const QString& typed, const QString& text, bool beginnings = false);

/// The actions of a menu bar in the order of the menus, without separators and submenus.
QList<CommandPalette::Entry> entries_of(const QWidget* menu_bar);

}  // namespace isolume
