// What the scene tree has to do with the other panels and with the picture.
#include "app/window/shell/tree_links.h"

#include <QComboBox>
#include <QTreeView>
#include <QTreeWidget>

#include "app/fields/field_styles.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/select/named_selections.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_menu.h"
#include "app/window/structures/interaction_panel.h"
#include "app/window/tree/scene_tree.h"

namespace isolume {
namespace {

/// Makes a row of a list the only one that is selected.
void mark(QTreeWidget* list, int row) {
  if (QTreeWidgetItem* item = list->topLevelItem(row)) list->setCurrentItem(item);
}

/// Selects what a row is of in the panel of its details. Returns the name of that panel, null for none.
const char* follow(MainWindow& window, const TreeRow& row) {
  const int index = static_cast<int>(row.index);
  switch (row.kind) {
    case TreeRow::Kind::molecule: {
      QTreeView* list = window.molecules().list();
      list->setCurrentIndex(list->model()->index(index, 0));
      return "molecules";
    }
    case TreeRow::Kind::representation:
      window.representations().choose(index);
      return "representations";
    case TreeRow::Kind::field:
      window.field_panel().select(index);
      return "fields";
    case TreeRow::Kind::measurement:
      mark(window.measure().list(), index);
      return "measure";
    case TreeRow::Kind::label_set:
      mark(window.measure().list(), index + static_cast<int>(window.controller().scene().measurements.size()));
      return "measure";
    case TreeRow::Kind::interaction_set:
      window.panels().get<InteractionPanel>().sets()->setCurrentIndex(index);
      return "interactions";
    case TreeRow::Kind::selection: {
      QTreeWidget* list = window.panels().get<NamedSelections>().list();
      const auto found = list->findItems(row.title, Qt::MatchExactly);
      if (!found.isEmpty()) list->setCurrentItem(found.first());
      return "selections";
    }
    case TreeRow::Kind::probe:
      window.panels().get<ProbePanel>().choose(index);
      return "probes";
    default:
      return nullptr;
  }
}

}  // namespace

void link_scene_tree(MainWindow& window) {
  auto& tree = window.panels().get<SceneTree>();
  QObject::connect(&tree, &SceneTree::failed, &window, [&window](const QString& text) { window.say(text, true); });
  QObject::connect(&tree, &SceneTree::row_chosen, &window, [&window](const TreeRow& row, bool opens) {
    const char* panel = follow(window, row);
    if (panel && opens) window.panels().raise(panel, true);
  });
  QObject::connect(&tree, &SceneTree::menu_asked, &window, [&window](const TreeRow& row, QPoint global) {
    follow(window, row);
    window.pick_menu().show_row(row, global);
  });
  QObject::connect(&window.viewport(), &Viewport::clicked, &window, [&window, &tree](PickId id) {
    if (id.object < field_objects || id.object - field_objects >= window.controller().scene().fields.size()) return;
    const auto field = static_cast<std::size_t>(id.object - field_objects);
    tree.choose(TreeRow::Kind::field, field);
    window.field_panel().select(static_cast<int>(field));
  });
  QObject::connect(&window.picture(), &LivePicture::shown, &tree,
                   [&window, &tree] { tree.show_picture(window.picture().built()); });
}

}  // namespace isolume
