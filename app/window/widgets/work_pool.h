// The threads of the window's work.
#pragma once

#include <QThreadPool>

namespace isolume {

/// Qt's own pool is left to Qt: it fills large areas on it and waits for them, so that the window would stand still
/// while work has all of its threads.
inline QThreadPool& work_pool() {
  static QThreadPool pool;
  return pool;
}

}  // namespace isolume
