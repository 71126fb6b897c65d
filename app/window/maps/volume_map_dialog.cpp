// The dialog that makes volume maps over the frames of a molecule: its computation and its result.
#include "app/window/maps/volume_map_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/over_time/averager.h"
#include "app/cli/over_time/volmap_mean.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/window/live/check_export.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/save_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/base/memory.h"
#include "compute/over_time/significance.h"
#include "formats/bytes/left_out.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume {
namespace {

enum Kind { density, mass, charge, occupancy, residence, distance, value };
constexpr const char* kinds[] = {"density", "mass", "charge", "occupancy", "residence", "distance", "value"};
constexpr double site_radius = 1.4;      // angstrom, as the command line's
constexpr std::size_t most_sites = 500;  // in the list

bool spreads(int kind) {
  return kind <= charge || kind == value;
}
/// "w.mrc": "w_error.mrc".
std::string next_to(const std::string& path, const char* what) {
  const std::filesystem::path given(path);
  return (given.parent_path() / (given.stem().string() + "_" + what + given.extension().string())).string();
}
bool has_sites(int kind) {
  return kind == density || kind == mass || kind == occupancy;
}

}  // namespace

/// What a thread of the pool is asked: values only.
struct VolumeMapDialog::Asked {
  std::shared_ptr<const Molecule> molecule;
  Scene scene;
  cli::VolmapChoice choice;
  std::string align, path;
  std::string error_path, faded_path;  ///< empty: neither
  int kind = 0;
  std::size_t frame = 0;
};

struct VolumeMapDialog::Made {
  std::vector<SceneMolecule> opened;
  std::vector<MapPeak> peaks;
  std::string unit, text;
  double level = 0;        ///< of the isosurface
  double error = 0;        ///< RMS of the standard errors that are known; 0 where none is
  bool faded = false;      ///< the second of `opened` is the faded mean
  double significant = 0;  ///< part of the points that are not 0
  bool both_signs = false;
  std::size_t frames = 0;
};

VolumeMapDialog::VolumeMapDialog(SceneController& controller, QString folder, QWidget* parent)
    : QDialog(parent), controller_(controller), folder_(std::move(folder)) {
  setWindowTitle(tr("Volume map over frames"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(540, 480);
  build();
  show_scene(controller_.scene());
  show_kind();
  connect(kind_, &QComboBox::currentIndexChanged, this, &VolumeMapDialog::show_kind);
  connect(molecule_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(around_->line(), &QLineEdit::textChanged, this, &VolumeMapDialog::show_kind);
  connect(work_->go(), &QPushButton::clicked, this, &VolumeMapDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(sites_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const int row = sites_->indexOfTopLevelItem(item);
    if (row >= 0 && static_cast<std::size_t>(row) < peaks_.size())
      Q_EMIT place_asked(peaks_[static_cast<std::size_t>(row)].place);
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::selections, &VolumeMapDialog::show_scene);
}

void VolumeMapDialog::show_scene(const Scene& scene) {
  show_models(molecule_, scene, [this](std::size_t m) { return controller_.molecule(m); });
  const auto number = static_cast<std::uint32_t>(std::max(0, molecule_->currentIndex()));
  const auto molecule = molecule_->count() > 0 ? controller_.molecule(number) : nullptr;
  for (SelectionEdit* edit : {atoms_, align_, around_}) edit->set_molecule(molecule, 0, names_of(scene, number));
  show_row(form_, molecule_, molecule_->count() > 1);
  work_->go()->setEnabled(!work_->running() && molecule && molecule->topology && molecule->frame_count() > 0);
}

void VolumeMapDialog::show_kind() {
  const int kind = kind_->currentIndex();
  const bool local = spreads(kind) && !around_->text().trimmed().isEmpty();
  show_row(form_, around_, spreads(kind));
  show_row(form_, align_, !local);
  show_row(form_, unit_, kind == density || kind == mass);
  show_row(form_, values_, kind == value);
  show_row(form_, error_, kind != residence);  // a stay's error is of another kind
  const QStringList units = kind == mass
                                ? QStringList{QStringLiteral("Da/\u00c5\u00b3"), QStringLiteral("g/cm\u00b3")}
                                : QStringList{QStringLiteral("1/\u00c5\u00b3"), tr("Times the mean in the cell")};
  if (unit_->itemText(0) != units[0]) {
    unit_->clear();
    unit_->addItems(units);
  }
  file_->setText(new_file(folder_, QString::fromLatin1(kinds[std::max(0, kind)]), QStringLiteral("mrc")));
}

void VolumeMapDialog::start() {
  const int number = molecule_->currentIndex();
  if (work_->running() || number < 0) return;
  Asked asked;
  asked.molecule = controller_.molecule(static_cast<std::size_t>(number));
  asked.scene = controller_.scene();
  asked.kind = kind_->currentIndex();
  asked.choice.kind = kinds[asked.kind];
  asked.choice.selection = atoms_->words();
  asked.choice.spacing = spacing_->value();
  asked.choice.radius = radius_->value();
  if (spreads(asked.kind) && !around_->text().trimmed().isEmpty()) asked.choice.around = around_->words();
  if (asked.choice.around.empty() && !align_->text().trimmed().isEmpty()) asked.align = align_->words();
  if (asked.kind == density) asked.choice.unit = unit_->currentIndex() == 1 ? "bulk" : "1/A^3";
  if (asked.kind == mass) asked.choice.unit = unit_->currentIndex() == 1 ? "g/cm^3" : "Da/A^3";
  if (asked.kind == value) asked.choice.values = values_->currentText().trimmed().toStdString();
  asked.path = file_->text().trimmed().toStdString();
  if (!asked.molecule || asked.path.empty()) return;
  QStringList files{to_qt(asked.path)};
  if (error_->isChecked() && asked.kind != residence) {
    asked.error_path = next_to(asked.path, "error");
    asked.faded_path = next_to(asked.path, "faded");
    files += {to_qt(asked.error_path), to_qt(asked.faded_path)};
  }
  if (!work_->may_write(files)) return;
  work_->start(
      tr("Volume map"),
      [asked, documents = &controller_.documents()](Job& job) {
        check_export(to_qt(asked.path), asked.scene);
        const Molecule& molecule = *asked.molecule;
        if (!molecule.topology || molecule.frame_count() == 0)
          throw Error(missing_positions(molecule), Error::Kind::usage);
        require_same_atoms(molecule, "a volume map");
        cli::check_volmap_choice(asked.choice);
        const cli::VolmapFrames frames(asked.molecule, asked.choice, asked.align, 0);
        std::vector<std::size_t> which(molecule.frame_count());
        for (std::size_t f = 0; f < which.size(); ++f) which[f] = f;
        const std::size_t points = frames.grid().size();
        require_memory(frames.ahead() * points * sizeof(float) + RunningStatistics::memory(points, which.size()),
                       Device::cpu(), "the volume map");
        Made made;
        made.frames = which.size();
        made.text = frames.text();
        made.unit = frames.unit();
        std::vector<float> means(points), errors(points);
        if (asked.kind == residence) {
          cli::MeanResidence found = cli::mean_residence(frames, which, job);
          means = std::move(found.means);
          errors = std::move(found.errors);
          made.unit = found.unit;
        } else {
          const RunningStatistics statistics = cli::map_statistics(frames, which, job);
          statistics.fill(means, errors, job);
          if (const double error = statistics.summary().rms_error; std::isfinite(error)) made.error = error;
        }
        double sum = 0;
        for (const float at_point : means) {
          sum += static_cast<double>(at_point);
          made.both_signs = made.both_signs || at_point < 0;
        }
        const double mean = sum / static_cast<double>(std::max<std::size_t>(1, points));
        if (has_sites(asked.kind)) {
          made.peaks = map_peaks(frames.grid(), means, 2 * mean, site_radius, site_radius);
          if (made.peaks.size() > most_sites) made.peaks.resize(most_sites);
        }
        made.level = cli::usual_level(asked.choice.kind, means);
        job.check();
        const std::string name = "mean " + frames.title();
        // Names are short: they are read in legends.
        const auto write = [&](const std::string& path, std::span<const float> values, const std::string& what,
                               const std::string& more = {}) {
          write_volume(
              path, VolumeView(frames.grid(), values, what, made.unit), nullptr, 0,
              what + more + " over " + std::to_string(which.size()) + " frames, " + made.text + ", by Isolume");
        };
        write(asked.path, means, name);
        made.opened = documents->open({asked.path});
        documents->molecule(made.opened.front());
        if (asked.error_path.empty()) return made;
        std::vector<float> faded(points);
        fade_insignificant(means, errors, faded);
        cli::flag_unknown(errors);
        write(asked.error_path, errors, "standard error of the " + name, " (-1: too few frames)");
        write(asked.faded_path, faded, name + ", faded", " to 0 within 2 standard errors,");
        made.faded = made.error > 0;
        made.significant =
            static_cast<double>(std::count_if(faded.begin(), faded.end(), [](float v) { return v != 0; })) /
            static_cast<double>(std::max<std::size_t>(1, points));
        if (!made.faded) return made;
        made.opened.push_back(documents->open({asked.faded_path}).front());
        documents->molecule(made.opened.back());
        return made;
      },
      [this, asked](const Made& made) { take(asked, made); });
}

void VolumeMapDialog::take(const Asked& asked, const Made& made) {
  const auto& molecules = controller_.scene().molecules;
  // A file that the scene has already is shown again.
  const bool there = std::any_of(molecules.begin(), molecules.end(),
                                 [&](const SceneMolecule& m) { return m.paths == made.opened.front().paths; });
  if (there) {
    controller_.molecules_changed();
  } else {
    controller_.edit(tr("Volume map over frames"), [&](Scene& scene) {
      Field field;
      field.kind = Field::Kind::volume;
      field.molecule = static_cast<std::uint32_t>(scene.molecules.size());
      field.both_signs = asked.kind == charge || (asked.kind == value && made.both_signs);
      field.isovalue = made.level;
      field.opacity = asked.kind == charge ? 0.8f : 0.6f;
      if (made.faded) {
        field.paint = Field::Paint::map;
        field.map_molecule = field.molecule + 1;
        field.paint_range = QString::number(made.level, 'g', 2).toDouble();
      }
      if (field.both_signs) {
        field.colour = {60, 90, 200, 255};
        field.negative_colour = {200, 60, 50, 255};
      }
      scene.molecules.insert(scene.molecules.end(), made.opened.begin(), made.opened.end());
      scene.fields.push_back(field);
    });
  }
  peaks_ = made.peaks;
  sites_->headerItem()->setText(4, tr("Value (%1)").arg(printed_unit(made.unit)));
  show_sites();
  sites_->setVisible(!peaks_.empty());
  QString text = tr("Saved %1: mean of %2 frames, %3").arg(to_qt(asked.path)).arg(made.frames).arg(to_qt(made.text));
  if (made.error > 0)
    text += tr("; standard error %1 %2 (RMS)").arg(made.error, 0, 'g', 3).arg(printed_unit(made.unit));
  if (made.faded)
    text += tr("; pale within it: significant at %1\u202f% of the points").arg(100 * made.significant, 0, 'g', 3);
  if (!made.faded && !asked.error_path.empty()) text += tr("; no standard error: the frames are too few, or alike");
  if (!peaks_.empty()) {
    text += tr("; %1 sites").arg(peaks_.size());
  } else if (has_sites(asked.kind)) {
    text += tr("; no sites: no maximum is above twice the mean");
  }
  if (!asked.choice.around.empty()) {
    // In the frame of a residue, and not where the molecule is.
    text += tr("; shown around the origin");
    Q_EMIT place_asked(glm::dvec3(0));
  }
  work_->say(text);
  if (file_->text().trimmed().toStdString() == asked.path)  // else the user has typed the next one
    file_->setText(new_file(folder_, QString::fromLatin1(kinds[asked.kind]), QStringLiteral("mrc")));
  // With the message and the sites the lines of selections would be cut.
  const int sites = sites_->isVisible() ? sites_->sizeHint().height() / 2 : 0;
  if (const int needed = sizeHint().height() - sites; needed > height()) resize(width(), needed);
  Q_EMIT this->made(to_qt(asked.path));
}

void VolumeMapDialog::show_sites() {
  const QSignalBlocker quiet(sites_);
  sites_->clear();
  QList<QTreeWidgetItem*> items;
  for (std::size_t i = 0; i < peaks_.size(); ++i) {
    const MapPeak& peak = peaks_[i];
    auto* item = new QTreeWidgetItem({QString::number(i + 1), QString::number(peak.place.x, 'f', 2),
                                      QString::number(peak.place.y, 'f', 2), QString::number(peak.place.z, 'f', 2),
                                      QString::number(peak.value, 'g', 4), QString::number(peak.occupancy, 'g', 4)});
    for (int column = 0; column < 6; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    items += item;
  }
  sites_->addTopLevelItems(items);
}

}  // namespace isolume
