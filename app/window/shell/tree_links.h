// What the scene tree has to do with the other panels and with the picture.
#pragma once

namespace isolume {

class MainWindow;

/// Connects the window's scene tree: a row shows what it is of in the panel of its details, and has its menu; a click
/// on a surface in the picture selects its row.
void link_scene_tree(MainWindow& window);

}  // namespace isolume
