// What a button does, in a context menu too.
#include "app/window/widgets/menu_entry.h"

#include <QAbstractButton>
#include <QAction>
#include <QEvent>

namespace isolume {
namespace {

class ButtonEntry final : public QAction {
 public:
  ButtonEntry(QAbstractButton& button, QWidget& owner) : QAction(button.text(), &owner), button_(button) {
    setToolTip(button.toolTip());
    setEnabled(button.isEnabled());
    connect(this, &QAction::triggered, &button, &QAbstractButton::click);
    button.installEventFilter(this);
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::EnabledChange) setEnabled(button_.isEnabled());
    if (event->type() == QEvent::ToolTipChange) setToolTip(button_.toolTip());
    return false;
  }

 private:
  QAbstractButton& button_;
};

}  // namespace

void add_menu_entry(QWidget& picture, QAbstractButton& button) {
  picture.addAction(new ButtonEntry(button, picture));
  picture.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace isolume
