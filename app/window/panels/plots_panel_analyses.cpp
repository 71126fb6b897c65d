// The panel of plots: analyses and their pages.
#include <QComboBox>
#include <QPointer>
#include <QSignalBlocker>
#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "app/models/labels.h"
#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/plot.h"

namespace isolume {
namespace {

/// They are computed of the range of frames, not for each frame.
bool of_range(AnalysisKind kind) {
  return kind == AnalysisKind::rmsf || kind == AnalysisKind::rdf;
}

/// Columns in front of the values: frame and perhaps time, or r; none of residues.
std::size_t axis_columns(const AnalysisTable& table) {
  if (!table.atoms.empty()) return 0;
  return table.columns.size() > 1 && table.columns[1].name == "time" ? 2 : 1;
}

QString unit_of(const AnalysisColumn& column) {
  QString unit = to_qt(column.unit);
  unit.replace(QStringLiteral("angstrom"), QStringLiteral("\u00c5"));
  unit.replace(QStringLiteral("^2"), QStringLiteral("\u00b2"));
  unit.replace(QStringLiteral("^3"), QStringLiteral("\u00b3"));
  return unit.replace(QStringLiteral("debye"), QStringLiteral("D"));
}

}  // namespace

std::vector<double> PlotsPanel::residue_axis(const AnalysisTable& table) {
  std::vector<double> numbers, order(table.rows());
  std::iota(order.begin(), order.end(), 0.0);
  for (const auto& [name, texts] : table.texts) {
    if (name != "number") continue;
    for (const std::string& text : texts) numbers.push_back(std::atof(text.c_str()));
  }
  const bool ascend = numbers.size() == order.size() &&
                      std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
  return ascend ? numbers : order;
}

void PlotsPanel::ask_analysis(AnalysisKind kind) {
  auto* dialog = new AnalysisDialog(controller_, kind, this);
  connect(dialog, &AnalysisDialog::asked, this, &PlotsPanel::add_analysis);
  dialog->open();
}

void PlotsPanel::add_analysis(int molecule, const AnalysisRequest& request) {
  const Scene& scene = controller_.scene();
  if (molecule < 0 || static_cast<std::size_t>(molecule) >= scene.molecules.size()) return;
  Analysis analysis;
  analysis.id = next_id_++;
  analysis.index = static_cast<std::uint32_t>(molecule);
  analysis.entry = scene.molecules[static_cast<std::size_t>(molecule)];
  analysis.request = request;
  analysis.choices = choices_;
  analyses_.push_back(std::move(analysis));
  start(analyses_.back());
}

void PlotsPanel::start(Analysis& analysis) {
  const auto molecule = controller_.molecule(analysis.index);
  if (!molecule || molecule->frame_count() == 0) return;
  if (analysis.job)
    analysis.job->cancel();
  else
    ++computing_;
  AnalysisRequest request = analysis.request;
  request.molecule = analysis.request.molecule = molecule;
  std::size_t first = 0, last = molecule->frame_count() - 1;
  if (range_ && of_range(request.kind)) {
    last = std::min(last, range_->second);
    first = std::min(last, range_->first);
  }
  request.frames.resize(last - first + 1);
  std::iota(request.frames.begin(), request.frames.end(), first);
  const QString what = analysis_title(request.kind);
  auto said = std::make_shared<std::chrono::steady_clock::time_point>();
  analysis.job =
      std::make_shared<Job>([guard = QPointer<PlotsPanel>(this), what, said](double done, const std::string&) {
        const auto now = std::chrono::steady_clock::now();
        if (now - *said < std::chrono::milliseconds(100)) return;
        *said = now;
        QMetaObject::invokeMethod(
            qApp,
            [guard, what, done] {
              if (guard && guard->computing_ > 0) Q_EMIT guard->progress(what, done);
            },
            Qt::QueuedConnection);
      });
  Q_EMIT progress(what, -1);
  run_async(
      this,
      [request, job = analysis.job]() mutable {
        // Without a cell there is no mean density; neighbours per volume there are.
        if (request.kind == AnalysisKind::rdf &&
            !request.molecule->trajectory->frame(request.frames.front()).cell.exists())
          request.norm = RadialNorm::density;
        return analyse(request, *job);
      },
      [this, id = analysis.id, job = analysis.job](AnalysisTable table) {
        for (const Analysis& there : analyses_)
          if (there.id == id && there.job == job) return take(id, std::move(table));
      },
      [this, id = analysis.id, job = analysis.job](const QString& message) {
        for (const Analysis& there : analyses_)
          if (there.id == id && there.job == job) {
            drop(id);
            Q_EMIT failed(message);
            return;
          }
      });
}

void PlotsPanel::take(std::uint64_t id, AnalysisTable table) {
  if (--computing_ == 0) Q_EMIT progress({}, 0);
  const auto found = std::find_if(analyses_.begin(), analyses_.end(), [id](const Analysis& a) { return a.id == id; });
  const bool first = found->table.columns.empty();
  found->job.reset();
  found->table = std::move(table);
  show_pages();
  if (first && comes_to_front(id, found->choices)) {
    for (std::size_t i = 0; i < pages_.size(); ++i)
      if (!pages_[i].measured && pages_[i].run < 0 && pages_[i].kind == found->request.kind) {
        kinds_->setCurrentIndex(static_cast<int>(i));
        break;
      }
  }
  show_curves();
}

bool PlotsPanel::comes_to_front(std::uint64_t id, std::uint64_t choices) {
  if (choices != choices_ || id < in_front_) return false;
  in_front_ = id;
  return true;
}

void PlotsPanel::drop(std::uint64_t id) {
  const auto found = std::find_if(analyses_.begin(), analyses_.end(), [id](const Analysis& a) { return a.id == id; });
  if (found == analyses_.end()) return;
  if (found->job) {
    found->job->cancel();
    found->job.reset();
    if (--computing_ == 0) Q_EMIT progress({}, 0);
  }
  // What was computed before stays.
  if (found->table.columns.empty()) analyses_.erase(found);
  show_pages();
  show_curves();
}

void PlotsPanel::restart_ranged() {
  for (Analysis& analysis : analyses_)
    if (of_range(analysis.request.kind)) start(analysis);
}

void PlotsPanel::show_analyses(const Scene& scene) {
  const std::size_t before = analyses_.size();
  for (const Analysis& analysis : std::vector<Analysis>(analyses_)) {
    const bool there = analysis.index < scene.molecules.size() &&
                       scene.molecules[analysis.index].paths == analysis.entry.paths &&
                       scene.molecules[analysis.index].assembly == analysis.entry.assembly;
    if (there) continue;
    const auto found =
        std::find_if(analyses_.begin(), analyses_.end(), [&](const Analysis& a) { return a.id == analysis.id; });
    found->table = {};
    drop(analysis.id);
    std::erase_if(analyses_, [&](const Analysis& a) { return a.id == analysis.id; });
  }
  // Read again, or superposed: other positions.
  for (Analysis& analysis : analyses_) {
    const auto now = controller_.molecule(analysis.index);
    if (now && now != analysis.request.molecule) start(analysis);
  }
  // Energies are at the frames of the trajectory that is there now.
  if (const auto longest = longest_trajectory())
    for (Energies& energies : energies_)
      if (std::exchange(energies.molecule, longest) != longest) read_energies_of(energies.paths, 0, choices_);
  if (analyses_.size() != before) {
    show_pages();
    show_curves();
  }
}

const PlotsPanel::Page& PlotsPanel::page() const {
  return pages_[static_cast<std::size_t>(std::clamp(kinds_->currentIndex(), 0, static_cast<int>(pages_.size()) - 1))];
}

void PlotsPanel::show_pages() {
  std::vector<Page> pages(2);
  pages[0].title = tr("Distances");
  pages[0].y = tr("Distance (\u00c5)");
  pages[1].title = tr("Angles and dihedrals");
  pages[1].y = tr("Angle (\u00b0)");
  for (const Analysis& analysis : analyses_) {
    const AnalysisTable& table = analysis.table;
    if (table.columns.empty()) continue;
    const AnalysisKind kind = analysis.request.kind;
    const std::size_t skip = axis_columns(table);
    const auto add = [&](int column, const QString& title) {
      const bool there = std::any_of(pages.begin(), pages.end(), [&](const Page& p) {
        return !p.measured && p.kind == kind && p.column == column;
      });
      if (there) return;
      const AnalysisColumn& values = table.columns[skip + static_cast<std::size_t>(column)];
      const QString unit = unit_of(values);
      Page next{kind,         column, false,
                Axis::frames, title,  unit.isEmpty() ? title : title + QStringLiteral(" (%1)").arg(unit)};
      if (kind == AnalysisKind::rmsf) next.axis = Axis::residues;
      if (kind == AnalysisKind::rmsf && column == 0) next.y = tr("RMSF (%1)").arg(unit);
      if (kind == AnalysisKind::gyration) next.y = tr("Rg (%1)").arg(unit);
      if (kind == AnalysisKind::rdf) {
        next.axis = Axis::radius;
        next.y = column == 1 ? tr("n(r)") : values.name == "g" ? tr("g(r)") : tr("Density (%1)").arg(unit);
      }
      pages.push_back(std::move(next));
    };
    add(0, analysis_title(kind));
    if (kind == AnalysisKind::contacts) add(1, tr("Native contacts"));
    if (kind == AnalysisKind::rmsf) add(1, tr("B factor"));
    if (kind == AnalysisKind::rdf) add(1, tr("Coordination number"));
  }
  add_energy_pages(pages);
  const QString now = kinds_->currentText();
  pages_ = std::move(pages);
  const QSignalBlocker quiet(kinds_);
  kinds_->clear();
  for (const Page& page : pages_) kinds_->addItem(page.title);
  kinds_->setCurrentIndex(std::max(0, kinds_->findText(now)));
}

std::vector<PlotCurve> PlotsPanel::analysis_curves(const Page& page) {
  std::vector<PlotCurve> curves;
  for (std::size_t number = 0; number < analyses_.size(); ++number) {
    const Analysis& analysis = analyses_[number];
    if (analysis.request.kind != page.kind || analysis.table.columns.empty()) continue;
    const AnalysisTable& table = analysis.table;
    PlotCurve curve;
    curve.name = page.title + QStringLiteral(": ") + to_qt(table.selection);
    if (!table.other.empty() && table.other != table.selection)
      curve.name += QStringLiteral(" - ") + to_qt(table.other);
    curve.x = page.axis == Axis::residues ? residue_axis(table) : table.columns.front().values;
    curve.y = table.columns[axis_columns(table) + static_cast<std::size_t>(page.column)].values;
    curve.points = curve.x.size() <= 60;
    curves.push_back(std::move(curve));
    shown_.push_back(number);
  }
  return curves;
}

}  // namespace isolume
