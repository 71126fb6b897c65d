// What a button does, in a context menu too.
#pragma once

class QAbstractButton;
class QWidget;

namespace isolume {

/// Adds the button's text to the context menu of `picture`; it does what the button does, and is off while that is.
void add_menu_entry(QWidget& picture, QAbstractButton& button);

}  // namespace isolume
