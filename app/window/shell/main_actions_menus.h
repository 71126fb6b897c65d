// What the files of MainActions share: texts and menus.
#pragma once

#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace isolume::actions {

inline QString tr(const char* text) {
  return QCoreApplication::translate("MainActions", text);
}

inline QMenu* menu(QMainWindow& window, const QString& title) {
  QMenu* result = window.menuBar()->addMenu(title);
  result->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  result->setToolTipsVisible(true);
  return result;
}

inline QMenu* submenu(QMenu* parent, const QString& title) {
  QMenu* result = parent->addMenu(title);
  result->setAccessibleName(QString(title).remove(QLatin1Char('&')));
  result->setToolTipsVisible(true);
  return result;
}

}  // namespace isolume::actions
