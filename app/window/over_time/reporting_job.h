// A job whose progress comes to the window's thread, some ten times a second.
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>

#include "compute/base/job.h"

namespace isolume {

/// `tell(what, fraction)` is called on the window's thread while `receiver` and the job are there and the job was not
/// cancelled.
template <class Receiver>
std::shared_ptr<Job> reporting_job(Receiver* receiver, const QString& what,
                                   std::function<void(const QString&, double)> tell) {
  auto said = std::make_shared<std::chrono::steady_clock::time_point>();
  auto own = std::make_shared<std::weak_ptr<Job>>();
  auto job = std::make_shared<Job>(
      [guard = QPointer<QObject>(receiver), what, tell = std::move(tell), said, own](double done, const std::string&) {
        const auto now = std::chrono::steady_clock::now();
        if (now - *said < std::chrono::milliseconds(100)) return;
        *said = now;
        QMetaObject::invokeMethod(
            qApp,
            [guard, what, tell, own, done] {
              // A job that is done or was replaced says nothing any more.
              const auto alive = own->lock();
              if (guard && alive && !alive->cancelled()) tell(what, done);
            },
            Qt::QueuedConnection);
      });
  *own = job;
  return job;
}

}  // namespace isolume
