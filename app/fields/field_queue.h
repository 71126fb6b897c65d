// The worker that computes fields: the newest request of every field wins.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "app/fields/fields.h"
#include "render/gl/context.h"

namespace isolume {

/// One worker thread with, where given, its own OpenGL context that shares buffers with the window's. A request
/// replaces a waiting one of the same field and cancels a running one of the same field. Callbacks come on the worker
/// thread; the window posts them to its own. What fails because its CUDA device does is computed again on another
/// device, at last on the CPU.
class FieldQueue {
 public:
  struct Callbacks {
    std::function<void(FieldResult)> finished;                        ///< also with FieldResult::error
    std::function<void(std::string what, double fraction)> progress;  ///< empty when idle
    /// A device failed, with these words, and `next` computes instead; `lost`: it computes nothing more. May be null.
    std::function<void(const std::string& fault, bool lost, Device next)> device_failed = nullptr;
  };
  FieldQueue(Callbacks callbacks, std::unique_ptr<GlContext> context);
  ~FieldQueue();  ///< cancels and joins
  FieldQueue(const FieldQueue&) = delete;
  FieldQueue& operator=(const FieldQueue&) = delete;

  void submit(FieldRequest request);
  /// Drops what waits and stops what runs; neither calls back.
  void cancel_all();
  void cancel(std::size_t field_index);  ///< the same for one field
  bool busy() const;

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace isolume
