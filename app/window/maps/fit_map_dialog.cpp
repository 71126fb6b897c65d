// The dialog that fits a molecule of the scene into a density map: its inputs and computation.
#include "app/window/maps/fit_map_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/maps/model_atoms.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/base/device_fault.h"
#include "compute/base/memory.h"

namespace isolume {

/// What a thread of the pool is asked: values only.
struct FitMapDialog::Asked {
  std::uint32_t number = 0;
  SceneMolecule entry;
  std::shared_ptr<const Molecule> molecule;
  std::shared_ptr<const Volume> map;
  std::string map_name;
  std::size_t frame = 0;
  std::string selection;
  double resolution = 0;
  bool fits = false, search = false;
  Device device;  ///< of the search
};

struct FitMapDialog::Found {
  std::vector<FittedPlace> places;
  MapAgreement before, after;
  std::vector<std::uint32_t> first;
  std::size_t outside = 0;
};

namespace {

QString number(double value, int digits) {
  return std::isfinite(value) ? QString::number(value, 'f', digits) : QStringLiteral("\u2013");
}

}  // namespace

FitMapDialog::FitMapDialog(SceneController& controller, std::function<Device()> device, QWidget* parent)
    : QDialog(parent), controller_(controller), device_(std::move(device)) {
  setWindowTitle(tr("Fit in map"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(560, 640);
  build();
  show_scene(controller_.scene());
  inputs_->choose_molecule(false);
  inputs_->propose_resolution();
  show_scene(controller_.scene());
  connect(inputs_->molecule_box(), &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(inputs_->map_box(), &QComboBox::currentIndexChanged, this, [this] { inputs_->propose_resolution(); });
  connect(work_->go(), &QPushButton::clicked, this, [this] { start(true); });
  connect(compare_, &QPushButton::clicked, this, [this] { start(false); });
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
    const auto chosen = list_->selectedItems();
    if (!chosen.isEmpty()) take_place(list_->indexOfTopLevelItem(chosen.front()));
  });
  connect(difference_, &QPushButton::clicked, this, [this] {
    if (const auto map = inputs_->map())
      Q_EMIT difference_asked(*map, inputs_->molecule(), inputs_->resolution_box()->value());
  });
  connect(local_, &QPushButton::clicked, this, [this] {
    if (const auto map = inputs_->map())
      Q_EMIT local_correlation_asked(*map, inputs_->molecule(), inputs_->resolution_box()->value());
  });
  connect(flexible_, &QPushButton::clicked, this, [this] {
    if (const auto map = inputs_->map())
      Q_EMIT flexible_asked(*map, inputs_->molecule(), inputs_->resolution_box()->value());
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &FitMapDialog::show_scene);
  connect(&controller_, &SceneController::picked_changed, this, &FitMapDialog::show_cursor);
  const auto pick = [this](double x) {
    const auto i = static_cast<std::size_t>(std::max(0.0, x));
    if (i < first_.size()) controller_.set_picked({{fitted_, first_[i]}});
  };
  connect(plot_, &Plot::x_clicked, this, pick);
  connect(plot_, &Plot::curve_clicked, this, [pick](int, double x) { pick(x); });
}

void FitMapDialog::show_scene(const Scene& scene) {
  inputs_->show_scene(scene);
  const auto loaded = inputs_->loaded();
  const bool possible = loaded && loaded->atom_count() > 0 && inputs_->map();
  for (QPushButton* button : {work_->go(), compare_, difference_, local_, flexible_})
    button->setEnabled(possible && !work_->running());
}

void FitMapDialog::start(bool fits) {
  const int index = inputs_->molecule();
  const auto place = inputs_->map();
  if (work_->running() || index < 0 || !place) return;
  if (fits && inputs_->is_map_of_molecule()) {
    work_->say(
        tr("The map was opened together with this molecule and moves with it. Close them, then open one after the "
           "other."));
    return;
  }
  Asked asked;
  asked.number = static_cast<std::uint32_t>(index);
  asked.entry = controller_.scene().molecules[static_cast<std::size_t>(index)];
  asked.molecule = inputs_->loaded();
  asked.map = volume_at(controller_, *place);
  asked.map_name = inputs_->map_box()->currentText().toStdString();
  asked.frame = controller_.scene().frame;
  asked.selection = inputs_->atoms_edit()->words();
  asked.resolution = inputs_->resolution_box()->value();
  asked.fits = fits;
  asked.search = search_->isChecked();
  asked.device = device_();
  if (!asked.molecule || !asked.map) return;
  work_->start(
      fits ? tr("Fitting") : tr("Comparing"),
      [asked](Job& job) {
        const ModelAtoms atoms = model_atoms(*asked.molecule, asked.frame, asked.selection, asked.resolution);
        check_model(atoms, asked.map->grid, asked.resolution, asked.map_name, !(asked.fits && asked.search));
        const ModelInMap model{asked.map->grid, asked.map->values, atoms.gaussians};
        require_memory(model_fit_memory(model), Device::cpu(), "fit in a map");
        Found found;
        found.first = atoms.first;
        if (asked.fits) {
          MapSearchOptions options;
          options.resolution = asked.resolution;
          found.before = agreement(model, {}, {}, {}, job);
          found.places = on_device_or_another(
              asked.device,
              [&](Device on) {
                options.device = on;
                return fit_model(model, asked.search, options, job);
              },
              [](const DeviceFault&, Device) {});  // whoever computes next says so
          if (found.places.empty()) throw Error("no place was found; a lower resolution may find one");
        }
        const RigidMotion last = asked.fits ? found.places.front().motion : RigidMotion{};
        found.after = agreement(model, last, atoms.residues, {}, job);
        return found;
      },
      [this, asked](const Found& found) { take(asked, found); });
}

void FitMapDialog::take(const Asked& asked, const Found& found) {
  const Scene& scene = controller_.scene();
  if (asked.number >= scene.molecules.size() || scene.molecules[asked.number].paths != asked.entry.paths ||
      scene.molecules[asked.number].placement != asked.entry.placement) {
    work_->say(tr("The scene has changed; nothing was moved"));
    return;
  }
  fitted_ = asked.number;
  entry_ = asked.entry;
  places_ = found.places;
  first_ = found.first;
  const QString agrees = tr("Correlation %1 over the map, %2 within 4 \u00c5 of atoms")
                             .arg(number(found.after.overall, 4), number(found.after.near, 4));
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const FittedPlace& place = places_[i];
    list_->addTopLevelItem(new QTreeWidgetItem(
        {QString::number(i + 1), number(place.overall, 4), number(place.near, 4), number(place.moved, 2)}));
  }
  list_->setVisible(places_.size() > 1);
  if (!places_.empty()) {
    work_->say(tr("%1 (before %2); moved by %3 \u00c5")
                   .arg(agrees, number(found.before.overall, 4), number(places_.front().moved, 2)));
    list_->setCurrentItem(list_->topLevelItem(0));
    take_place(0);
  } else {
    work_->say(agrees);
  }
  show_agreement(found);
}

void FitMapDialog::take_place(int row) {
  const Scene& scene = controller_.scene();
  if (row < 0 || static_cast<std::size_t>(row) >= places_.size()) return;
  if (fitted_ >= scene.molecules.size() || scene.molecules[fitted_].paths != entry_.paths) return;
  const RigidMotion motion = then(entry_.placement.motion, places_[static_cast<std::size_t>(row)].motion);
  controller_.edit(tr("Fit in map"), [&](Scene& next) { next.molecules[fitted_].placement.motion = motion; });
}

void FitMapDialog::show_agreement(const Found& found) {
  PlotCurve curve;
  curve.name = tr("Correlation");
  curve.points = found.after.parts.size() < 60;
  for (std::size_t i = 0; i < found.after.parts.size(); ++i) {
    curve.x.push_back(static_cast<double>(i));
    curve.y.push_back(found.after.parts[i]);
  }
  plot_->set_curves({curve});
  show_cursor();
}

void FitMapDialog::show_cursor() {
  plot_->set_cursor(std::nullopt);
  // Of the molecule that was just moved only this is there at once.
  const auto topology = controller_.topology(fitted_);
  if (first_.empty() || controller_.picked().empty() || !topology) return;
  const auto& atoms = topology->atoms;
  const PickedAtom atom = controller_.picked().back();
  if (atom.molecule != fitted_ || atom.atom >= atoms.size()) return;
  const auto found = std::find_if(first_.begin(), first_.end(), [&](std::uint32_t first) {
    return first < atoms.size() && atoms[first].residue == atoms[atom.atom].residue;
  });
  if (found != first_.end()) plot_->set_cursor(static_cast<double>(found - first_.begin()));
}

}  // namespace isolume
