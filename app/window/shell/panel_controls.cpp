// The named controls of the panels, for the search for actions.
#include "app/window/shell/panel_controls.h"

#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPointer>

#include "app/window/shell/panels.h"

namespace isolume {
namespace {

/// What a control is called on the screen; empty for what has no words there.
QString name_of(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  const auto* label = qobject_cast<const QLabel*>(&widget);
  return label && label->buddy() ? label->text() : QString();
}

}  // namespace

QList<CommandPalette::Entry> entries_of_controls(Panels& panels, QObject* parent) {
  QList<CommandPalette::Entry> out;
  for (QDockWidget* dock : panels.docks()) {
    if (!dock->widget()) continue;
    for (QWidget* widget : dock->widget()->findChildren<QWidget*>()) {
      const QString name = name_of(*widget);
      if (name.isEmpty() || !widget->isVisibleTo(dock->widget())) continue;
      const auto* label = qobject_cast<const QLabel*>(widget);
      QWidget* control = label ? label->buddy() : widget;
      auto* action = new QAction(name, parent);
      action->setToolTip(control->toolTip());
      QObject::connect(action, &QAction::triggered, &panels,
                       [&panels, place = dock->objectName().toUtf8(), control = QPointer<QWidget>(control)] {
                         panels.raise(place.constData());
                         if (!control) return;
                         control->setFocus(Qt::ShortcutFocusReason);
                         auto* button = qobject_cast<QAbstractButton*>(control.data());
                         if (button && !button->isCheckable()) button->click();  // nothing where it is disabled
                       });
      out.append({action, dock->windowTitle()});
    }
  }
  return out;
}

}  // namespace isolume
