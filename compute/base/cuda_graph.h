// CudaGraph: a sequence of launches recorded once and started again as one.
#pragma once

#include <utility>

#include "compute/base/stream.h"

namespace isolume {

/// CUDA's graph functions, as CudaApi: opaque handles, error codes, null where CUDA is not there.
struct CudaGraphApi {
  int (*begin)(void* stream) = nullptr;                 ///< work of this thread in the stream is recorded, not run
  int (*end)(void* stream, void** runnable) = nullptr;  ///< also after a failure; *runnable is null then
  int (*launch)(void* runnable, void* stream) = nullptr;
  int (*destroy)(void* runnable) = nullptr;
};
/// The table in use: CUDA's own, or a test's.
const CudaGraphApi& cuda_graph_api();
/// Puts a test's table in place; nullptr restores CUDA's. Not while anything computes.
void set_cuda_graph_api_for_test(const CudaGraphApi* api);

/// What a function put into a stream, ready to be started again: the same kernels on the same memory. Move-only.
class CudaGraph {
 public:
  CudaGraph() = default;
  /// Records `work`, which must not wait, allocate, copy to the host, or time its launches. Throws what `work` throws.
  template <class Work>
  static CudaGraph record(Stream& stream, const Work& work) {
    CudaGraph graph;
    cuda_check(cuda_graph_api().begin(stream.handle()), "recording launches");
    try {
      work();
    } catch (...) {
      void* dropped = nullptr;
      cuda_graph_api().end(stream.handle(), &dropped);
      if (dropped) cuda_graph_api().destroy(dropped);
      throw;
    }
    cuda_check(cuda_graph_api().end(stream.handle(), &graph.runnable_), "recording launches");
    return graph;
  }
  ~CudaGraph() {
    if (runnable_) cuda_graph_api().destroy(runnable_);
  }
  CudaGraph(CudaGraph&& other) noexcept : runnable_(std::exchange(other.runnable_, nullptr)) {}
  CudaGraph& operator=(CudaGraph&& other) noexcept {
    std::swap(runnable_, other.runnable_);
    return *this;
  }
  void launch(Stream& stream) const {
    cuda_check(cuda_graph_api().launch(runnable_, stream.handle()), "recorded launches");
  }

 private:
  void* runnable_ = nullptr;
};

}  // namespace isolume
