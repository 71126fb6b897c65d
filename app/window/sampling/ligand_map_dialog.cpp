// The dialog that maps the free energy of placing a small molecule: its computation and its result.
#include "app/window/sampling/ligand_map_dialog.h"

#include <fmt/format.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/over_time/ligand_result.h"
#include "app/cli/sampling/probe_work.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/usual_volume.h"
#include "app/window/live/check_export.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/base/device_fault.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume {
namespace {

constexpr std::size_t most_minima = 200;  // in the list

/// "w.mrc": "w_error.mrc".
std::string next_to(const std::string& path, const char* what) {
  const std::filesystem::path given(path);
  return (given.parent_path() / (given.stem().string() + "_" + what + given.extension().string())).string();
}

}  // namespace

/// What a thread of the pool is asked: values only.
struct LigandMapDialog::Asked {
  std::shared_ptr<const Molecule> molecule;
  Scene scene;
  cli::ProbeWorkOptions work;
  double sigma = 0, epsilon = 0;  ///< of one site of the user's own, else 0
  std::vector<std::size_t> frames;
  int rotations = 60;
  Device device;
  cli::LigandOutputs outputs;
};

struct LigandMapDialog::Made {
  struct Minimum {
    LigandPoint point;  ///< kcal/mol
    glm::dvec3 place;
    std::string residue;
  };
  std::shared_ptr<const Molecule> molecule;  ///< with the map
  std::vector<SceneMolecule> opened;         ///< it, and of several frames that of their effective number
  std::vector<Minimum> minima;
  std::string text, notes;
  std::size_t frames = 0, points = 0, open = 0, known = 0, minima_count = 0;
};

LigandMapDialog::LigandMapDialog(SceneController& controller, QString folder, std::function<Device()> device,
                                 QWidget* parent)
    : QDialog(parent), controller_(controller), folder_(std::move(folder)), device_(std::move(device)) {
  setWindowTitle(tr("Ligand map"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(640, 480);
  build();
  show_scene(controller_.scene());
  show_probe();
  connect(probe_, &QComboBox::currentTextChanged, this, &LigandMapDialog::show_probe);
  connect(frames_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(molecule_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(work_->go(), &QPushButton::clicked, this, &LigandMapDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(minima_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const int row = minima_->indexOfTopLevelItem(item);
    if (row >= 0 && static_cast<std::size_t>(row) < places_.size())
      Q_EMIT place_asked(places_[static_cast<std::size_t>(row)]);
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &LigandMapDialog::show_scene);
}

bool LigandMapDialog::own_site() const {
  return probe_->currentText() == probe_->itemText(probe_->count() - 1);
}

void LigandMapDialog::show_scene(const Scene& scene) {
  show_models(molecule_, scene, [this](std::size_t m) { return controller_.molecule(m); });
  const auto number = static_cast<std::uint32_t>(std::max(0, molecule_->currentIndex()));
  const auto molecule = molecule_->count() > 0 ? controller_.molecule(number) : nullptr;
  for (SelectionEdit* edit : {atoms_, align_, around_}) edit->set_molecule(molecule, 0, names_of(scene, number));
  const bool several = molecule && molecule->frame_count() > 1, all = several && frames_->currentIndex() == 0;
  show_row(form_, molecule_, molecule_->count() > 1);
  show_row(form_, frames_, several);
  show_row(form_, step_, all);
  show_row(form_, align_, all);
  work_->go()->setEnabled(!work_->running() && molecule && molecule->topology && molecule->frame_count() > 0);
}

void LigandMapDialog::show_probe() {
  const QString name = probe_->currentText().trimmed();
  const bool own = own_site(), table = name.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
  show_row(form_, sigma_, own);
  show_row(form_, epsilon_, own);
  show_row(form_, mixing_, !table);
  // Orientations of one site, and charges where there is none, change nothing.
  bool turns = !own && !table, charged = turns;
  for (const Probe& probe : built_in_probes())
    if (name.compare(QString::fromStdString(probe.name), Qt::CaseInsensitive) == 0) {
      turns = probe.sites.size() > 1;
      charged = std::any_of(probe.sites.begin(), probe.sites.end(), [](const auto& s) { return s.charge != 0; });
    }
  show_row(form_, rotations_, turns);
  show_row(form_, charges_, charged);
  const QString stem = own || table || name.contains(QLatin1Char('/')) ? QStringLiteral("probe") : name.toLower();
  file_->setText(new_file(folder_, stem.isEmpty() ? QStringLiteral("probe") : stem, QStringLiteral("mrc")));
}

void LigandMapDialog::start() {
  const int number = molecule_->currentIndex();
  if (work_->running() || number < 0) return;
  Asked asked;
  asked.molecule = controller_.molecule(static_cast<std::size_t>(number));
  asked.scene = controller_.scene();
  asked.outputs.out = file_->text().trimmed().toStdString();
  if (!asked.molecule || asked.outputs.out.empty()) return;
  cli::ProbeWorkOptions& work = asked.work;
  const std::string probe = probe_->currentText().trimmed().toStdString();
  if (own_site()) {
    asked.sigma = sigma_->value();
    asked.epsilon = epsilon_->value();
  } else if (probe_->currentText().trimmed().endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
    work.buckingham = probe;
  } else {
    work.probe = probe;
  }
  work.mixing = mixing_->currentIndex() == 1 ? "geometric" : "lorentz-berthelot";
  work.selection = atoms_->words();
  if (!around_->text().trimmed().isEmpty()) work.around = around_->words();
  work.spacing = spacing_->value();
  work.padding = padding_->value();
  work.probing.temperature = temperature_->value();
  work.probing.charges = charges_->isVisible() && charges_->isChecked();
  work.probing.mixing = cli::mixing_of(work.mixing);
  asked.rotations = rotations_->value();
  asked.device = device_();
  const std::size_t count = asked.molecule->frame_count();
  if (count > 1 && frames_->currentIndex() == 0) {
    for (std::size_t f = 0; f < count; f += static_cast<std::size_t>(step_->value())) asked.frames.push_back(f);
    if (!align_->text().trimmed().isEmpty()) work.align = align_->words();
  } else {
    asked.frames = {std::min(asked.scene.frame, count - 1)};
  }
  QStringList files{to_qt(asked.outputs.out)};
  if (asked.frames.size() > 1) {
    asked.outputs.error_out = next_to(asked.outputs.out, "error");
    asked.outputs.frames_out = next_to(asked.outputs.out, "frames");
    files += {to_qt(asked.outputs.error_out), to_qt(asked.outputs.frames_out)};
  }
  if (!work_->may_write(files)) return;
  work_->start(
      tr("Ligand map"),
      [asked, documents = &controller_.documents()](Job& job) { return make(asked, *documents, job); },
      [this, asked](const Made& made) { take(asked, made); });
}

LigandMapDialog::Made LigandMapDialog::make(const Asked& asked, Documents& documents, Job& job) {
  for (const std::string& path : {asked.outputs.out, asked.outputs.error_out, asked.outputs.frames_out})
    if (!path.empty()) check_export(to_qt(path), asked.scene);
  cli::check_ligand_outputs(asked.outputs, false);
  const Molecule& molecule = *asked.molecule;
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  require_same_atoms(molecule, "a ligand map");
  const bool table = !asked.work.buckingham.empty();
  const Probe probe =
      asked.sigma > 0 || table
          ? Probe{"one site", table ? asked.work.buckingham : "your own", {{{0, 0, 0}, asked.sigma, asked.epsilon, 0}}}
          : cli::probe_of(asked.work.probe);
  const std::vector<glm::dquat> orientations = probe_orientations(probe, asked.rotations);
  Made made;
  const cli::ProbeWork work =
      cli::probe_work_of(asked.molecule, asked.frames, asked.work,
                         [&](const std::string& text) { made.notes += (made.notes.empty() ? "" : "; ") + text; });
  ProbeOptions probing = asked.work.probing;
  probing.buckingham = work.laws.pairs;
  made.frames = work.frames.size();
  made.points = work.grid.size();
  require_memory(LigandAverage::memory(made.points, made.frames) + made.points * 3 * sizeof(float), Device::cpu(),
                 "the maps of the probe");
  LigandAverage average(made.points, made.frames);
  cli::ProbedFrame frame;
  for (std::size_t n = 0; n < made.frames; ++n) {
    JobPart part(job, static_cast<double>(n) / static_cast<double>(made.frames),
                 static_cast<double>(n + 1) / static_cast<double>(made.frames));
    frame = cli::probed_frame(work, work.frames[n]);
    average.add(
        on_device_or_another(
            asked.device,
            [&](Device on) { return cli::probe_map_on(on, frame, probe, orientations, work.grid, probing, part); },
            [](const DeviceFault&, Device) {}),  // whoever computes next says so
        part);
    job.check();
  }
  std::vector<float> mean(made.points);
  for (std::size_t p = 0; p < made.points; ++p) {
    const LigandPoint point = average.at(p);
    mean[p] = static_cast<float>(point.free_energy);
    made.open += point.free_energy < probe_ceiling;
    made.known += std::isfinite(point.error);
  }
  if (made.open == 0) throw Error("the probe fits nowhere in the map", Error::Kind::usage);
  const std::vector<std::size_t> minima = free_energy_minima(work.grid, mean);
  made.minima_count = minima.size();
  for (std::size_t n = 0; n < std::min(minima.size(), most_minima); ++n) {
    LigandPoint point = average.at(minima[n]);
    point.free_energy *= work.factor;
    point.error *= work.factor;
    const glm::dvec3 place = cli::point_of(work.grid, minima[n]);
    made.minima.push_back({point, place, cli::nearest_residue(work, frame, place)});
  }
  made.text = fmt::format("{} ({}), {:g} K, {}", probe.name, probe.source, probing.temperature,
                          cli::counted(orientations.size(), "orientation"));
  job.check();
  const cli::LigandResult result{work.grid, false, asked.work.unit, work.factor, made.text};
  cli::write_ligand(result, average, asked.outputs, asked.molecule.get(), asked.frames.front());
  for (const std::string& path : {asked.outputs.out, asked.outputs.frames_out})
    if (!path.empty()) made.opened.push_back(documents.open({path}).front());
  for (const SceneMolecule& map : made.opened) documents.molecule(map);
  made.molecule = documents.molecule(made.opened.front());
  return made;
}

void LigandMapDialog::take(const Asked& asked, const Made& made) {
  const auto& molecules = controller_.scene().molecules;
  // A file that the scene has already is shown again.
  const bool there = std::any_of(molecules.begin(), molecules.end(),
                                 [&](const SceneMolecule& m) { return m.paths == made.opened.front().paths; });
  if (there) {
    controller_.molecules_changed();
  } else {
    controller_.edit(tr("Ligand map"), [&](Scene& scene) {
      Field field;
      field.kind = Field::Kind::volume;
      field.molecule = static_cast<std::uint32_t>(scene.molecules.size());
      show_usually(field, *made.molecule, true);
      if (made.opened.size() > 1) {  // white where one frame carries the average
        field.paint = Field::Paint::map;
        field.map_molecule = field.molecule + 1;
        field.paint_range = static_cast<double>(made.frames);
      }
      scene.molecules.insert(scene.molecules.end(), made.opened.begin(), made.opened.end());
      scene.fields.push_back(field);
    });
  }
  show_minima(made);
  QString text = tr("Saved %1: %2; it fits at %3 of %4 points; %5 minima")
                     .arg(to_qt(asked.outputs.out), to_qt(made.text))
                     .arg(made.open)
                     .arg(made.points)
                     .arg(made.minima_count);
  if (made.frames > 1)
    text += tr("; mean over %1 frames, of which fewer than two carry it at %2 points: no error there, and the surface "
               "is pale")
                .arg(made.frames)
                .arg(made.open - std::min(made.open, made.known));
  if (!made.notes.empty()) text += tr("; %1").arg(to_qt(made.notes));
  work_->say(text);
  if (file_->text().trimmed().toStdString() == asked.outputs.out) show_probe();  // else the user has typed the next one
  // With the message and the list the lines of selections would be cut.
  const int list = minima_->sizeHint().height() / 2;
  if (const int needed = sizeHint().height() - list; needed > height()) resize(width(), needed);
  Q_EMIT this->made(to_qt(asked.outputs.out));
}

void LigandMapDialog::show_minima(const Made& made) {
  const QSignalBlocker quiet(minima_);
  minima_->clear();
  places_.clear();
  minima_->setColumnHidden(2, made.frames < 2);
  minima_->setColumnHidden(3, made.frames < 2);
  QList<QTreeWidgetItem*> items;
  for (const Made::Minimum& minimum : made.minima) {
    const auto number = [](double value, int digits) { return QString::number(value, 'f', digits); };
    auto* item =
        new QTreeWidgetItem({QString::number(places_.size() + 1), number(minimum.point.free_energy, 2),
                             std::isfinite(minimum.point.error) ? number(minimum.point.error, 2) : QString(),
                             number(minimum.point.effective, 1), to_qt(minimum.residue), number(minimum.place.x, 2),
                             number(minimum.place.y, 2), number(minimum.place.z, 2)});
    for (int column = 0; column < 8; ++column)
      if (column != 4) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    items += item;
    places_.push_back(minimum.place);
  }
  minima_->addTopLevelItems(items);
  minima_->show();
}

}  // namespace isolume
