// The named controls of the panels, for the search for actions.
#include "app/window/shell/panel_controls.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "app/window/shell/panels.h"

namespace isolume {
namespace {

constexpr int most_choices = 40;  // lists of orbitals or columns have no end

/// What a control is called on the screen; empty for what has no words there.
QString name_of(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  const auto* label = qobject_cast<const QLabel*>(&widget);
  return label && label->buddy() ? label->text() : QString();
}

/// What can be chosen there finds the control, too: "cylinders", "unit cell".
QString choices_of(const QWidget& control) {
  QStringList words;
  const auto* box = qobject_cast<const QComboBox*>(&control);
  for (int i = 0; box && i < std::min(box->count(), most_choices); ++i) words += box->itemText(i);
  return words.join(QLatin1Char(' '));
}

/// The menu that a button opens; null for other controls.
QMenu* menu_of(const QWidget& control) {
  if (const auto* button = qobject_cast<const QToolButton*>(&control)) return button->menu();
  const auto* button = qobject_cast<const QPushButton*>(&control);
  return button ? button->menu() : nullptr;
}

}  // namespace

QList<CommandPalette::Entry> entries_of_controls(Panels& panels, QObject* parent) {
  QList<CommandPalette::Entry> out;
  for (QDockWidget* dock : panels.docks()) {
    if (!dock->widget()) continue;
    for (QWidget* widget : dock->widget()->findChildren<QWidget*>()) {
      const QString name = name_of(*widget);
      if (name.isEmpty() || !widget->isVisibleTo(dock->widget())) continue;
      const QByteArray place = dock->objectName().toUtf8();
      if (const QMenu* menu = menu_of(*widget)) {
        for (QAction* entry : menu->actions()) {
          auto* action = new QAction(entry->text(), parent);
          QObject::connect(action, &QAction::triggered, entry, [&panels, place, entry] {
            panels.raise(place.constData());
            entry->trigger();
          });
          out.append({action, QStringLiteral("%1: %2").arg(dock->windowTitle(), name.trimmed())});
        }
        continue;
      }
      const auto* label = qobject_cast<const QLabel*>(widget);
      QWidget* control = label ? label->buddy() : widget;
      auto* action = new QAction(name, parent);
      action->setToolTip(control->toolTip());
      action->setProperty("words", choices_of(*control));
      QObject::connect(action, &QAction::triggered, &panels, [&panels, place, control = QPointer<QWidget>(control)] {
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
