// A bar with one button for each class of atoms: a click shows or hides it.
#include "app/window/select/class_bar.h"

#include <QMenu>

#include "app/window/widgets/async.h"

namespace isolume {

ClassBar::ClassBar(SelectActions& actions, SceneController& controller, QWidget* parent)
    : QToolBar(tr("Classes of atoms"), parent), actions_(actions), controller_(controller) {
  setObjectName(QStringLiteral("classes"));
  setAccessibleName(windowTitle());
  setMovable(false);
  for (const AtomClass& entry : atom_classes()) {
    const QString words = QString::fromUtf8(entry.words), title = SelectActions::tr(entry.title);
    auto* button = new QToolButton(this);
    button->setObjectName(words);
    button->setText(title);
    button->setAccessibleName(tr("%1 shown").arg(title));
    button->setToolTip(tr("Show or hide %1; the arrow has more").arg(title.toLower()));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(button);
    menu->setAccessibleName(title);
    menu->setToolTipsVisible(true);
    QAction* select = menu->addAction(tr("&Select"));
    select->setToolTip(tr("Select %1").arg(title.toLower()));
    connect(select, &QAction::triggered, &actions_, [this, words] { actions_.select(words); });
    QAction* show = menu->addAction(tr("S&how"));
    connect(show, &QAction::triggered, &actions_,
            [this, words, title] { actions_.show_class(words, title.toLower()); });
    QAction* hide = menu->addAction(tr("H&ide"));
    connect(hide, &QAction::triggered, &actions_,
            [this, words, title] { actions_.hide_class(words, title.toLower()); });
    button->setMenu(menu);
    connect(button, &QToolButton::clicked, this, [this, words, title](bool shown) {
      shown ? actions_.show_class(words, title.toLower()) : actions_.hide_class(words, title.toLower());
    });
    buttons_ += button;
    places_ += addWidget(button);
    places_.last()->setVisible(false);
  }
}

QToolButton* ClassBar::button(const QString& words) const {
  for (QToolButton* button : buttons_)
    if (button->objectName() == words) return button;
  return nullptr;
}

void ClassBar::show_picture(std::shared_ptr<const BuiltView> built) {
  if (!built || (built->scene.molecules == molecules_ && built->scene.representations == representations_)) return;
  molecules_ = built->scene.molecules;
  representations_ = built->scene.representations;
  run_async(
      this,
      [built, documents = &controller_.documents()] { return class_states(built->scene, *documents, built->frames); },
      [this, number = ++asked_](const std::vector<ClassState>& states) {
        if (number == asked_) show_states(states);
      },
      {});
}

void ClassBar::show_states(const std::vector<ClassState>& states) {
  states_ = states;
  for (int i = 0; i < buttons_.size() && static_cast<std::size_t>(i) < states.size(); ++i) {
    places_[i]->setVisible(states[static_cast<std::size_t>(i)].present);
    const bool shown = states[static_cast<std::size_t>(i)].shown;
    buttons_[i]->setChecked(shown);
    // A pressed button looks much like another: hidden classes are struck out.
    QFont font = this->font();
    font.setStrikeOut(!shown);
    buttons_[i]->setFont(font);
  }
}

}  // namespace isolume
