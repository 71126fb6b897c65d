// The actions of the Help menu: manual, tour, keys, about, system report; and the command palette.
#pragma once

#include <QObject>

namespace isolume {

class MainWindow;

class WindowHelp : public QObject {
  Q_OBJECT
 public:
  explicit WindowHelp(MainWindow& window);

 private:
  void show_palette();
  void show_manual();
  void show_tour();
  void show_report();
  void show_about();
  void show_shortcuts();

  MainWindow& window_;
};

}  // namespace isolume
