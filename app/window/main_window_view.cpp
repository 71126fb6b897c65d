// The window: viewport, picking and how things look.
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/main_window.h"
#include "app/window/message_bar.h"
#include "app/window/status_line.h"
#include "app/window/theme.h"

namespace isolume {

void MainWindow::connect_viewport() {
  connect(viewport_, &Viewport::context_ready, this, [this] {
    try {
      fields_.start(viewport_->create_shared_context());
    } catch (const Error&) {
      fields_.start(nullptr);  // surfaces then come as meshes through host memory
    }
    picture_->refresh();
  });
  connect(viewport_, &Viewport::context_going, this, [this] {
    fields_.stop();
    picture_->drop();
    views_.stop();
  });
  connect(viewport_, &Viewport::failed, this,
          [this](const QString& text) { messages_->show_message(MessageBar::Kind::fault, text); });
  connect(viewport_, &Viewport::camera_changed, this,
          [this](const Camera& camera) { controller_.touch([&](Scene& scene) { scene.camera = camera; }); });
  connect(viewport_, &Viewport::frame_rate, status_, &StatusLine::show_frame_rate);
  connect(viewport_, &Viewport::hovered, this, &MainWindow::show_hover);
  connect(viewport_, &Viewport::clicked, this, &MainWindow::pick);
  connect(viewport_, &Viewport::double_clicked, this, [this](PickId id) {
    if (id.object == 0) {
      viewport_->reset();
    } else {
      pick(id, Qt::NoModifier);
      centre_on_picked();
    }
  });
  connect(viewport_, &Viewport::menu_asked, this, &MainWindow::show_menu);
  connect(viewport_, &Viewport::frame_step, player_.get(), &Player::step);
  connect(viewport_, &Viewport::play_toggled, player_.get(), &Player::toggle);
  connect(&controller_, &SceneController::picked_changed, this, [this] {
    actions_->centre->setEnabled(!controller_.picked().empty());
    atom_text_.clear();
    if (!controller_.picked().empty()) {
      const PickedAtom last = controller_.picked().back();
      atom_text_ = describe({last.molecule + 1, last.atom});
      if (controller_.picked().size() > 1) atom_text_ += tr("   %1 atoms picked").arg(controller_.picked().size());
    }
    status_->show_atom(atom_text_);
  });
}

QString MainWindow::describe(PickId id) const {
  if (id.object == 0) return {};
  const auto molecule = controller_.molecule(id.object - 1);
  if (!molecule || !molecule->topology || id.part >= molecule->atom_count()) return {};
  const Frame* frame = nullptr;
  const auto& built = picture_->built();
  if (built && id.object - 1 < built->frames.size()) frame = built->frames[id.object - 1].get();
  return atom_label(*molecule->topology, frame, id.part);
}

void MainWindow::show_hover(PickId id) {
  const QString text = describe(id);
  status_->show_atom(text.isEmpty() ? atom_text_ : text);
}

void MainWindow::pick(PickId id, Qt::KeyboardModifiers modifiers) {
  const bool add = modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier);
  std::vector<PickedAtom> picked = add ? controller_.picked() : std::vector<PickedAtom>{};
  if (id.object != 0 && !describe(id).isEmpty()) {
    const PickedAtom atom{id.object - 1, id.part};
    if (add && std::erase(picked, atom) > 0) {
      controller_.set_picked(std::move(picked));
      return;
    }
    picked.push_back(atom);
  }
  controller_.set_picked(std::move(picked));
}

void MainWindow::centre_on_picked() {
  if (controller_.picked().empty()) return;
  glm::vec3 position;
  if (picture_->position(controller_.picked().back(), position)) viewport_->centre_on(position);
}

void MainWindow::show_menu(PickId id, QPoint global) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setAccessibleName(tr("Menu of the picture"));
  const QString text = describe(id);
  if (!text.isEmpty()) {
    const auto molecule = controller_.molecule(id.object - 1);
    const std::uint32_t number = id.object - 1;
    pick(id, Qt::NoModifier);
    menu->addSection(atom_name(*molecule->topology, id.part));
    connect(menu->addAction(tr("&Centre here")), &QAction::triggered, this, &MainWindow::centre_on_picked);
    const QString residue = residue_selection(*molecule->topology, id.part);
    const auto add = [&](const QString& title, const QString& selection, Style style) {
      connect(menu->addAction(title), &QAction::triggered, this, [this, number, selection, style] {
        controller_.edit(tr("Add representation"), [&](Scene& scene) {
          Representation next;
          next.molecule = number;
          next.selection = selection.toStdString();
          next.style = style;
          scene.representations.push_back(next);
        });
      });
    };
    add(tr("Show residue as &sticks"), residue, Style::sticks);
    add(tr("Show residues &within 5 \u00c5 as sticks"), QStringLiteral("same residue as within 5 of (%1)").arg(residue),
        Style::sticks);
    connect(menu->addAction(tr("Copy selection &text")), &QAction::triggered, this,
            [residue] { QApplication::clipboard()->setText(residue); });
    menu->addSeparator();
  }
  menu->addActions({actions_->fit, actions_->reset, actions_->orthographic});
  menu->addSeparator();
  menu->addActions({actions_->copy_picture, actions_->export_picture});
  menu->popup(global);
}

void MainWindow::connect_view_actions() {
  connect(actions_->fit, &QAction::triggered, viewport_, &Viewport::fit);
  connect(actions_->reset, &QAction::triggered, viewport_, &Viewport::reset);
  connect(actions_->centre, &QAction::triggered, this, &MainWindow::centre_on_picked);
  connect(actions_->orthographic, &QAction::triggered, viewport_, &Viewport::toggle_projection);
  for (int i = 0; i < actions_->sides.size(); ++i) {
    connect(actions_->sides[i], &QAction::triggered, viewport_, [this, i] { viewport_->look_from(i + 1); });
  }
  for (QAction* action : actions_->backgrounds) {
    connect(action, &QAction::triggered, this, [this, action] {
      const auto colours = action->data().value<QList<QColor>>();
      const auto value = [](const QColor& c) { return glm::vec3(c.redF(), c.greenF(), c.blueF()); };
      controller_.edit(tr("Change background"), [&](Scene& scene) {
        scene.look.background = value(colours[0]);
        scene.look.background_bottom = value(colours[1]);
      });
    });
  }
  for (int i = 0; i < actions_->effects.size(); ++i) {
    connect(actions_->effects[i], &QAction::triggered, this, [this, i](bool on) {
      controller_.edit(tr("Change effects"), [&](Scene& scene) {
        if (i == 0) scene.look.ambient_occlusion = on;
        if (i == 1) scene.look.outlines = on;
        if (i == 2) scene.look.shadows = on;
        if (i == 3) scene.look.depth_cue = on ? Look{}.depth_cue : 0;
      });
    });
  }
  connect(actions_->box, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show box") : tr("Hide box"), [on](Scene& scene) { scene.show_box = on; });
  });
  connect(actions_->axes, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show axes") : tr("Hide axes"), [on](Scene& scene) { scene.look.axes = on; });
  });
  const QString theme = name(theme_from_name(QSettings().value(QStringLiteral("theme")).toString()));
  for (QAction* action : actions_->themes) {
    action->setChecked(action->data().toString() == theme);
    connect(action, &QAction::triggered, this, [action] {
      QSettings().setValue(QStringLiteral("theme"), action->data().toString());
      apply_theme(theme_from_name(action->data().toString()));
    });
  }
  connect(actions_->full_screen, &QAction::triggered, this,
          [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
  connect(actions_->reset_layout, &QAction::triggered, this, &MainWindow::lay_out);
}

void MainWindow::show_shortcuts() {
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Mouse and keys"));
  dialog->setAccessibleName(dialog->windowTitle());
  dialog->resize(520, 620);
  auto* list = new QTreeWidget(dialog);
  list->setAccessibleName(dialog->windowTitle());
  list->setHeaderLabels({tr("Input"), tr("What it does")});
  list->header()->setAccessibleName(tr("Titles"));
  list->setRootIsDecorated(false);
  list->setAlternatingRowColors(true);
  const auto add = [list](const QString& input, const QString& what) { new QTreeWidgetItem(list, {input, what}); };
  add(tr("Left drag"), tr("Turn; near the rim, roll"));
  add(tr("Middle or right drag"), tr("Move"));
  add(tr("Wheel"), tr("Zoom to the pointer"));
  add(tr("Shift+wheel"), tr("Cut away the front"));
  add(tr("Click"), tr("Pick an atom; with Ctrl or Shift, add it"));
  add(tr("Right click"), tr("Menu of what is there"));
  add(tr("Double click"), tr("Centre on the atom; beside everything, reset the view"));
  add(tr("Left, Right"), tr("Previous, next frame; with Ctrl, ten"));
  add(tr("Home, End"), tr("First, last frame"));
  add(tr("Space"), tr("Play or pause"));
  add(tr("Shift+arrows"), tr("Turn"));
  add(tr("Shift+Page Up, Page Down"), tr("Roll"));
  add(tr("Alt+arrows"), tr("Move"));
  add(tr("+, -"), tr("Zoom"));
  QList<QAction*> actions = viewport_->actions();
  actions += this->actions();
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    add(action->shortcut().toString(QKeySequence::NativeText), QString(action->text()).remove(QLatin1Char('&')));
  }
  list->resizeColumnToContents(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->setAccessibleName(tr("Close"));
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(list);
  layout->addWidget(buttons);
  dialog->open();
}

}  // namespace isolume
