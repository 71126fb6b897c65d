// Isolume whose CUDA and OpenGL fail where the environment says so: the program of the tests of faults, never
// installed.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "app/cli/cli.h"
#include "render/gl/context_loss.h"
#include "tests/support/faulty_cuda.h"
#ifdef ISOLUME_TEST_INTEROP
#include "tests/support/faulty_interop.h"
#endif

namespace {

/// ISOLUME_TEST_RESET=N: the N-th time that somebody asks, the OpenGL context is lost.
void lose_context_as_environment_says() {
  const char* value = std::getenv("ISOLUME_TEST_RESET");
  if (!value) return;
  isolume::set_reset_status_for_test([left = std::atoi(value)]() mutable -> unsigned {
    constexpr unsigned unknown = 0x8255;  // GL_UNKNOWN_CONTEXT_RESET
    return --left == 0 ? unknown : 0u;
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    isolume::test::fail_as_environment_says();
    lose_context_as_environment_says();
#ifdef ISOLUME_TEST_INTEROP
    isolume::test::count_interop_calls();
#endif
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return isolume::cli::run(argc, argv);
}
