// The context menus of surfaces, in the picture and in the scene tree, and of the other rows of that tree.
#include <QTreeView>

#include "app/models/labels.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_menu.h"
#include "app/window/tree/scene_tree.h"

namespace isolume {

void PickMenu::add_surface_entries(QMenu& menu, std::size_t index) {
  const Field::Kind kind = controller_.scene().fields[index].kind;
  const auto act = [&menu, this](const QString& text, auto what) {
    connect(menu.addAction(text), &QAction::triggered, this, what);
  };
  act(tr("&Hide"), [=, this] {
    change_surface(index, kind, tr("Hide surface or map"), [](Scene&, Field& f) { f.visible = false; });
  });
  act(tr("E&dit..."), [this, index] {
    window_.panels().raise("fields", true);
    window_.field_panel().select(static_cast<int>(index));
  });
  add_surface_styles(menu, index);
  act(tr("&Export..."), [=, this] {
    const auto& fields = controller_.scene().fields;
    if (index < fields.size() && fields[index].kind == kind) window_.files().ask_data(static_cast<int>(index));
  });
  act(tr("Re&move"), [=, this] {
    change_surface(index, kind, tr("Remove surface or map"), [index](Scene& scene, Field&) {
      scene.fields.erase(scene.fields.begin() + static_cast<long>(index));
    });
  });
}

void PickMenu::change_surface(std::size_t index, Field::Kind kind, const QString& what,
                              const std::function<void(Scene&, Field&)>& edit) {
  controller_.edit(what, [&](Scene& scene) {
    // The number may be another one's by now.
    if (index < scene.fields.size() && scene.fields[index].kind == kind) edit(scene, scene.fields[index]);
  });
}

void PickMenu::add_surface_styles(QMenu& menu, std::size_t index) {
  const Field field = controller_.scene().fields[index];
  const auto act = [this](QMenu& into, const QString& text, auto what) {
    connect(into.addAction(text), &QAction::triggered, this, what);
  };
  if (field.slice.kind == SlicePlane::Kind::none && field.show == Field::Show::surfaces) {
    QMenu* styles = menu.addMenu(tr("&Style"));
    styles->setAccessibleName(tr("Style"));
    for (const Surface::Style style : {Surface::Style::solid, Surface::Style::wireframe, Surface::Style::points}) {
      act(*styles, label(style), [=, this] {
        change_surface(index, field.kind, tr("Change surface style"), [style](Scene&, Field& f) { f.style = style; });
      });
    }
  }
  QMenu* opacities = menu.addMenu(tr("&Opacity"));
  opacities->setAccessibleName(tr("Opacity"));
  for (const int percent : {100, 75, 50, 25}) {
    act(*opacities, tr("%1 %").arg(percent), [=, this] {
      change_surface(index, field.kind, tr("Change opacity"),
                     [percent](Scene&, Field& f) { f.opacity = static_cast<float>(percent) / 100; });
    });
  }
}

void PickMenu::show_row(const TreeRow& row, QPoint global) {
  auto* menu = new QMenu(&window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setAccessibleName(tr("Context menu of the scene tree"));
  menu->setToolTipsVisible(true);
  add_title(*menu, row.title);
  const auto& tree = window_.panels().get<SceneTree>();
  const auto add_own = [&] {
    for (QAction* action : tree.entries())
      if (action->isEnabled()) menu->addAction(action);
  };
  switch (row.kind) {
    case TreeRow::Kind::molecule: {
      menu->addActions(window_.molecules().list()->actions());
      const auto molecule = controller_.molecule(row.molecule);
      if (!molecule || !molecule->topology || molecule->atom_count() == 0) break;
      menu->addSeparator();
      add_part_entries(*menu, row.molecule, QStringLiteral("all"), false);
      break;
    }
    case TreeRow::Kind::chain:
    case TreeRow::Kind::ligand:
      add_own();
      menu->addSeparator();
      add_part_entries(*menu, row.molecule, row.words, row.kind == TreeRow::Kind::ligand);
      break;
    case TreeRow::Kind::representation:
      menu->addActions(window_.representations().list()->actions());
      if (row.colour) menu->addAction(tree.entries()[1]);
      break;
    case TreeRow::Kind::field:
      menu->addActions(window_.field_panel().list()->actions());
      if (row.colour) menu->addAction(tree.entries()[1]);
      menu->addSeparator();
      add_surface_styles(*menu, row.index);
      break;
    default:
      add_own();
  }
  menu->popup(global);
}

}  // namespace isolume
