// ISOLUME_HOST_DEVICE: marks the small functions that the CPU and the CUDA bodies share.
#pragma once

#ifdef __CUDACC__
#define ISOLUME_HOST_DEVICE __host__ __device__
#else
#define ISOLUME_HOST_DEVICE
#endif
