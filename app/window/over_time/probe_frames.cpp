// Probes over the frames of a trajectory: values, means and the table, computed in the background.
#include "app/window/over_time/probe_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/models/labels.h"
#include "app/window/live/check_export.h"
#include "app/window/live/table_record.h"
#include "app/window/over_time/reporting_job.h"
#include "app/window/widgets/async.h"
#include "formats/write/write.h"

namespace isolume {
namespace {

constexpr std::size_t most_share_bytes = std::size_t{512} << 20;  // of contributions in all frames

RecordedTable recorded(const Scene& scene, std::uint32_t molecule) {
  RecordedTable table{{}, "Probes", {}};
  table.asked["of"] = "probes";
  table.asked["molecule"] = molecule;
  table.scene.molecules = scene.molecules;
  table.scene.selections = scene.selections;
  table.scene.probes = scene.probes;
  table.scene.probing = scene.probing;
  table.scene.frame = scene.frame;
  table.scene.camera = scene.camera;
  return table;
}

}  // namespace

double quantity(const Probing& probing, std::size_t probe, const double* numbers, ProbeQuantity which) {
  switch (which) {
    case ProbeQuantity::potential:
      return numbers[0];
    case ProbeQuantity::strength:
      return std::sqrt(numbers[1] * numbers[1] + numbers[2] * numbers[2] + numbers[3] * numbers[3]);
    case ProbeQuantity::along:
      return probing.places()[probe].bond ? numbers[4] : std::nan("");
    case ProbeQuantity::gradient:
      break;
  }
  return probing.request().gradient ? principal_gradient(gradient_of(numbers)) : std::nan("");
}

QString quantity_unit(const QString& unit, ProbeQuantity which) {
  if (which == ProbeQuantity::potential) return unit;
  return unit + (which == ProbeQuantity::gradient ? QStringLiteral("/\u00c5\u00b2") : QStringLiteral("/\u00c5"));
}

AskedProbes asked_probes(const SceneController& controller) {
  const Scene& scene = controller.scene();
  AskedProbes asked{scene.probes, scene.probing, {}};
  for (FieldProbe& probe : asked.probes) probe.visible = true;  // marks change no value
  if (scene.probes.empty()) return asked;
  // Those of probes alone: a map that is opened, or another structure, changes nothing.
  for (const FieldProbe& probe : scene.probes) {
    if (probe.molecule >= scene.molecules.size()) continue;
    if (asked.molecules.size() <= probe.molecule) asked.molecules.resize(probe.molecule + 1);
    asked.molecules[probe.molecule] = controller.molecule(probe.molecule);
  }
  return asked;
}

ProbeFrames::ProbeFrames(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {}

ProbeFrames::~ProbeFrames() {
  if (job_) job_->cancel();
}

std::vector<double> ProbeFrames::values_of(const Made& made, std::size_t probe, ProbeQuantity which) {
  const Probing& probing = *made.ready.probing;
  const std::size_t probes = made.ready.numbers.size();
  std::vector<double> values;
  for (std::size_t f = 0; f < made.series.frames.size(); ++f)
    values.push_back(quantity(probing, probe, &made.series.totals[(f * probes + probe) * probing.numbers()], which));
  return values;
}

ProbeFrames::Made ProbeFrames::made_of(AskedProbes asked, SceneProbing ready, std::size_t count, Job& job) {
  Made made{std::move(asked), std::move(ready), {}, {}};
  std::vector<std::size_t> frames(count);
  for (std::size_t f = 0; f < frames.size(); ++f) frames[f] = f;
  made.series = probe_series(*made.ready.probing, std::move(frames), most_share_bytes, job);
  made.means.resize(made.ready.numbers.size());
  for (std::size_t p = 0; p < made.means.size(); ++p)
    for (std::size_t q = 0; q < probe_quantities; ++q)
      made.means[p][q] = series_statistics(values_of(made, p, static_cast<ProbeQuantity>(q)));
  return made;
}

void ProbeFrames::begin(const QString& what) {
  job_ = reporting_job(this, what, [this](const QString& text, double part) { Q_EMIT progress(text, part); });
  Q_EMIT progress(what, -1);
  Q_EMIT changed();
}

void ProbeFrames::end() {
  job_.reset();
  Q_EMIT progress({}, 0);
  Q_EMIT changed();
}

void ProbeFrames::compute(std::size_t probe) {
  const Scene& scene = controller_.scene();
  const std::uint32_t molecule = scene.probes.at(probe).molecule;
  const auto loaded = controller_.molecule(molecule);
  if (job_ || !loaded) return;
  made_.reset();
  begin(tr("Probes over the frames"));
  run_async(
      this,
      [scene, loaded, molecule, wanted = asked_probes(controller_), job = job_] {
        return made_of(wanted, ready_probes(scene, loaded, probes_of(scene, molecule)), loaded->frame_count(), *job);
      },
      [this, job = job_](Made made) {
        if (job != job_) return;
        if (made.asked == asked_probes(controller_)) made_ = std::move(made);
        end();
      },
      [this, job = job_](const QString& message) {
        if (job != job_) return;
        end();
        Q_EMIT failed(message);
      });
}

void ProbeFrames::write(std::size_t probe, const QString& path) {
  const Scene& scene = controller_.scene();
  const std::uint32_t molecule = scene.probes.at(probe).molecule;
  const auto loaded = controller_.molecule(molecule);
  if (job_ || !loaded) return;
  begin(tr("Writing the table of probes"));
  run_async(
      this,
      [scene, loaded, molecule, job = job_, file = path.toStdString()] {
        check_export(QString::fromStdString(file), scene);
        const SceneProbing ready = ready_probes(scene, loaded, probes_of(scene, molecule));
        write_atomically(file, [&](std::ostream& out) { write_probe_table(out, *ready.probing, ready.unit, *job); });
        return true;
      },
      [this, job = job_, path, table = recorded(scene, molecule)](bool) {
        if (job != job_) return;
        record_table(table, path);
        end();
        Q_EMIT written(path);
      },
      [this, job = job_](const QString& message) {
        if (job != job_) return;
        end();
        Q_EMIT failed(message);
      });
}

bool ProbeFrames::cancel() {
  if (!job_) return false;
  job_->cancel();
  end();
  return true;
}

void ProbeFrames::keep(const AskedProbes& asked) {
  if (made_ && !(made_->asked == asked)) made_.reset();
}

std::optional<std::size_t> ProbeFrames::place_of(int probe) const {
  if (!made_ || probe < 0) return std::nullopt;
  const auto& numbers = made_->ready.numbers;
  const auto found = std::find(numbers.begin(), numbers.end(), static_cast<std::size_t>(probe));
  if (found == numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - numbers.begin());
}

int ProbeFrames::probe_of(int curve) const {
  if (!made_ || curve < 0 || static_cast<std::size_t>(curve) >= made_->ready.numbers.size()) return -1;
  return static_cast<int>(made_->ready.numbers[static_cast<std::size_t>(curve)]);
}

std::vector<PlotCurve> ProbeFrames::curves(ProbeQuantity which, int current, std::optional<std::size_t> group,
                                           const QColor& colour) const {
  std::vector<PlotCurve> curves;
  if (!made_) return curves;
  const ProbeSeries& series = made_->series;
  const std::size_t probes = made_->ready.numbers.size(), groups = made_->ready.probing->group_count();
  const std::vector<double> x(series.frames.begin(), series.frames.end());
  for (std::size_t p = 0; p < probes; ++p) {
    const auto number = static_cast<int>(made_->ready.numbers[p]);
    PlotCurve curve;
    curve.name = tr("Probe %1").arg(number + 1);
    curve.x = x;
    curve.y = values_of(*made_, p, which);
    curve.colour = plot_colour(number);
    curve.chosen = number == current;
    curves.push_back(std::move(curve));
  }
  const auto own = place_of(current);
  if (!own || !group || *group >= groups || series.shares.empty() || which != ProbeQuantity::potential) return curves;
  PlotCurve curve;
  curve.name = to_qt(made_->ready.probing->group_name(*group));
  curve.x = x;
  for (std::size_t f = 0; f < x.size(); ++f)
    curve.y.push_back(static_cast<double>(series.shares[(f * probes + *own) * groups + *group]));
  curve.colour = colour;
  curves.push_back(std::move(curve));
  return curves;
}

QString ProbeFrames::mean_text(int probe, ProbeQuantity which) const {
  const auto own = place_of(probe);
  if (!own) return {};
  const PointStatistics& mean = made_->means[*own][static_cast<std::size_t>(which)];
  if (std::isnan(mean.mean)) return {};
  const QString unit = quantity_unit(to_qt(made_->ready.unit), which);
  if (mean.error.known())
    return tr("Mean over %1 frames %2 \u00b1 %3 %4")
        .arg(made_->series.frames.size())
        .arg(mean.mean, 0, 'g', 4)
        .arg(mean.error.standard_error, 0, 'g', 2)
        .arg(unit);
  return tr("Mean over %1 frames %2 %3; too few for a standard error")
      .arg(made_->series.frames.size())
      .arg(mean.mean, 0, 'g', 4)
      .arg(unit);
}

}  // namespace isolume
