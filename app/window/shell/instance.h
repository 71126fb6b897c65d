// One program for all files that are opened from the desktop.
#pragma once

#include <QObject>
#include <QStringList>

class QLocalServer;

namespace isolume {

/// The running program listens on a socket of its user and display; another one that is started with --reuse hands its
/// files over and ends.
class Instance : public QObject {
  Q_OBJECT
 public:
  explicit Instance(const QString& name = usual_name(), QObject* parent = nullptr);

  static QString usual_name();
  /// Gives files (absolute paths; none asks for an empty window) to the running program; false where there is none.
  static bool hand_over(const QStringList& files, const QString& name = usual_name());
  /// True where this program is now the one that is asked; false where another one is.
  bool listen();

 Q_SIGNALS:
  void asked(const QStringList& files);

 private:
  void take();

  QString name_;
  QLocalServer* server_;
};

}  // namespace isolume
