// SIGTERM, SIGINT and SIGHUP as a signal of Qt.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace isolume {

/// While it lives, the first of these signals asks everything to stop (molecule/base/stop.h) and comes as asked() in
/// the event loop; a second one ends the program. Writing to a closed pipe, or beyond the largest file, fails instead
/// of ending it. One in a program.
class EndSignals : public QObject {
  Q_OBJECT
 public:
  explicit EndSignals(QObject* parent = nullptr);
  ~EndSignals() override;

 Q_SIGNALS:
  void asked();

 private:
  QSocketNotifier* notifier_ = nullptr;
};

}  // namespace isolume
