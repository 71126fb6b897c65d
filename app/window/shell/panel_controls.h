// The named controls of the panels, for the search for actions.
#pragma once

#include "app/window/shell/command_palette.h"

class QObject;

namespace isolume {

class Panels;

/// One entry for each control that can be seen in its panel, named by its label or its text, with the panel's title as
/// its place. Doing it shows the panel and gives the control the focus; buttons are pressed. The actions are children
/// of `parent`; they do nothing once the control is gone.
QList<CommandPalette::Entry> entries_of_controls(Panels& panels, QObject* parent);

}  // namespace isolume
