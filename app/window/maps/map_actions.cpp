// Electron density, maps of maps, ligand maps and ions, Interface areas, Compare frames, Mean structure, components and
// Morph as actions.
#include "app/window/maps/map_actions.h"

#include <QComboBox>
#include <QPushButton>
#include <algorithm>
#include <utility>
#include <vector>

#include "app/window/frames/compare_frames_dialog.h"
#include "app/window/frames/motion_dialog.h"
#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/maps/fit_map_dialog.h"
#include "app/window/maps/flexible_fit_dialog.h"
#include "app/window/maps/map_box.h"
#include "app/window/maps/morph_dialog.h"
#include "app/window/maps/volume_map_dialog.h"
#include "app/window/sampling/ion_dialog.h"
#include "app/window/sampling/ligand_map_dialog.h"
#include "app/window/structures/interface_dialog.h"

namespace isolume {

MapActions::MapActions(QMenu& menu, QAction& before, SceneController& controller, std::function<QString()> folder,
                       std::function<Device()> device, QWidget* window)
    : QObject(window),
      controller_(controller),
      folder_(std::move(folder)),
      device_(std::move(device)),
      window_(window) {
  density_ =
      make(QStringLiteral("compute_density"), tr("&Electron density..."),
           tr("The density of a file's electrons, coloured by their exact potential; spin density, ELF, Laplacian"),
           tr("MEP ESP molecular electrostatic potential on the density rho spin ELF LOL NCI quantum"));
  fit_ = make(QStringLiteral("fit_map"), tr("&Fit in map..."),
              tr("Move a molecule into a density map: uphill from its place, or by a search of all places"),
              tr("cryo-EM density correlation rigid dock model resolution"));
  flexible_ = make(QStringLiteral("flexible_fit"), tr("Fle&xible fit..."),
                   tr("Let a density map pull a molecule with a force field into it, while its shape is kept"),
                   tr("MDFF cryo-EM density map molecular dynamics flexible fitting pull restraints"));
  difference_ = make(QStringLiteral("difference_map"), tr("Differe&nce map"),
                     tr("The first map less the second one, or less that of the model, shown in two colours"),
                     tr("subtract volume subtract model map residual"));
  calculate_ = make(QStringLiteral("calculate_map"), tr("Calculate &map..."),
                    tr("Make a map of others: difference, sum, on another grid, of a model, near atoms, without dust"),
                    tr("subtract add difference resample crop region zone mask volume"));
  volume_ = make(QStringLiteral("volume_map"), tr("Volume map o&ver frames..."),
                 tr("Density, mass, charge, occupancy, residence or distance of atoms over the frames, and solvent "
                    "sites, as a map"),
                 tr("volmap density occupancy residence water sites spatial distribution function SDF solvent grid"));
  ligand_ = make(QStringLiteral("ligand_map"), tr("&Ligand map..."),
                 tr("The free energy of placing a small molecule such as O2 or Xe at every point, with its minima; the "
                    "Lennard-Jones energy of a probe"),
                 tr("implicit ligand sampling ILS free energy gas xenon oxygen probe Lennard-Jones cavity wells"));
  ions_ = make(QStringLiteral("ionize"), tr("Place &ions..."),
               tr("Add ions of a salt where the potential of the molecule is best, and neutralise it"),
               tr("ionize ionise salt counter-ions NaCl neutralise autoionize solvate concentration"));
  interfaces_ = make(QStringLiteral("interface_areas"), tr("Interface &areas..."),
                     tr("The area that chains and ligands bury against each other, as a list"),
                     tr("buried surface area contacts chains ligand BSA PISA"));
  compare_ = make(QStringLiteral("compare_frames"), tr("Compare f&rames..."),
                  tr("RMSD of all pairs of frames, clusters and principal components of a trajectory"),
                  tr("cluster clustering RMSD matrix PCA principal components trajectory"));
  mean_ =
      make(QStringLiteral("mean_structure"), tr("Mean &structure..."),
           tr("Where the atoms of a trajectory are on average, as a molecule, with the frame that is nearest to it"),
           tr("average structure mean trajectory RMSF B-factor representative frame"));
  component_ = make(QStringLiteral("animate_component"), tr("Animate princi&pal component..."),
                    tr("The largest motions of a trajectory, one at a time, as frames that are played"),
                    tr("PCA essential dynamics mode eigenvector motion NMWiz animate"));
  morph_ = make(QStringLiteral("morph"), tr("M&orph..."),
                tr("The way from one conformation to another as frames, which are played"),
                tr("interpolate conformations transition open closed path trajectory animate"));
  menu.insertActions(&before, all());
  connect(density_, &QAction::triggered, this, &MapActions::open_density);
  connect(fit_, &QAction::triggered, this, &MapActions::open_fit);
  connect(flexible_, &QAction::triggered, this, [this] { open_flexible_fit(); });
  connect(calculate_, &QAction::triggered, this, [this] { open_calculation()->show(); });
  connect(difference_, &QAction::triggered, this, &MapActions::make_difference);
  connect(volume_, &QAction::triggered, this, &MapActions::open_volume_map);
  connect(ligand_, &QAction::triggered, this, &MapActions::open_ligand_map);
  connect(ions_, &QAction::triggered, this, &MapActions::open_ions);
  connect(interfaces_, &QAction::triggered, this, &MapActions::open_interfaces);
  connect(compare_, &QAction::triggered, this, [this] { (new CompareFramesDialog(controller_, window_))->show(); });
  connect(mean_, &QAction::triggered, this, [this] { open_motion(false); });
  connect(component_, &QAction::triggered, this, [this] { open_motion(true); });
  connect(morph_, &QAction::triggered, this, &MapActions::open_morph);
  connect(&controller_, &SceneController::scene_changed, this, &MapActions::show_possible);
  show_possible();
}

QAction* MapActions::make(const QString& name, const QString& text, const QString& tip, const QString& words) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setToolTip(tip);
  action->setProperty("words", words);
  return action;
}

void MapActions::show_possible() {
  bool atoms = false, orbitals = false;
  std::size_t conformations = 0, maps = 0;
  for (std::size_t m = 0; m < controller_.scene().molecules.size(); ++m) {
    const auto molecule = controller_.molecule(m);
    if (molecule) maps += molecule->volumes.size();
    orbitals = orbitals || (molecule && !molecule->orbitals.empty());
    if (molecule && molecule->atom_count() > 0) conformations += molecule->frame_count();
    atoms = atoms || (molecule && molecule->atom_count() > 0 && molecule->frame_count() > 0);
  }
  density_->setEnabled(orbitals);
  fit_->setEnabled(maps > 0 && atoms);
  flexible_->setEnabled(atoms);  // its dialog says what else it needs
  difference_->setEnabled(maps > 1 || (maps == 1 && atoms));
  calculate_->setEnabled(maps > 0 || atoms);
  interfaces_->setEnabled(atoms);
  for (QAction* action : {volume_, ligand_, ions_}) action->setEnabled(atoms);
  morph_->setEnabled(conformations > 1);
  for (QAction* action : {compare_, mean_, component_}) action->setEnabled(controller_.frame_count() > 1);
}

CalculateMapDialog* MapActions::open_calculation() {
  auto* dialog = new CalculateMapDialog(controller_, folder_(), window_);
  connect(dialog, &CalculateMapDialog::made, this, &MapActions::saved);
  return dialog;
}

void MapActions::make_difference() {
  CalculateMapDialog* dialog = open_calculation();
  // Maps that are shown: others may be there for their colours alone, as a local correlation.
  std::vector<MapPlace> shown;
  for (const Field& field : controller_.scene().fields) {
    const MapPlace place{field.molecule, field.volume};
    if (field.kind == Field::Kind::volume && std::find(shown.begin(), shown.end(), place) == shown.end())
      shown.push_back(place);
  }
  dialog->propose_difference(shown);
  connect(dialog, &CalculateMapDialog::made, dialog, &QDialog::close);
  dialog->show();  // how far it is, with Cancel; and what was wrong
  dialog->make_button()->click();
}

void MapActions::open_volume_map() {
  auto* dialog = new VolumeMapDialog(controller_, folder_(), window_);
  connect(dialog, &VolumeMapDialog::made, this, &MapActions::saved);
  connect(dialog, &VolumeMapDialog::place_asked, this, &MapActions::place_asked);
  dialog->show();
}

void MapActions::open_ligand_map() {
  auto* dialog = new LigandMapDialog(controller_, folder_(), device_, window_);
  connect(dialog, &LigandMapDialog::made, this, &MapActions::saved);
  connect(dialog, &LigandMapDialog::place_asked, this, &MapActions::place_asked);
  dialog->show();
}

void MapActions::open_ions() {
  auto* dialog = new IonDialog(controller_, folder_(), device_, window_);
  connect(dialog, &IonDialog::made, this, &MapActions::saved);
  connect(dialog, &IonDialog::place_asked, this, &MapActions::place_asked);
  dialog->show();
}

void MapActions::open_interfaces() {
  auto* dialog = new InterfaceDialog(controller_, window_);
  connect(dialog, &InterfaceDialog::selection_asked, this, &MapActions::selection_asked);
  dialog->show();
  dialog->compute_button()->click();
}

void MapActions::open_density() {
  auto* dialog = new DensityDialog(controller_, folder_(), device_, window_);
  connect(dialog, &DensityDialog::saved, this, &MapActions::saved);
  dialog->show();
}

void MapActions::open_morph() {
  auto* dialog = new MorphDialog(controller_, folder_(), window_);
  connect(dialog, &MorphDialog::made, this, [this](const QString& path) {
    Q_EMIT saved(path);
    Q_EMIT play_asked();
  });
  dialog->show();
}

void MapActions::open_motion(bool component) {
  auto* dialog = new MotionDialog(controller_, component ? MotionDialog::Task::component : MotionDialog::Task::mean,
                                  folder_(), window_);
  connect(dialog, &MotionDialog::made, this, [this](const QString& path, bool plays) {
    Q_EMIT saved(path);
    if (plays) Q_EMIT play_asked();
  });
  dialog->show();
}

void MapActions::open_fit() {
  auto* dialog = new FitMapDialog(controller_, device_, window_);
  const auto propose = [this](CalculateMapDialog::Task task) {
    return [this, task](const MapPlace& map, int molecule, double resolution) {
      CalculateMapDialog* other = open_calculation();
      other->propose(task, map, molecule, resolution);
      other->show();
    };
  };
  connect(dialog, &FitMapDialog::difference_asked, this, propose(CalculateMapDialog::Task::model_difference));
  connect(dialog, &FitMapDialog::local_correlation_asked, this, propose(CalculateMapDialog::Task::model_correlation));
  connect(dialog, &FitMapDialog::flexible_asked, this, [this](const MapPlace& map, int molecule, double resolution) {
    open_flexible_fit()->propose(map, molecule, resolution);
  });
  dialog->show();
}

FlexibleFitDialog* MapActions::open_flexible_fit() {
  auto* dialog = new FlexibleFitDialog(controller_, device_, window_);
  dialog->show();
  return dialog;
}

}  // namespace isolume
