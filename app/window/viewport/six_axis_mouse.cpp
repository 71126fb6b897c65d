// A 3-D mouse, by the daemon that all programs share.
#include "app/window/viewport/six_axis_mouse.h"

#include <QFile>
#include <QLocalSocket>
#include <algorithm>
#include <array>
#include <cstdint>

namespace isolume {
namespace {

/// An event as it is sent, in the machine's order of bytes: its kind, then the axes and the time, or the button.
using Event = std::array<std::int32_t, 8>;
enum Kind { motion = 0, press = 1, release = 2 };
/// Kinds of later versions of the protocol are passed over; what is beyond them is no daemon.
constexpr std::int32_t most_kinds = 256;

}  // namespace

SixAxisMouse::SixAxisMouse(QObject* parent) : QObject(parent), socket_(new QLocalSocket(this)) {
  connect(socket_, &QLocalSocket::readyRead, this, &SixAxisMouse::read);
  connect(socket_, &QLocalSocket::connected, this, [this] { Q_EMIT connection_changed(true); });
  connect(socket_, &QLocalSocket::disconnected, this, [this] { Q_EMIT connection_changed(false); });
}

QString SixAxisMouse::usual_socket() {
  const QString wanted = qEnvironmentVariable("SPNAV_SOCKET");
  if (!wanted.isEmpty()) return wanted;
  QFile settings(QStringLiteral("/etc/spnavrc"));
  if (settings.open(QIODevice::ReadOnly)) {
    constexpr qint64 most = 1 << 16;
    for (const QByteArray& line : settings.read(most).split('\n')) {
      const QByteArray text = line.trimmed();
      const qsizetype sign = text.indexOf('=');
      if (sign > 0 && text.left(sign).trimmed() == "socket" && sign + 1 < text.size())
        return QString::fromLocal8Bit(text.mid(sign + 1).trimmed());
    }
  }
  return QStringLiteral("/var/run/spnav.sock");
}

bool SixAxisMouse::connected() const {
  return socket_->state() == QLocalSocket::ConnectedState;
}

void SixAxisMouse::set_on(bool on) {
  on_ = on;
  if (on) {
    look_again();
  } else {
    socket_->abort();
  }
}

void SixAxisMouse::look_again() {
  if (on_ && socket_->state() == QLocalSocket::UnconnectedState)
    socket_->connectToServer(usual_socket(), QIODevice::ReadOnly);
}

void SixAxisMouse::read() {
  QList<SixAxisMotion> motions;
  Event event;
  while (socket_->bytesAvailable() >= qint64{sizeof event}) {
    socket_->read(reinterpret_cast<char*>(event.data()), sizeof event);
    if (event[0] < 0 || event[0] >= most_kinds) {
      socket_->abort();
      break;
    }
    if (event[0] == press) Q_EMIT pressed(event[1]);
    if (event[0] != motion) continue;
    SixAxisMotion one;
    std::copy_n(event.begin() + 1, one.axes.size(), one.axes.begin());
    one.milliseconds = event[7];
    // The cap at rest is told as well.
    if (one.axes != SixAxisMotion{}.axes) motions.append(one);
  }
  if (!motions.isEmpty()) Q_EMIT moved(motions);
}

}  // namespace isolume
