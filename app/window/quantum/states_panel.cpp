// The panel of excited states: the files it reads, and the display of the scene.
#include "app/window/quantum/states_panel.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/path_part.h"
#include "app/window/live/check_export.h"
#include "app/window/live/table_record.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

bool names_state(const SceneMolecule& entry) {
  return std::any_of(entry.paths.begin(), entry.paths.end(),
                     [](const std::string& path) { return path_part(path).kind == PathPart::Kind::state; });
}

std::vector<std::string> files_of(const SceneMolecule& entry) {
  std::vector<std::string> files;
  for (const std::string& path : entry.paths)
    if (path_part(path).kind == PathPart::Kind::file) files.push_back(path);
  return files;
}

/// Selections between semicolons.
std::vector<std::string> words_of(const QString& text) {
  std::vector<std::string> words;
  for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts))
    if (!part.trimmed().isEmpty()) words.push_back(part.trimmed().toStdString());
  return words;
}

/// A pair: HOMO and LUMO are the first one.
std::string hole(int pair) {
  return pair == 1 ? "homo" : fmt::format("homo-{}", pair - 1);
}
std::string particle(int pair) {
  return pair == 1 ? "lumo" : fmt::format("lumo+{}", pair - 1);
}

}  // namespace

StatesPanel::~StatesPanel() {
  if (job_) job_->cancel();
}

void StatesPanel::cancel() {
  if (!reading_) return;
  job_->cancel();
  job_.reset();
  reading_ = false;
  Q_EMIT progress({}, 0);
  show_controls();
}

int StatesPanel::molecule() const {
  const auto& molecules = controller_.scene().molecules;
  for (std::size_t m = 0; m < molecules.size(); ++m) {
    if (names_state(molecules[m])) continue;
    const auto loaded = controller_.molecule(m);
    if (loaded && !loaded->orbitals.empty() && (of_.empty() || files_of(molecules[m]) == of_))
      return static_cast<int>(m);
  }
  return -1;
}

void StatesPanel::open_amplitudes(const QString& path) {
  of_.clear();
  const int index = molecule();
  if (index < 0) {
    Q_EMIT failed(tr("Open a file with orbitals first: amplitudes are between its orbitals"));
    return;
  }
  cancel();
  of_ = files_of(controller_.scene().molecules[static_cast<std::size_t>(index)]);
  file_ = QFileInfo(path).absoluteFilePath().toStdString();
  read();
}

void StatesPanel::read() {
  const int index = molecule();
  if (index < 0 || file_.empty()) return;
  cancel();
  const auto loaded = controller_.molecule(static_cast<std::size_t>(index));
  job_ = std::make_shared<Job>();
  words_ = words_of(fragments_->text());
  reading_ = true;
  Q_EMIT progress(tr("Reading excited states"), -1);
  const auto end = [this, job = job_] {
    if (job != job_) return false;
    reading_ = false;
    Q_EMIT progress({}, 0);
    return true;
  };
  run_async(
      this, [loaded, file = file_, job = job_, words = words_] { return cli::state_list(*loaded, file, words, *job); },
      [this, end](cli::StateList found) {
        if (!end()) return;
        const QString fault = to_qt(found.fault);
        take(std::move(found));
        if (!fault.isEmpty()) Q_EMIT failed(fault);
        show_scene(controller_.scene());  // the molecule may be gone by now
      },
      [this, end](const QString& message) {
        if (!end()) return;
        take({});
        Q_EMIT failed(message);
      });
}

void StatesPanel::take(cli::StateList found) {
  list_ = std::move(found);
  table_->clear();
  show_headings();
  QList<QTreeWidgetItem*> items;
  bool computed = false;
  for (std::size_t i = 0; i < list_.rows.size(); ++i) {
    const StateRow& row = list_.rows[i];
    computed = computed || row.computed;
    QString transitions = to_qt(list_.texts[i]);
    transitions.replace(QStringLiteral("->"), QStringLiteral("\u2192"));
    auto* item = new QTreeWidgetItem({QString::number(i + 1), QString::number(row.energy, 'f', 4),
                                      QString::number(row.wavelength, 'f', 1), QString::number(row.strength, 'f', 4),
                                      transitions});
    for (const int column : {0, 1, 2, 3}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(4, transitions);
    if (i < list_.transfers.size()) {
      item->setText(5, QString::number(list_.transfers[i].transferred, 'f', 3));
      for (std::size_t k = 0; k < list_.transfers[i].numbers.size(); ++k)
        item->setText(6 + static_cast<int>(k), QString::number(list_.transfers[i].numbers[k], 'f', 3));
      for (int column = 5; column < table_->columnCount(); ++column)
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    item->setSizeHint(0, roomy_row(*table_));
    items += item;
  }
  table_->addTopLevelItems(items);
  for (int column = 0; column < table_->columnCount(); ++column) table_->resizeColumnToContents(column);
  hint_->setVisible(items.isEmpty());
  QString text;
  if (!items.isEmpty()) {
    text = items.size() == 1 ? tr("1 state") : tr("%1 states").arg(items.size());
    text += tr("; %1").arg(QFileInfo(to_qt(file_)).fileName());
    double worst = 0;
    for (const StateRow& row : list_.rows) worst = std::max(worst, std::abs(row.norm - 1));
    if (worst > 1e-3) text += tr("; amplitudes miss their norm by up to %1").arg(worst, 0, 'f', 3);
    if (computed) text += tr("; oscillator strengths from the transition density");
  }
  note_->setText(text);
  show_spectrum();
  show_controls();
}

void StatesPanel::show_headings() {
  QStringList headings = {tr("State"), tr("Energy (eV)"), tr("\u03bb (nm)"), tr("f"), tr("Main transitions")};
  if (!list_.labels.empty()) headings += tr("CT");
  for (const std::string& hole : list_.labels)
    for (const std::string& electron : list_.labels) headings += to_qt(hole) + QChar(0x2192) + to_qt(electron);
  table_->setColumnCount(static_cast<int>(headings.size()));
  table_->setHeaderLabels(headings);
  table_->headerItem()->setToolTip(2, tr("Wavelength"));
  table_->headerItem()->setToolTip(3, tr("Oscillator strength"));
  for (int column = 5; column < table_->columnCount(); ++column)
    table_->headerItem()->setToolTip(column, column == 5 ? tr("Part of the excitation that goes between fragments")
                                                         : tr("Charge-transfer number: hole on the first fragment, "
                                                              "electron on the second"));
}

void StatesPanel::show_spectrum() {
  const bool wavelengths = axis_->currentIndex() == 1;
  SpectrumLines lines;
  lines.x = wavelengths ? tr("Wavelength (nm)") : tr("Energy (eV)");
  lines.y = tr("\u03b5 (L mol\u207b\u00b9 cm\u207b\u00b9)");
  lines.empty = tr("No excited states");
  const double inverse_cm_in_ev = units::hartree_in_ev / units::hartree_in_inverse_cm;
  if (wavelengths) lines.inverse = 1e7 * inverse_cm_in_ev;
  // The integral over wavenumbers, here over eV.
  for (const StateRow& row : list_.rows)
    lines.lines.push_back({row.energy, row.strength * absorption_of_strength() * inverse_cm_in_ev});
  spectrum_->set_lines(std::move(lines));
  spectrum_->mark(row());
}

int StatesPanel::row() const {
  return table_->indexOfTopLevelItem(table_->currentItem());
}

void StatesPanel::show_scene(const Scene&) {
  // The states of a molecule that is gone are gone too.
  if (!of_.empty() && !list_.rows.empty() && molecule() < 0) {
    of_.clear();
    take({});
  }
  show_controls();
}

void StatesPanel::show_controls() {
  const bool orbitals = molecule() >= 0;
  open_->setEnabled(orbitals && !reading_);
  hint_->setText(orbitals ? tr("Press Open... for a file of amplitudes of these orbitals")
                          : tr("Open a file with orbitals, then its amplitudes"));
  show_->setEnabled(row() >= 0 && orbitals);
  pair_->setEnabled(row() >= 0 && orbitals);
  export_->setEnabled(!list_.rows.empty());
  fragments_->setEnabled(orbitals);
}

void StatesPanel::show_pair(int state, int pair) {
  const int index = molecule();
  if (index < 0 || file_.empty()) return;
  if (showing_) {
    next_ = {state, pair};
    return;
  }
  SceneMolecule entry = controller_.scene().molecules[static_cast<std::size_t>(index)];
  entry.paths = of_;
  entry.visible = true;
  const std::vector<std::string> base = of_;
  entry.paths.push_back(path_of({file_, PathPart::Kind::state, state}));
  showing_ = true;
  Q_EMIT progress(tr("Computing natural transition orbitals"), -1);
  const auto end = [this] {
    showing_ = false;
    Q_EMIT progress({}, 0);
    if (const auto next = std::exchange(next_, std::nullopt)) show_pair(next->first, next->second);
    return showing_;
  };
  run_async(
      this, [documents = &controller_.documents(), entry] { return documents->molecule(entry); },
      [this, entry, base, state, pair, end](std::shared_ptr<const Molecule> made) {
        if (end()) return;  // another one was asked for meanwhile
        const auto& molecules = controller_.scene().molecules;
        if (std::none_of(molecules.begin(), molecules.end(), [&](const auto& m) { return files_of(m) == base; }))
          return;
        const auto pairs = static_cast<int>(made->orbitals.front()->count() / 2);
        pair_->setMaximum(std::max(1, pairs));
        const int wanted = std::min(pair, pairs);
        controller_.edit(
            tr("Show natural transition orbitals"),
            [&](Scene& scene) {
              auto place = std::find_if(scene.molecules.begin(), scene.molecules.end(),
                                        [&](const SceneMolecule& m) { return names_state(m) && files_of(m) == base; });
              const auto number = static_cast<std::uint32_t>(place - scene.molecules.begin());
              if (place == scene.molecules.end()) {
                scene.molecules.push_back(entry);
              } else {
                *place = entry;
              }
              // Orbitals of other molecules would be in the same place.
              for (Field& field : scene.fields)
                if (field.kind == Field::Kind::orbital && field.molecule != number) field.visible = false;
              std::vector<std::size_t> own;
              for (std::size_t f = 0; f < scene.fields.size(); ++f)
                if (scene.fields[f].kind == Field::Kind::orbital && scene.fields[f].molecule == number)
                  own.push_back(f);
              while (own.size() < 2) {
                Field field;
                field.kind = Field::Kind::orbital;
                field.molecule = number;
                std::tie(field.colour, field.negative_colour) = phase_colours(own.size());
                own.push_back(scene.fields.size());
                scene.fields.push_back(field);
              }
              scene.fields[own[0]].orbital = hole(wanted);
              scene.fields[own[1]].orbital = particle(wanted);
              for (const std::size_t f : {own[0], own[1]}) scene.fields[f].visible = true;
            },
            true);
        note_->setText(
            tr("State %1, pair %2: %3 and %4")
                .arg(state)
                .arg(wanted)
                .arg(to_qt(made->orbitals.front()->orbitals[static_cast<std::size_t>(pairs - wanted)].symmetry),
                     to_qt(made->orbitals.front()->orbitals[static_cast<std::size_t>(pairs + wanted - 1)].symmetry)));
      },
      [this, end](const QString& message) {
        end();
        Q_EMIT failed(message);
      });
}

void StatesPanel::write_table(const QString& path) const {
  if (list_.rows.empty()) throw Error("no excited states", Error::Kind::usage);
  check_export(path, controller_.scene());
  const std::string text = cli::state_list_table(list_);
  write_atomically(path.toStdString(), [&](std::ostream& out) { out << text; });
  RecordedTable table{recorded_scene(), "Excited states", {}};
  table.asked["of"] = "states";
  table.asked["fragments"] = list_.labels.empty() ? std::vector<std::string>() : words_;
  record_table(std::move(table), path);
}

Scene StatesPanel::recorded_scene() const {
  const int number = molecule();
  if (number < 0) return {};
  Scene scene = molecules_of(controller_.scene(), {static_cast<std::size_t>(number)});
  scene.molecules.push_back({{file_}});
  return scene;
}

void StatesPanel::write_spectrum(const QString& path) const {
  check_export(path, controller_.scene());
  const std::string text = spectrum_->csv().toStdString();
  write_atomically(path.toStdString(), [&](std::ostream& out) { out << text; });
  record_shown_table(recorded_scene(), QStringLiteral("Excited states, spectrum"), path);
}

}  // namespace isolume
