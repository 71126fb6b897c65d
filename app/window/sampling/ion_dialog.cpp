// The dialog that places ions around a molecule: its computation and its result.
#include "app/window/sampling/ion_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/sampling/ion_work.h"
#include "app/models/labels.h"
#include "app/view/usual_look.h"
#include "app/window/live/check_export.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "compute/base/device_fault.h"
#include "compute/electrostatics/molecule_charges.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/missing.h"

namespace isolume {

/// What a thread of the pool is asked: values only.
struct IonDialog::Asked {
  std::shared_ptr<const Molecule> molecule;
  Scene scene;
  std::vector<std::string> paths;  ///< of the molecule
  std::size_t frame = 0;
  cli::IonWorkOptions options;
  Device device;
  std::string path;
};

struct IonDialog::Made {
  struct Ion {
    std::string name;
    double energy = 0, gap = 0;  ///< kcal/mol; the gap is infinite where there was one site
    glm::dvec3 place{0.0};
  };
  SceneMolecule opened;
  std::vector<Representation> look;
  std::vector<Ion> ions;
  std::size_t sites = 0;
  double before = 0, after = 0;  ///< e
  std::string notes;
};

IonDialog::IonDialog(SceneController& controller, QString folder, std::function<Device()> device, QWidget* parent)
    : QDialog(parent), controller_(controller), folder_(std::move(folder)), device_(std::move(device)) {
  setWindowTitle(tr("Place ions"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(520, 480);
  build();
  show_scene(controller_.scene());
  show_amount();
  file_->setText(new_file(folder_, QStringLiteral("ions"), QStringLiteral("pqr")));
  connect(amount_, &QComboBox::currentIndexChanged, this, &IonDialog::show_amount);
  connect(sites_, &QComboBox::currentIndexChanged, this, &IonDialog::show_amount);
  connect(molecule_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(work_->go(), &QPushButton::clicked, this, &IonDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(ions_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const int row = ions_->indexOfTopLevelItem(item);
    if (row >= 0 && static_cast<std::size_t>(row) < places_.size())
      Q_EMIT place_asked(places_[static_cast<std::size_t>(row)]);
  });
  controller_.listen(this, SceneParts::molecules, &IonDialog::show_scene);
}

void IonDialog::show_scene(const Scene& scene) {
  show_models(molecule_, scene, [this](std::size_t m) { return controller_.molecule(m); });
  const auto number = static_cast<std::size_t>(std::max(0, molecule_->currentIndex()));
  const auto molecule = molecule_->count() > 0 ? controller_.molecule(number) : nullptr;
  show_row(form_, molecule_, molecule_->count() > 1);
  work_->go()->setEnabled(!work_->running() && molecule && molecule->topology && molecule->frame_count() > 0);
}

void IonDialog::show_amount() {
  const bool numbers = amount_->currentIndex() == 1;
  show_row(form_, concentration_, !numbers);
  show_row(form_, numbers_, numbers);
  show_row(form_, spacing_, sites_->currentIndex() == 0);
}

void IonDialog::start() {
  const int number = molecule_->currentIndex();
  if (work_->running() || number < 0) return;
  Asked asked;
  asked.molecule = controller_.molecule(static_cast<std::size_t>(number));
  asked.scene = controller_.scene();
  asked.path = file_->text().trimmed().toStdString();
  if (!asked.molecule || asked.path.empty()) return;
  asked.paths = asked.scene.molecules[static_cast<std::size_t>(number)].paths;
  cli::IonWorkOptions& options = asked.options;
  options.salt = salt_->currentText().trimmed().toStdString();
  options.neutralise = neutral_->isChecked();
  if (amount_->currentIndex() == 1) {
    options.counts = numbers_->text().trimmed().toStdString();
    if (options.counts.empty() && !options.neutralise) return work_->say(tr("Enter numbers of ions, as NA:10,CL:12"));
  } else {
    options.concentration = concentration_->value();
  }
  options.order = order_->currentIndex() == 1 ? "neutralise-first" : "alternating";
  options.replace_water = sites_->currentIndex() == 1;
  options.replace_water_name = tr("Sites: Places of waters").toStdString();
  options.spacing = spacing_->value();
  options.distance_solute = distance_->value();
  options.placement.ion_distance = ion_distance_->value();
  options.placement.dielectric = dielectric_->value();
  asked.frame = asked.scene.frame;
  asked.device = device_();
  const QString extension = to_qt(std::filesystem::path(asked.path).extension().string()).toLower();
  if (!QStringList{QStringLiteral(".pqr"), QStringLiteral(".pdb"), QStringLiteral(".gro")}.contains(extension))
    return work_->say(tr("The file must end in .pqr, .pdb or .gro."));
  if (!work_->may_write({to_qt(asked.path)})) return;
  work_->start(
      tr("Placing ions"),
      [asked, documents = &controller_.documents()](Job& job) { return make(asked, *documents, job); },
      [this, asked](const Made& made) { take(asked, made); });
}

IonDialog::Made IonDialog::make(const Asked& asked, Documents& documents, Job& job) {
  check_export(to_qt(asked.path), asked.scene);
  cli::check_ions(asked.options);
  const Molecule& molecule = *asked.molecule;
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  require_charges(molecule);
  const std::size_t number = std::min(asked.frame, molecule.frame_count() - 1);
  const Frame frame = frame_at(molecule, number);
  Made made;
  cli::IonWork work = cli::ion_work(
      molecule, frame, asked.options,
      [&](const std::string& text) { made.notes += (made.notes.empty() ? "" : "; ") + text; }, job);
  const std::vector<PlacedIon> placed = on_device_or_another(
      asked.device, [&](Device on) { return cli::placed_ions(work, asked.options, on, job); },
      [](const DeviceFault&, Device) {});  // whoever computes next says so
  made.sites = work.sites.size();
  made.before = made.after = std::abs(work.total) < 5e-5 ? 0 : work.total;
  for (std::size_t n = 0; n < placed.size(); ++n) {
    made.ions.push_back(
        {std::string(work.kinds[n]->name), placed[n].energy, placed[n].gap, work.sites.place(placed[n].site)});
    made.after += work.kinds[n]->charge;
  }
  job.check();
  const Molecule with = cli::with_placed_ions(molecule, number, work, placed);
  const auto writer = create_writer(asked.path, with);
  writer->add(with.trajectory->frame(0));
  writer->finish();
  made.opened = documents.open({asked.path}).front();
  Scene scene = asked.scene;
  scene.frame = 0;
  scene.molecules.push_back(made.opened);
  made.look = usual_representations(scene, documents, static_cast<std::uint32_t>(scene.molecules.size() - 1));
  return made;
}

void IonDialog::take(const Asked& asked, const Made& made) {
  const auto& molecules = controller_.scene().molecules;
  // A file that the scene has already is shown again.
  const bool there = std::any_of(molecules.begin(), molecules.end(),
                                 [&](const SceneMolecule& m) { return m.paths == made.opened.paths; });
  if (there) {
    controller_.molecules_changed();
  } else {
    controller_.edit(tr("Place ions"), [&](Scene& scene) {
      const auto number = static_cast<std::uint32_t>(scene.molecules.size());
      scene.molecules.push_back(made.opened);
      for (Representation own : made.look) {
        own.molecule = number;
        scene.representations.push_back(std::move(own));
      }
      // The molecule by what it is, since molecules may have come and gone meanwhile.
      for (SceneMolecule& entry : scene.molecules)
        if (entry.paths == asked.paths) entry.visible = false;
    });
  }
  const QSignalBlocker quiet(ions_);
  ions_->clear();
  places_.clear();
  QList<QTreeWidgetItem*> items;
  for (const Made::Ion& ion : made.ions) {
    auto* item = new QTreeWidgetItem(
        {QString::number(places_.size() + 1), to_qt(ion.name), QString::number(ion.energy, 'f', 3),
         std::isfinite(ion.gap) ? QString::number(ion.gap, 'g', 2) : QString(), QString::number(ion.place.x, 'f', 1),
         QString::number(ion.place.y, 'f', 1), QString::number(ion.place.z, 'f', 1)});
    for (int column = 0; column < 7; ++column)
      if (column != 1) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    items += item;
    places_.push_back(ion.place);
  }
  ions_->addTopLevelItems(items);
  ions_->show();
  const double after = std::abs(made.after) < 5e-5 ? 0 : made.after;
  QString text = tr("Saved %1: %2 ions at %3 sites; total charge %4 e, before %5 e")
                     .arg(to_qt(asked.path))
                     .arg(made.ions.size())
                     .arg(made.sites)
                     .arg(after, 0, 'g', 4)
                     .arg(made.before, 0, 'g', 4);
  if (!made.notes.empty()) text += tr("; %1").arg(to_qt(made.notes));
  work_->say(text);
  if (file_->text().trimmed().toStdString() == asked.path)  // else the user has typed the next one
    file_->setText(new_file(folder_, QStringLiteral("ions"), QStringLiteral("pqr")));
  const int list = ions_->sizeHint().height() / 2;
  if (const int needed = sizeHint().height() - list; needed > height()) resize(width(), needed);
  Q_EMIT this->made(to_qt(asked.path));
}

}  // namespace isolume
