// One program for all files that are opened from the desktop.
#include "app/window/shell/instance.h"

#include <unistd.h>

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalServer>
#include <QLocalSocket>

namespace isolume {
namespace {

constexpr int longest_wait = 2000;              // ms
constexpr qint64 most_bytes = qint64{1} << 20;  // of a message

}  // namespace

Instance::Instance(const QString& name, QObject* parent)
    : QObject(parent), name_(name), server_(new QLocalServer(this)) {
  server_->setSocketOptions(QLocalServer::UserAccessOption);
  connect(server_, &QLocalServer::newConnection, this, &Instance::take);
}

QString Instance::usual_name() {
  const QByteArray display = qgetenv("WAYLAND_DISPLAY") + '|' + qgetenv("DISPLAY");
  return QStringLiteral("isolume-%1-%2")
      .arg(getuid())
      .arg(QString::fromLatin1(QCryptographicHash::hash(display, QCryptographicHash::Sha1).toHex().left(8)));
}

bool Instance::hand_over(const QStringList& files, const QString& name) {
  QLocalSocket socket;
  socket.connectToServer(name);
  if (!socket.waitForConnected(longest_wait)) return false;
  socket.write(QJsonDocument(QJsonArray::fromStringList(files)).toJson(QJsonDocument::Compact) + '\n');
  if (!socket.waitForBytesWritten(longest_wait)) return false;
  // The other one says that it has understood: one that hangs takes nothing over.
  return socket.waitForReadyRead(longest_wait) && socket.readAll().startsWith("ok");
}

bool Instance::listen() {
  // Listening takes the name over from whoever has it, so it is asked first who does.
  QLocalSocket probe;
  probe.connectToServer(name_);
  if (probe.waitForConnected(longest_wait)) return false;
  QLocalServer::removeServer(name_);  // left by one that ended unexpectedly
  return server_->listen(name_);
}

void Instance::take() {
  while (QLocalSocket* socket = server_->nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
      if (socket->bytesAvailable() > most_bytes) {
        socket->abort();
        return;
      }
      if (!socket->canReadLine()) return;
      const QJsonDocument message = QJsonDocument::fromJson(socket->readLine());
      if (!message.isArray()) {
        socket->abort();
        return;
      }
      QStringList files;
      for (const auto& value : message.array()) files += value.toString();
      socket->write("ok\n");
      socket->flush();
      Q_EMIT asked(files);
    });
  }
}

}  // namespace isolume
