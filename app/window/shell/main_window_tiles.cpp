// Several molecules in the window: superposed on each other, or in tiles beside each other.
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/status_line.h"
#include "app/window/viewport/legend_overlays.h"

namespace isolume {

void MainWindow::connect_tiles() {
  connect(actions_->tiles, &QAction::triggered, this, [this](bool on) {
    controller_.edit(on ? tr("Show in tiles") : tr("Show together"),
                     [on](Scene& scene) { scene.layout = on ? Layout::tiles : Layout::together; });
    fit_view(false);
  });
  for (QAction* action : actions_->columns) {
    connect(action, &QAction::triggered, this, [this, columns = action->data().toUInt()] {
      controller_.edit(tr("Change columns of tiles"), [columns](Scene& scene) { scene.tile_columns = columns; });
      fit_view(false);
    });
  }
  for (int i = 0; i < actions_->visions.size(); ++i) {
    connect(actions_->visions[i], &QAction::triggered, this, [this, i] {
      viewport_->set_vision(static_cast<ColourVision>(i));
      show_results();
      if (i > 0) status_->showMessage(tr("A preview: %1").arg(actions_->visions[i]->text().remove(QLatin1Char('&'))));
      if (i == 0) status_->clearMessage();
    });
  }
  connect(actions_->superpose, &QAction::triggered, this, [this] { show_superpose(-1); });
  connect(molecules_, &MoleculePanel::superpose_asked, this, &MainWindow::show_superpose);
  // Molecules of a place that was taken up again (undo, a command) are made beside the window: panels look again.
  connect(picture_.get(), &LivePicture::shown, this, [this] {
    if (!waiting_for_molecules_) return;
    for (std::size_t i = 0; i < controller_.scene().molecules.size(); ++i)
      if (!controller_.molecule(i)) return;
    waiting_for_molecules_ = false;
    controller_.molecules_changed();
  });
}

void MainWindow::show_tiling(const Scene& scene) {
  actions_->tiles->setChecked(scene.layout == Layout::tiles);
  actions_->tiles->setEnabled(scene.molecules.size() > 1 || scene.layout == Layout::tiles);
  for (QAction* action : actions_->columns) {
    action->setEnabled(scene.layout == Layout::tiles);
    action->setChecked(action->data().toUInt() == scene.tile_columns);
  }
  bool positions = false;
  waiting_for_molecules_ = false;
  for (std::size_t i = 0; i < scene.molecules.size(); ++i) {
    const auto molecule = controller_.molecule(i);
    waiting_for_molecules_ = waiting_for_molecules_ || !molecule;
    positions = positions || (molecule && molecule->topology && molecule->frame_count() > 0);
  }
  actions_->superpose->setEnabled(positions);
}

void MainWindow::show_superpose(int molecule) {
  auto* dialog = new SuperposeDialog(controller_, molecule, this);
  connect(dialog, &SuperposeDialog::superposed, this, [this] { fit_view(false); });
  dialog->show();
}

}  // namespace isolume
