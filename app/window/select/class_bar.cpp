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
      ++asked_;
      known_.reset();
      shown ? actions_.show_class(words, title.toLower()) : actions_.hide_class(words, title.toLower());
      find_states();
    });
    buttons_ += button;
    places_ += addWidget(button);
    places_.last()->setVisible(false);
  }
  connect(&actions_, &SelectActions::edited, this, &ClassBar::find_states);
  connect(&controller_, &SceneController::scene_changed, this, [this](const Scene&, SceneParts change) {
    if (!touches(change, SceneParts::files)) return;
    ++asked_;
    known_.reset();  // the same files have other atoms by now
  });
}

QToolButton* ClassBar::button(const QString& words) const {
  for (QToolButton* button : buttons_)
    if (button->objectName() == words) return button;
  return nullptr;
}

void ClassBar::show_picture(std::shared_ptr<const BuiltView> built) {
  built_ = built;
  find_states();
}

bool ClassBar::up_to_date(const BuiltView& built) const {
  return !actions_.edits().busy() && show_same_atoms(built.scene, controller_.scene());
}

void ClassBar::find_states() {
  const auto built = built_.lock();
  // Without any states nothing can have been asked for.
  if (!built || (!states_.empty() && !up_to_date(*built)) || (known_ && show_same_atoms(*known_, built->scene))) return;
  known_.emplace();
  known_->molecules = built->scene.molecules;
  known_->representations = built->scene.representations;
  known_->selections = built->scene.selections;
  run_async(
      this,
      [built, documents = &controller_.documents()] { return class_states(built->scene, *documents, built->frames); },
      [this, built, number = ++asked_](const std::vector<ClassState>& states) {
        if (number != asked_) return;
        // Something was asked for meanwhile: the next picture will show it.
        if (!states_.empty() && !up_to_date(*built)) return known_.reset();
        show_states(states);
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
