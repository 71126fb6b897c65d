// CUDA's calls on OpenGL's buffers that fail on purpose, counted with all others (faulty_cuda.h).
#pragma once

namespace isolume::test {

/// Puts a table in place over CUDA's own, as long as the program lives. Nothing in a build without CUDA.
void count_interop_calls();

}  // namespace isolume::test
