// CUDA's graph functions behind CudaGraphApi.
#include <cuda_runtime.h>

#include <atomic>

#include "compute/base/cuda_graph.h"

namespace isolume {

namespace {

std::atomic<const CudaGraphApi*> test_api{nullptr};

int end_recording(void* stream, void** runnable) {
  *runnable = nullptr;
  cudaGraph_t graph = nullptr;
  cudaError_t code = cudaStreamEndCapture(static_cast<cudaStream_t>(stream), &graph);
  if (code == cudaSuccess) {
    cudaGraphExec_t made = nullptr;
    code = cudaGraphInstantiate(&made, graph, 0);
    if (code == cudaSuccess) *runnable = made;
  }
  if (graph) cudaGraphDestroy(graph);
  return code;
}

}  // namespace

void set_cuda_graph_api_for_test(const CudaGraphApi* api) {
  test_api.store(api, std::memory_order_release);
}

const CudaGraphApi& cuda_graph_api() {
  if (const CudaGraphApi* replaced = test_api.load(std::memory_order_acquire)) return *replaced;
  static const CudaGraphApi api{
      [](void* stream) -> int {
        return cudaStreamBeginCapture(static_cast<cudaStream_t>(stream), cudaStreamCaptureModeThreadLocal);
      },
      end_recording,
      [](void* runnable, void* stream) -> int {
        return cudaGraphLaunch(static_cast<cudaGraphExec_t>(runnable), static_cast<cudaStream_t>(stream));
      },
      [](void* runnable) -> int { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(runnable)); }};
  return api;
}

}  // namespace isolume
