// Work on a thread of the pool, its result on the window's thread.
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>

#include "app/models/labels.h"
#include "app/window/widgets/post.h"
#include "app/window/widgets/work_pool.h"
#include "molecule/base/error.h"

namespace isolume {

/// Runs `work` (values in, a value out) on a thread of the pool, then `done(result)` or `failed(message)` on the
/// window's thread, unless `receiver` is gone by then. A cancelled Error calls neither.
template <class Work, class Done>
void run_async(QObject* receiver, Work work, Done done, std::function<void(const QString&)> failed) {
  QPointer<QObject> guard(receiver);
  work_pool().start([guard, work = std::move(work), done = std::move(done), failed = std::move(failed)]() mutable {
    QString message;
    bool cancelled = false;
    std::shared_ptr<decltype(work())> result;
    try {
      result = std::make_shared<decltype(work())>(work());
    } catch (const Error& error) {
      message = to_qt(error.what());
      cancelled = error.kind() == Error::Kind::cancelled;
    } catch (const std::bad_alloc&) {
      message = QStringLiteral("There is not enough memory for this.");
    } catch (const std::exception& error) {
      message = to_qt(error.what());
    }
    if (cancelled) return;
    post(qApp, [guard, result, message, done = std::move(done), failed = std::move(failed)]() mutable {
      if (!guard) return;
      if (result) {
        done(std::move(*result));
      } else if (failed) {
        failed(message);
      }
    });
  });
}

}  // namespace isolume
