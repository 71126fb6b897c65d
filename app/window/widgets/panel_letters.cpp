// Alt+letter reaches the rows of visible panels.
#include "app/window/widgets/panel_letters.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QShortcutEvent>

namespace isolume {
namespace {

bool in_front(const QDockWidget* dock) {
  return !dock->isHidden() && !dock->visibleRegion().isEmpty();
}

/// What the letter reaches in a panel, null for nothing.
QWidget* target_in(const QDockWidget* dock, const QKeySequence& letter) {
  for (QLabel* label : dock->findChildren<QLabel*>()) {
    QWidget* field = label->buddy();
    if (field && label->isVisible() && field->isEnabled() && QKeySequence::mnemonic(label->text()) == letter)
      return field;
  }
  for (QAbstractButton* button : dock->findChildren<QAbstractButton*>())
    if (button->isVisible() && button->isEnabled() && button->shortcut() == letter) return button;
  return nullptr;
}

}  // namespace

PanelLetters::PanelLetters(QMainWindow* window) : QObject(window), window_(window) {
  qApp->installEventFilter(this);
}

bool PanelLetters::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::Shortcut) return false;
  const QDockWidget* behind = nullptr;
  for (QObject* at = object; at != nullptr && behind == nullptr; at = at->parent())
    behind = qobject_cast<QDockWidget*>(at);
  if (behind == nullptr || behind->window() != window_ || in_front(behind)) return false;
  const QKeySequence& letter = static_cast<QShortcutEvent*>(event)->key();
  for (const QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
    QWidget* target = in_front(dock) ? target_in(dock, letter) : nullptr;
    if (target == nullptr) continue;
    target->setFocus(Qt::ShortcutFocusReason);
    if (auto* button = qobject_cast<QAbstractButton*>(target)) button->animateClick();
    break;
  }
  return true;
}

}  // namespace isolume
