// The panel of normal modes: the display of the scene and of the file.
#include "app/window/quantum/vibrations_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cli/quantum/mode_table.h"
#include "app/models/labels.h"
#include "app/window/live/check_export.h"
#include "app/window/live/player.h"
#include "app/window/live/table_record.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "formats/orbitals/vibrations.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/mode_frames.h"

namespace isolume {
namespace {

constexpr float arrow_length = 1.8f;  ///< angstrom, of the fastest atom as it passes its rest position

bool is_arrows(const Representation& representation, std::uint32_t molecule) {
  return representation.molecule == molecule && representation.style == Style::vectors &&
         representation.options.vectors == VectorKind::velocities;
}

Representation arrows_of(std::uint32_t molecule, const VibrationalMode& mode, double amplitude) {
  Representation arrows;
  arrows.molecule = molecule;
  arrows.style = Style::vectors;
  arrows.options.vectors = VectorKind::velocities;
  arrows.options.vector_scale = arrow_length / static_cast<float>(largest_speed(mode, amplitude));
  arrows.colouring = Colouring::uniform;
  arrows.colour = {230, 159, 0, 255};
  return arrows;
}

/// The paths of a molecule with this mode, or with none.
std::vector<std::string> with_mode(const std::vector<std::string>& paths, const PathPart& mode) {
  std::vector<std::string> result;
  for (const std::string& path : paths)
    if (path_part(path).kind != PathPart::Kind::mode) result.push_back(path);
  if (mode.kind == PathPart::Kind::mode) result.push_back(path_of(mode));
  return result;
}

QString optional_text(const std::optional<double>& value) {
  return value ? QString::number(*value, 'f', 2) : QString();
}

}  // namespace

int VibrationsPanel::molecule() const {
  const auto count = static_cast<int>(controller_.scene().molecules.size());
  return molecules_->currentIndex() < count ? molecules_->currentIndex() : -1;
}

PathPart VibrationsPanel::shown() const {
  if (molecule() >= 0)
    for (const std::string& path : controller_.scene().molecules[static_cast<std::size_t>(molecule())].paths)
      if (PathPart part = path_part(path); part.kind == PathPart::Kind::mode) return part;
  return {};
}

int VibrationsPanel::wanted_mode() const {
  if (showing_) return next_ ? next_->mode : showing_mode_;
  const PathPart part = shown();
  return part.kind == PathPart::Kind::mode ? part.number : 0;
}

bool VibrationsPanel::has_arrows() const {
  const auto& all = controller_.scene().representations;
  return std::any_of(all.begin(), all.end(), [&](const Representation& r) {
    return r.visible && is_arrows(r, static_cast<std::uint32_t>(molecule()));
  });
}

std::string VibrationsPanel::source() const {
  if (const PathPart part = shown(); part.kind == PathPart::Kind::mode) return part.file;
  if (molecule() < 0) return {};
  const SceneMolecule& entry = controller_.scene().molecules[static_cast<std::size_t>(molecule())];
  if (entry.paths.empty()) return {};
  for (const auto& [of, file] : chosen_)
    if (of == entry.paths.front()) return file;
  const auto loaded = controller_.molecule(static_cast<std::size_t>(molecule()));
  return loaded && may_have_modes(loaded->format) ? file_of(entry.paths.front()) : std::string();
}

void VibrationsPanel::show_scene_if_visible(const Scene& scene) {
  if (isVisible()) show_scene(scene);
}

void VibrationsPanel::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecules_);
    const bool none = molecules_->currentIndex() < 0;
    show_molecules(molecules_, scene);
    // The first whose file may have modes.
    for (int m = 0; none && m < molecules_->count(); ++m) {
      molecules_->setCurrentIndex(m);
      if (!source().empty()) break;
      if (m + 1 == molecules_->count()) molecules_->setCurrentIndex(0);
    }
    molecules_->setVisible(scene.molecules.size() > 1);
  }
  read();
  show_controls();
}

void VibrationsPanel::read() {
  const std::string file = source();
  const QDateTime changed = file.empty() ? QDateTime() : QFileInfo(to_qt(file)).lastModified();
  if (file == file_ && changed == read_at_) return;
  if (reading_) {
    read_again_ = true;
    return;
  }
  file_ = file;
  read_at_ = changed;
  if (file.empty()) return take({});
  reading_ = true;
  const auto done = [this] {
    reading_ = false;
    if (std::exchange(read_again_, false)) read();
  };
  run_async(
      this, [file] { return read_vibrations(file); },
      [this, done](Vibrations found) {
        take(std::move(found));
        done();
      },
      [this, done](const QString& message) {
        take({});
        hint_->setText(message);
        done();
      });
}

void VibrationsPanel::take(Vibrations vibrations) {
  vibrations_ = std::move(vibrations);
  const auto loaded = molecule() < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule()));
  const bool fits =
      loaded && !vibrations_.modes.empty() && vibrations_.modes.front().displacement.size() == loaded->atom_count();
  const auto any = [&](auto has) { return std::any_of(vibrations_.modes.begin(), vibrations_.modes.end(), has); };
  const bool infrared = any([](const VibrationalMode& mode) { return mode.intensity.has_value(); });
  const bool raman = any([](const VibrationalMode& mode) { return mode.raman.has_value(); });
  std::vector<double> masses;
  if (fits) masses = cli::masses_of(*loaded);
  filling_ = true;
  table_->clear();
  QList<QTreeWidgetItem*> rows;
  for (std::size_t i = 0; i < vibrations_.modes.size(); ++i) {
    const VibrationalMode& mode = vibrations_.modes[i];
    QString frequency = QString::number(std::abs(mode.frequency), 'f', 1);
    if (mode.frequency < 0) frequency += QLatin1Char('i');
    auto* item = new QTreeWidgetItem({QString::number(i + 1), frequency, optional_text(mode.intensity),
                                      optional_text(mode.raman), to_qt(mode.symmetry),
                                      fits ? QString::number(reduced_mass(mode, masses), 'f', 3) : QString()});
    for (const int column : {0, 1, 2, 3, 5}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    item->setSizeHint(0, roomy_row(*table_));
    rows += item;
  }
  table_->addTopLevelItems(rows);
  table_->setColumnHidden(2, !infrared);
  table_->setColumnHidden(3, !raman);
  table_->setColumnHidden(4, !any([](const VibrationalMode& mode) { return !mode.symmetry.empty(); }));
  for (int column = 0; column < table_->columnCount(); ++column) table_->resizeColumnToContents(column);
  hint_->setVisible(rows.isEmpty());
  hint_->setText(
      tr("No normal modes. Open a Molden file or a log with them, or press Open... for the modes of this "
         "molecule in another file"));
  quantity_->setVisible(infrared && raman);
  if (!infrared && raman) quantity_->setCurrentIndex(1);
  if (infrared && !raman) quantity_->setCurrentIndex(0);
  const auto imaginary = std::count_if(vibrations_.modes.begin(), vibrations_.modes.end(),
                                       [](const VibrationalMode& mode) { return mode.frequency < 0; });
  QString text;
  if (!rows.isEmpty()) {
    text = rows.size() == 1 ? tr("1 mode") : tr("%1 modes").arg(rows.size());
    if (imaginary > 0) text += tr(", %1 imaginary").arg(imaginary);
    text += tr("; %1").arg(QFileInfo(to_qt(file_)).fileName());
    if (!fits) text += tr("; of another number of atoms than the molecule");
  }
  note_->setText(text);
  filling_ = false;
  show_spectrum();
  show_controls();
}

void VibrationsPanel::show_spectrum() {
  const bool raman = quantity_->currentIndex() == 1;
  SpectrumLines lines;
  lines.x = tr("Wavenumber (cm\u207b\u00b9)");
  lines.y = raman ? tr("Raman activity (\u00c5\u2074/Da per cm\u207b\u00b9)")
                  : tr("\u03b5 (L mol\u207b\u00b9 cm\u207b\u00b9)");
  lines.empty = vibrations_.modes.empty() ? tr("No normal modes") : tr("The file has no intensities");
  bool any = false;
  for (const VibrationalMode& mode : vibrations_.modes) {
    const auto& value = raman ? mode.raman : mode.intensity;
    any = any || value;
    // One line for each mode, so that lines and rows have the same numbers.
    lines.lines.push_back({mode.frequency, value.value_or(0) * (raman ? 1 : absorption_of_intensity())});
  }
  if (!any) lines.lines.clear();
  spectrum_->set_lines(std::move(lines));
  spectrum_->mark(row());
}

int VibrationsPanel::row() const {
  return table_->indexOfTopLevelItem(table_->currentItem());
}

void VibrationsPanel::show_controls() {
  const PathPart part = shown();
  const bool is_shown = part.kind == PathPart::Kind::mode;
  const bool before = std::exchange(filling_, true);
  // What was asked for stays as it is until it is there.
  if (!showing_ && is_shown && part.file == file_ && part.number <= table_->topLevelItemCount() &&
      row() != part.number - 1) {
    table_->setCurrentItem(table_->topLevelItem(part.number - 1));
    spectrum_->mark(part.number - 1);
  }
  if (!showing_ && is_shown) amplitude_->setValue(part.amplitude);
  const bool any = !vibrations_.modes.empty() && molecule() >= 0;
  if (!showing_) animate_->setChecked(is_shown && player_.playing());
  if (!showing_) arrows_->setChecked(is_shown && has_arrows());
  for (QWidget* widget : {static_cast<QWidget*>(animate_), static_cast<QWidget*>(arrows_),
                          static_cast<QWidget*>(amplitude_), static_cast<QWidget*>(speed_)})
    widget->setEnabled(any);
  rest_->setEnabled(is_shown);
  open_->setEnabled(molecule() >= 0);
  export_->setEnabled(any);
  filling_ = before;
}

void VibrationsPanel::show_mode(const Wanted& wanted) {
  if (molecule() < 0) return;
  if (showing_) {
    next_ = wanted;
    return;
  }
  const auto place = static_cast<std::size_t>(molecule());
  SceneMolecule entry = controller_.scene().molecules[place];
  const std::vector<std::string> before = entry.paths;
  PathPart part;
  VibrationalMode mode;
  if (wanted.mode > 0 && static_cast<std::size_t>(wanted.mode) <= vibrations_.modes.size()) {
    part = {file_, PathPart::Kind::mode, wanted.mode, amplitude_->value(), PathPart{}.frames};
    mode = vibrations_.modes[static_cast<std::size_t>(wanted.mode - 1)];
  }
  entry.paths = with_mode(before, part);
  showing_ = true;
  showing_mode_ = wanted.mode;
  const auto done = [this] {
    showing_ = false;
    if (const auto next = std::exchange(next_, std::nullopt)) show_mode(*next);
    if (!showing_) show_controls();
  };
  run_async(
      this,
      [documents = &controller_.documents(), entry] {
        documents->molecule(entry);
        return true;
      },
      [this, place, entry, before, part, mode, wanted, done](bool) {
        const auto& molecules = controller_.scene().molecules;
        if (place >= molecules.size() || molecules[place].paths != before) return done();
        const bool moves = part.kind == PathPart::Kind::mode;
        if (!moves) player_.pause();
        if (!moves || !player_.playing()) controller_.touch([](Scene& scene) { scene.frame = 0; });
        controller_.edit(
            moves ? tr("Show normal mode") : tr("Show rest positions"),
            [&](Scene& scene) {
              scene.molecules[place].paths = entry.paths;
              std::erase_if(scene.representations,
                            [&](const Representation& r) { return is_arrows(r, static_cast<std::uint32_t>(place)); });
              if (moves && wanted.arrows && largest_speed(mode, part.amplitude) > 0)
                scene.representations.push_back(arrows_of(static_cast<std::uint32_t>(place), mode, part.amplitude));
            },
            moves);
        if (moves) set_speed();
        if (moves && wanted.play && !player_.playing()) player_.play();
        done();
      },
      [this, done](const QString& message) {
        Q_EMIT failed(message);
        done();
      });
}

void VibrationsPanel::set_speed() {
  const PathPart part = shown();
  if (part.kind != PathPart::Kind::mode) return;
  controller_.touch([&](Scene& scene) {
    scene.playback.frames_per_second = std::clamp(speed_->value() * part.frames, 0.5, 240.0);
    scene.playback.stride = 1;
    scene.playback.loop = Playback::Loop::loop;
  });
}

void VibrationsPanel::open_modes(const QString& path) {
  if (molecule() < 0) return;
  const SceneMolecule& entry = controller_.scene().molecules[static_cast<std::size_t>(molecule())];
  const std::string of = entry.paths.front(), file = QFileInfo(path).absoluteFilePath().toStdString();
  std::erase_if(chosen_, [&](const auto& known) { return known.first == of; });
  chosen_.emplace_back(of, file);
  if (shown().kind == PathPart::Kind::mode && shown().file != file) return show_mode({});
  read();
}

void VibrationsPanel::write_table(const QString& path) const {
  const auto loaded = molecule() < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule()));
  if (!loaded || vibrations_.modes.empty() || vibrations_.modes.front().displacement.size() != loaded->atom_count())
    throw Error("this molecule has no normal modes", Error::Kind::usage);
  check_export(path, controller_.scene());
  const std::string text = cli::mode_table(vibrations_, cli::masses_of(*loaded), *loaded);
  write_atomically(path.toStdString(), [&](std::ostream& out) { out << text; });
  RecordedTable table{molecules_of(controller_.scene(), {static_cast<std::size_t>(molecule())}), "Vibrations", {}};
  table.scene.molecules.push_back({{file_}});
  table.asked["of"] = "modes";
  record_table(std::move(table), path);
}

void VibrationsPanel::write_spectrum(const QString& path) const {
  check_export(path, controller_.scene());
  const std::string text = spectrum_->csv().toStdString();
  write_atomically(path.toStdString(), [&](std::ostream& out) { out << text; });
  Scene shown = controller_.scene();
  shown.molecules.push_back({{file_}});
  record_shown_table(shown, QStringLiteral("Vibrations, spectrum"), path);
}

}  // namespace isolume
