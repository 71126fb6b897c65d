// A 3-D mouse, by the daemon that all programs share.
#pragma once

#include <QList>
#include <QObject>

#include "app/window/settings/six_axis_use.h"

class QLocalSocket;

namespace isolume {

/// Listens to spacenavd by the first version of its socket protocol, which every version speaks: 32 bytes an event,
/// nothing has to be sent. Without the daemon nothing happens.
class SixAxisMouse : public QObject {
  Q_OBJECT
 public:
  explicit SixAxisMouse(QObject* parent = nullptr);

  /// Where the daemon listens: SPNAV_SOCKET, else what /etc/spnavrc says, else /var/run/spnav.sock.
  static QString usual_socket();

  /// Connects, or ends the connection.
  void set_on(bool on);
  /// Tries again where there is no connection and one is wanted. Returns at once.
  void look_again();
  bool connected() const;

 Q_SIGNALS:
  /// All that has come since the last time, at least one.
  void moved(const QList<isolume::SixAxisMotion>& motions);
  /// A button went down, counted from 0.
  void pressed(int button);
  void connection_changed(bool connected);

 private:
  void read();

  QLocalSocket* socket_;
  bool on_ = false;
};

}  // namespace isolume
