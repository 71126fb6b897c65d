// Isolume: a subcommand runs on the command line, everything else opens the window.
#include <cstdio>

#include "app/cli/cli.h"
#ifdef ISOLUME_HAS_WINDOW
#include "app/window/shell/run_window.h"
#endif
#include "render/gl/bundled_opengl.h"

int main(int argc, char** argv) {
  isolume::start_with_bundled_opengl(argv);
  if (isolume::cli::is_command_line(argc, argv)) return isolume::cli::run(argc, argv);
#ifdef ISOLUME_HAS_WINDOW
  return isolume::run_window(argc, argv);
#else
  std::fputs("isolume: this program was built without its window; see isolume --help\n", stderr);
  return 2;
#endif
}
