// From any thread to the window's: a call with all that it holds.
#pragma once

#include <QMetaObject>
#include <QObject>
#include <atomic>
#include <memory>
#include <utility>

namespace isolume {

/// Runs `call()` on the thread of `receiver`, from its event loop, unless `receiver` is gone by then. What the calling
/// thread wrote before is seen by the call. Qt's queue does that too, but with locks that the thread sanitizer, which
/// does not know Qt, cannot see; the flag is one that it does.
template <class Call>
void post(QObject* receiver, Call call) {
  struct Parcel {
    explicit Parcel(Call what) : call(std::move(what)) {}
    Call call;
    std::atomic<bool> closed{false};
  };
  auto parcel = std::make_shared<Parcel>(std::move(call));
  parcel->closed.store(true, std::memory_order_release);
  QMetaObject::invokeMethod(
      receiver,
      [parcel = std::move(parcel)] {
        if (parcel->closed.load(std::memory_order_acquire)) parcel->call();
      },
      Qt::QueuedConnection);
}

}  // namespace isolume
