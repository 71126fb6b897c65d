// What the mouse's buttons and wheel do in the 3-D view, by the habits of several programs.
#pragma once

#include <QList>
#include <QString>
#include <Qt>

namespace isolume {

/// What a drag does.
enum class Drag { none, rotate, pan, zoom, roll, slab, box_add, box_remove };
/// What the wheel does.
enum class WheelUse { none, zoom, slab, isovalue };

/// What two fingers on a trackpad do.
enum class ScrollUse { zoom, move, turn };
/// The use of this name ("zoom", "move", "turn"); zoom where there is none.
ScrollUse scroll_use(const QString& name);

/// A preset. A button with modifiers that no rule names does what it does without them.
struct InputMap {
  struct Rule {
    Qt::MouseButton button;
    Qt::KeyboardModifiers modifiers;
    Drag drag;
  };
  struct WheelRule {
    Qt::KeyboardModifiers modifiers;
    WheelUse use;
  };
  QString name;
  QList<Rule> drags;
  QList<WheelRule> wheel;

  Drag drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const;
  WheelUse wheel_use(Qt::KeyboardModifiers modifiers) const;
};

/// Isolume, VMD, PyMOL, ChimeraX, ParaView; the first is the default.
const QList<InputMap>& input_maps();
/// The preset of this name, the default where there is none.
const InputMap& input_map(const QString& name);

/// "Shift+left drag" and "Select atoms in a box": a preset as lines of a table.
QList<QPair<QString, QString>> describe(const InputMap& map);

}  // namespace isolume
