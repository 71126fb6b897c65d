// The panel of plots: energies that a simulation program wrote, linked with frames by time.
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/plot.h"
#include "compute/trajectory/energy_frames.h"
#include "formats/energies/read_energies.h"

namespace isolume {
namespace {

/// The terms that are shown first, by program.
constexpr const char* first_terms[] = {"Potential", "EPtot", "POTENTIAL", "ENERGY", "Total Energy"};

QString shown_unit(const std::string& unit) {
  QString text = to_qt(unit);
  text.replace(QStringLiteral("angstrom"), QStringLiteral("\u00c5"));
  return text.replace(QStringLiteral("^3"), QStringLiteral("\u00b3"));
}

}  // namespace

void PlotsPanel::ask_energies() {
  auto* dialog = new QFileDialog(this, tr("Energies of a run"), QSettings().value(QStringLiteral("folder")).toString(),
                                 tr("Energies (*.edr *.mdout *.out *.log *.mdinfo);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, &PlotsPanel::add_energies);
  dialog->open();
}

void PlotsPanel::add_energies(const QStringList& paths) {
  if (!paths.isEmpty()) read_energies_of(paths, next_id_++, choices_);
}

std::shared_ptr<const Molecule> PlotsPanel::longest_trajectory() const {
  std::shared_ptr<const Molecule> molecule;
  for (std::size_t i = 0; i < controller_.scene().molecules.size(); ++i) {
    const auto other = controller_.molecule(i);
    if (other && other->frame_count() > (molecule ? molecule->frame_count() : 1)) molecule = other;
  }
  return molecule;
}

void PlotsPanel::read_energies_of(const QStringList& paths, std::uint64_t id, std::uint64_t choices) {
  const auto molecule = longest_trajectory();
  std::vector<std::string> files;
  for (const QString& path : paths) files.push_back(path.toStdString());
  auto job = std::make_shared<Job>();
  energy_jobs_.push_back(job);
  ++computing_;
  const auto done = [this, job] {
    std::erase(energy_jobs_, job);
    if (--computing_ == 0) Q_EMIT progress({}, 0);
  };
  Q_EMIT progress(tr("Reading energies"), -1);
  run_async(
      this,
      [files, molecule, job] {
        Energies energies;
        std::vector<EnergySeries> parts;
        for (const std::string& file : files) {
          job->check();
          parts.push_back(read_energies(*ByteSource::open(file)));
        }
        energies.series = joined_energies(std::move(parts));
        convert_energies(energies.series, "kcal/mol");
        if (molecule && !energies.series.times.empty()) {
          energies.x = frame_numbers(energies.series.times, frame_times(*molecule->trajectory, *job));
          energies.of_frames =
              std::any_of(energies.x.begin(), energies.x.end(), [](double x) { return std::isfinite(x); });
        }
        if (!energies.of_frames) {
          energies.x = energies.series.times;
          if (energies.x.empty()) energies.x.assign(energies.series.steps.begin(), energies.series.steps.end());
        }
        return energies;
      },
      [this, done, job, paths, molecule, id, choices](Energies energies) {
        if (std::find(energy_jobs_.begin(), energy_jobs_.end(), job) == energy_jobs_.end()) return;
        done();
        // Another trajectory came meanwhile: its frames count.
        if (const auto now = longest_trajectory(); now && now != molecule) return read_energies_of(paths, id, choices);
        energies.name = QFileInfo(paths.front()).fileName();
        energies.paths = paths;
        energies.molecule = molecule;
        take_energies(std::move(energies), id, choices);
      },
      [this, done, job](const QString& message) {
        if (std::find(energy_jobs_.begin(), energy_jobs_.end(), job) == energy_jobs_.end()) return;
        done();
        Q_EMIT failed(message);
      });
}

void PlotsPanel::cancel_energies() {
  for (const auto& job : energy_jobs_) {
    job->cancel();
    if (--computing_ == 0) Q_EMIT progress({}, 0);
  }
  energy_jobs_.clear();
}

void PlotsPanel::take_energies(Energies energies, std::uint64_t id, std::uint64_t choices) {
  std::erase_if(energies_, [&](const Energies& other) { return other.name == energies.name; });
  energies_.push_back(std::move(energies));
  const Energies& now = energies_.back();
  show_pages();
  if (id == 0 || !comes_to_front(id, choices)) return show_curves();  // read again, or another page is wanted
  std::size_t term = 0;
  for (const char* name : first_terms) {
    const auto found = std::find_if(now.series.terms.begin(), now.series.terms.end(),
                                    [&](const EnergyTerm& t) { return t.name == name; });
    if (found == now.series.terms.end()) continue;
    term = static_cast<std::size_t>(found - now.series.terms.begin());
    break;
  }
  for (std::size_t i = 0; i < pages_.size(); ++i)
    if (pages_[i].run == static_cast<int>(energies_.size()) - 1 && pages_[i].column == static_cast<int>(term))
      kinds_->setCurrentIndex(static_cast<int>(i));
  show_curves();
}

void PlotsPanel::add_energy_pages(std::vector<Page>& pages) const {
  for (std::size_t run = 0; run < energies_.size(); ++run) {
    const Energies& energies = energies_[run];
    for (std::size_t t = 0; t < energies.series.terms.size(); ++t) {
      const EnergyTerm& term = energies.series.terms[t];
      Page page;
      page.measured = false;
      page.run = static_cast<int>(run);
      page.column = static_cast<int>(t);
      page.axis = energies.of_frames ? Axis::frames : energies.series.times.empty() ? Axis::steps : Axis::time;
      page.title = tr("%1 (%2)").arg(to_qt(term.name), energies.name);
      page.y = to_qt(term.name);
      if (!term.unit.empty()) page.y += QStringLiteral(" (%1)").arg(shown_unit(term.unit));
      pages.push_back(std::move(page));
    }
  }
}

PlotCurve PlotsPanel::energy_curve(const Page& page) const {
  const Energies& energies = energies_[static_cast<std::size_t>(page.run)];
  const EnergyTerm& term = energies.series.terms[static_cast<std::size_t>(page.column)];
  PlotCurve curve;
  curve.name = page.title;
  for (std::size_t row = 0; row < energies.x.size(); ++row) {
    if (!std::isfinite(energies.x[row])) continue;  // before the first or after the last frame
    if (!curve.x.empty() && energies.x[row] <= curve.x.back()) continue;
    curve.x.push_back(energies.x[row]);
    curve.y.push_back(term.values[row]);
  }
  curve.points = curve.x.size() <= 60;
  return curve;
}

}  // namespace isolume
