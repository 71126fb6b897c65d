// CUDA's graph functions behind CudaGraphApi.
#include <cuda_runtime.h>

#include "compute/base/cuda_graph.h"

namespace isolume {

namespace {

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

const CudaGraphApi& cuda_graph_api() {
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
