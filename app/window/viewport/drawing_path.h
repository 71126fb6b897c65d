// How pictures get from OpenGL to the screen.
#pragma once

#include <QString>

namespace isolume {

/// `window`: by the window's own OpenGL, without leaving the graphics card. `image`: drawn without a window and handed
/// over through memory; the window itself then uses no OpenGL. Software rasterisers draw for one context at a time, so
/// that a window which waits for them would stand still: for them, and where the window's OpenGL is too old, `image`.
enum class DrawingPath { window, image };

/// Asks the window system's OpenGL once, and remembers the answer; ISOLUME_DRAWING=window|image and the preference
/// "drawing" decide instead where they are set.
DrawingPath drawing_path();

/// What was found, in words, for the system report: "OpenGL 4.5, llvmpipe (...)".
QString window_opengl();

}  // namespace isolume
