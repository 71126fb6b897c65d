// Alt+letter reaches the rows of visible panels.
#pragma once

#include <QObject>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace isolume {

/// A panel behind another's tab counts as visible to Qt, so that its rows take letters away from those of the panel in
/// front. Installed on the application, this hands each letter to the first panel in front that has it.
class PanelLetters : public QObject {
  Q_OBJECT
 public:
  explicit PanelLetters(QMainWindow* window);

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QMainWindow* window_;
};

}  // namespace isolume
