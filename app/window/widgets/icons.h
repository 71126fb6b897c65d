// Icons: our own line drawings in the colour of the theme's text.
#pragma once

#include <QIcon>
#include <QString>

namespace isolume {

/// The drawing resources/icons/NAME.svg, painted in the palette's colours at the time it is shown, so that it follows
/// the theme and any scale of the screen.
QIcon icon(const QString& name);

/// An action's icon in a list; one of nothing where it has none, so that all names begin at one place.
QIcon list_icon(const QIcon& own);

/// Makes the drawings of the resource file known; called once.
void load_icons();

}  // namespace isolume
