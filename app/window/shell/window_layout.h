// The window's place on the screen and the arrangement of its panels, kept between runs.
#pragma once

class QMainWindow;

namespace isolume {

/// Puts the window and its panels where save_layout() found them; before the window is shown. Maximised is a flag of
/// its own: Qt (6.4 at least) keeps a copy of the panels' arrangement while it is restored in a maximised window that
/// is not shown yet, and later reads it where it is no longer valid.
void restore_layout(QMainWindow& window);
void save_layout(const QMainWindow& window);

/// Marks that the program starts, and drops the kept layout where the last start left its mark behind: it ended before
/// its window was painted, and would do so at every start. Other programs that are starting right now do not count.
void begin_start();
/// The window was painted and the event loop runs: takes the mark away.
void end_start();

}  // namespace isolume
