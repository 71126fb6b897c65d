// What a 3-D mouse has to do with the window.
#pragma once

namespace isolume {

class MainWindow;
class SixAxisMouse;

/// Makes the window's 3-D mouse. It moves the view and triggers actions while the window, a panel or a dialog of it has
/// the keyboard: the daemon tells every program of every motion. The daemon is looked for whenever the focus changes.
SixAxisMouse* link_six_axis_mouse(MainWindow& window);

}  // namespace isolume
