// The dialog that computes the density of a file's electrons, with its potential, and adds it to the scene.
#include "app/window/maps/density_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/documents/nuclear_charges.h"
#include "app/models/labels.h"
#include "app/window/maps/map_box.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "compute/base/device_array.h"
#include "compute/base/device_fault.h"
#include "compute/base/memory.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/surface_potential.h"
#include "compute/orbitals/electron_density.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// What can be shown: its name (density_measures.h), its level in atomic units, and whether it has two signs.
struct Kind {
  const char* name;
  const char* text;
  double level;
  bool both_signs;
};
constexpr Kind kinds[] = {{"electron", "Electron density", 0.002, false},
                          {"spin", "Spin density", 0.004, true},
                          {"elf", "ELF", 0.8, false},
                          {"lol", "LOL", 0.55, false},
                          {"laplacian", "Laplacian of the density", 0.25, true},
                          {"rdg", "Reduced gradient", 0.5, false},
                          {"dori", "DORI", 0.9, false},
                          {"gradient", "Gradient of the density", 0.02, false},
                          {"tau", "Kinetic-energy density", 0.02, false}};

constexpr double margin = 4;  // angstrom around the nuclei
constexpr std::size_t checked_vertices = 500;

/// About `points` points around the nuclei.
Grid grid_around(const Orbitals& orbitals, double points) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::dvec3& centre : orbitals.centres) {
    lower = glm::min(lower, centre * units::bohr_in_angstrom);
    upper = glm::max(upper, centre * units::bohr_in_angstrom);
  }
  if (lower.x > upper.x) throw Error("a density needs atoms with positions", Error::Kind::usage);
  lower -= margin;
  upper += margin;
  const glm::dvec3 edges = upper - lower;
  return Grid::covering(lower, upper, std::ceil(100 * std::cbrt(edges.x * edges.y * edges.z / points)) / 100);
}

Volume density_of(const Orbitals& orbitals, const Kind& kind, Job& job, Device device) {
  const std::string name = kind.name;
  const bool plain = name == "electron" || name == "spin";
  Volume volume;
  volume.grid = grid_around(orbitals, plain ? 3e5 : 1.5e5);
  require_memory(volume.grid.size() * sizeof(float) + density_memory(orbitals), device, "density");
  DeviceArray<float> values(volume.grid.size(), device, "density");
  if (plain) {
    electron_density(orbitals, density_kind(name), volume.grid, values.span(), job);
  } else {
    const DensityMeasureInfo* info = find_density_measure(name);
    measure_on_grid(SpinEvaluator(orbitals, info->spins), *info, volume.grid, values.span(), job);
  }
  volume.values = values.copy_to_host();
  // Reduced gradients are infinite where there is no density.
  for (float& value : volume.values) value = plain ? value : std::clamp(value, -1e4f, 1e4f);
  volume.name = name;
  return volume;
}

/// What was computed, before it is a file.
struct Computed {
  Volume density, potential;  ///< the potential in kcal/mol/e, empty where it is not asked for
  std::size_t checked = 0;    ///< vertices of the surface
  double error = 0;           ///< root mean square of the potential there, kcal/mol/e
};

Computed compute(const Molecule& molecule, const Orbitals& orbitals, const Kind& kind, bool with_potential, Job& job,
                 Device device) {
  Computed made;
  made.density = density_of(orbitals, kind, job, device);
  if (!with_potential) return made;
  const DensityPotential exact(orbitals, density_weights(orbitals, DensityKind::electron),
                               nuclear_charges_of(molecule, orbitals), job);
  constexpr double unit = units::hartree_in_ev * units::ev_in_kcal_per_mol;
  std::vector<double> levels{kind.level};
  if (kind.both_signs) levels.push_back(-kind.level);
  SurfacePotential map = surface_potential(exact, made.density, levels, checked_vertices, job, device);
  for (float& value : map.values) value = static_cast<float>(unit * double{value});
  made.potential = {made.density.grid, std::move(map.values), "potential of the density", "kcal/mol/e"};
  made.checked = map.checked;
  made.error = unit * map.rms;
  return made;
}

}  // namespace

/// What a thread of the pool is asked: values only.
struct DensityDialog::Asked {
  std::uint32_t number = 0;
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  Kind kind{};
  bool potential = false;
  Device device;
  std::string path, potential_path;
};

struct DensityDialog::Made {
  SceneMolecule density, potential;
  std::size_t checked = 0;  ///< vertices of the surface
  double error = 0;         ///< root mean square of the potential there, kcal/mol/e
};

DensityDialog::DensityDialog(SceneController& controller, const QString& folder, std::function<Device()> device,
                             QWidget* parent)
    : QDialog(parent), controller_(controller), device_(std::move(device)) {
  setWindowTitle(tr("Electron density"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(480, 260);
  build(folder);
  show_scene(controller_.scene());
  connect(kind_, &QComboBox::currentIndexChanged, this, [this] { propose(QFileInfo(file_->text()).path()); });
  connect(work_->go(), &QPushButton::clicked, this, &DensityDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  controller_.listen(this, SceneParts::molecules, &DensityDialog::show_scene);
}

void DensityDialog::build(const QString& folder) {
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Density options"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("Molecule with the orbitals of the density, in the current frame"), {});
  kind_ = make_box(tr("Density"), tr("Electron density, or a quantity derived from it"), {});
  for (const Kind& kind : kinds) kind_->addItem(tr(kind.text), QString::fromLatin1(kind.name));
  potential_ = new QCheckBox(tr("&Colour by the exact potential"));
  potential_->setAccessibleName(tr("Colour by the exact potential"));
  potential_->setToolTip(tr("The electrostatic potential of the orbitals and nuclei on the surface (MEP)"));
  potential_->setChecked(true);
  file_ = new QLineEdit;
  propose(folder);
  file_->setAccessibleName(tr("Save as"));
  file_->setToolTip(tr("The cube file of the density; that of the potential gets -potential in its name"));
  add_row(form, tr("&Molecule"), molecule_);
  add_row(form, tr("&Density"), kind_);
  add_row(form, QString(), potential_);
  add_row(form, tr("Save &as"), file_);
  layout->addWidget(top);
  work_ = new DialogWork(
      {tr("Calcula&te"), tr("Compute, save and show; can be undone, the files stay"), tr("Stop; nothing is added"),
       tr("Cancelled; nothing was added"), tr("Close; finished surfaces are kept")},
      this);
  work_->add_progress(layout);
  layout->addStretch(1);
  work_->add_buttons(layout);
}

void DensityDialog::propose(const QString& folder) {
  file_->setText(new_file(folder, kind_->currentData().toString(), QStringLiteral("cube")));
}

void DensityDialog::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    const bool fresh = molecule_->count() == 0;
    show_molecules(molecule_, scene);
    for (int m = molecule_->count() - 1; fresh && m >= 0; --m) {
      const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
      if (loaded && !loaded->orbitals.empty()) molecule_->setCurrentIndex(m);  // at last the first of them
    }
  }
  work_->go()->setEnabled(!work_->running() && molecule_->currentIndex() >= 0);
}

void DensityDialog::start() {
  const int index = molecule_->currentIndex();
  Asked asked;
  asked.molecule = index < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(index));
  if (work_->running() || !asked.molecule) return;
  asked.number = static_cast<std::uint32_t>(index);
  asked.frame = controller_.scene().frame;
  asked.device = device_();
  asked.kind = kinds[std::clamp(kind_->currentIndex(), 0, static_cast<int>(std::size(kinds)) - 1)];
  asked.potential = potential_->isChecked();
  asked.path = file_->text().trimmed().toStdString();
  const std::filesystem::path path(asked.path);
  asked.potential_path = (path.parent_path() / (path.stem().string() + "-potential.cube")).string();
  QStringList files{to_qt(asked.path)};
  if (asked.potential) files += to_qt(asked.potential_path);
  if (!work_->may_write(files)) return;
  work_->start(
      tr("Computing"),
      [asked, documents = &controller_.documents()](Job& job) {
        const Molecule& molecule = *asked.molecule;
        if (molecule.orbitals.empty())
          throw Error("the molecule has no orbitals, as in a Molden or checkpoint file", Error::Kind::usage);
        const auto orbitals = molecule.orbitals_at(std::min(asked.frame, molecule.orbitals.size() - 1));
        if (!orbitals || !(orbitals->electron_count() > 0))
          throw Error("this frame has no occupied orbitals", Error::Kind::usage);
        const Computed computed = on_device_or_another(
            asked.device, [&](Device on) { return compute(molecule, *orbitals, asked.kind, asked.potential, job, on); },
            [](const DeviceFault&, Device) {});  // whoever computes next says so
        Made made;
        made.checked = computed.checked;
        made.error = computed.error;
        job.check();
        const auto add = [&](const std::string& path, const Volume& volume, const std::string& comment) {
          write_volume(path, volume, asked.molecule.get(), asked.frame, comment);
          return documents->open({path}).front();
        };
        made.density = add(asked.path, computed.density, std::string(asked.kind.text) + ", computed by Isolume");
        if (asked.potential) made.potential = add(asked.potential_path, computed.potential, "computed by Isolume");
        return made;
      },
      [this, asked](const Made& made) { take(asked, made); });
}

void DensityDialog::take(const Asked& asked, const Made& made) {
  controller_.edit(tr("Add electron density"), [&](Scene& scene) {
    const auto place_of = [&](const SceneMolecule& entry, bool visible) {
      const auto same = std::find_if(scene.molecules.begin(), scene.molecules.end(),
                                     [&](const SceneMolecule& m) { return m.paths == entry.paths; });
      const auto number = static_cast<std::uint32_t>(same - scene.molecules.begin());
      if (same == scene.molecules.end()) {
        scene.molecules.push_back(entry);
        scene.molecules.back().visible = visible;
      }
      return number;
    };
    Field field;
    field.kind = Field::Kind::volume;
    field.molecule = place_of(made.density, true);
    field.isovalue = asked.kind.level;
    field.both_signs = asked.kind.both_signs;
    if (asked.potential) {
      field.paint = Field::Paint::map;
      field.map_molecule = place_of(made.potential, false);
      field.extremes = true;
      for (Field& other : scene.fields)  // they would be inside the surface
        if (other.kind == Field::Kind::orbital) other.visible = false;
    } else {
      field.opacity = 0.5f;
    }
    scene.fields.push_back(field);
  });
  QString text = tr("Saved %1").arg(to_qt(asked.path));
  if (asked.potential)
    text += tr("; potential in kcal/mol/e, exact next to the surface (RMS error %1 at %2 of its points)")
                .arg(made.error, 0, 'g', 2)
                .arg(made.checked);
  work_->say(text);
  if (file_->text().trimmed().toStdString() == asked.path)  // else the user has typed the next one
    propose(QFileInfo(to_qt(asked.path)).path());
  Q_EMIT saved(to_qt(asked.path));
}

}  // namespace isolume
