// The program with its window.
#pragma once

namespace isolume {

/// The OpenGL that every surface of the window asks for; before the application is made.
void set_surface_format();

/// Opens the window on the files named in the arguments and runs until it is closed; the exit code. Options: --device
/// NAME (as `isolume devices` lists them), --theme, --reuse (hands the files to the program that runs).
int run_window(int argc, char** argv);

}  // namespace isolume
