// The worker that computes fields: the newest request of every field wins.
#pragma once

#include <functional>
#include <memory>

#include "app/session/fields.h"
#include "render/gl/context.h"

namespace isolume {

/// One worker thread with, where given, its own OpenGL context that shares buffers with the window's. A request
/// replaces a waiting one of the same field and cancels a running one of the same field. Callbacks come on the worker
/// thread; the window posts them to its own.
class FieldQueue {
 public:
  struct Callbacks {
    std::function<void(FieldResult)> finished;                        ///< also with FieldResult::error
    std::function<void(std::string what, double fraction)> progress;  ///< what is empty when idle
  };
  FieldQueue(Callbacks callbacks, std::unique_ptr<GlContext> context);
  ~FieldQueue();  ///< cancels and joins

  void submit(FieldRequest request);
  void cancel_all();
  bool busy() const;

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace isolume
