// The panel of plots: its controls, and the curves of measurements.
#include "app/window/panels/plots_panel.h"

#include <QComboBox>
#include <QSaveFile>
#include <QToolButton>
#include <algorithm>

#include "app/models/labels.h"
#include "app/view/measurement.h"
#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/live/check_export.h"
#include "app/window/live/table_record.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/drawing_file.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/save_dialog.h"

namespace isolume {
namespace {

bool angular(const Measurement& measurement) {
  return measurement.atoms.size() > 2;
}

void write_whole(const QString& path, const QByteArray& bytes) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
    throw Error(QStringLiteral("%1 cannot be written: %2").arg(path, file.errorString()).toStdString());
  }
}

}  // namespace

PlotsPanel::PlotsPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), plot_(new Plot(tr("Values over the frames"), this)) {
  setAccessibleName(tr("Plots"));
  build();
  connect(kinds_, &QComboBox::activated, this, [this] { ++choices_; });
  connect(kinds_, &QComboBox::currentIndexChanged, this, [this] {
    end_hover();
    show_curves();
  });
  connect(drawing_, &QToolButton::clicked, this, [this] { ask_file(true); });
  connect(csv_, &QToolButton::clicked, this, [this] { ask_file(false); });
  connect(empty_, &QToolButton::clicked, this, [this] {
    cancel();
    curves_.clear();
    analyses_.clear();
    energies_.clear();
    show_pages();
    show_curves();
  });
  connect(plot_, &Plot::x_clicked, this, &PlotsPanel::clicked);
  connect(plot_, &Plot::curve_clicked, this, [this](int curve, double x) {
    clicked(x);
    if (!page().measured || curve < 0 || static_cast<std::size_t>(curve) >= shown_.size()) return;
    std::vector<PickedAtom> atoms;
    for (const SceneAtom& atom : curves_[shown_[static_cast<std::size_t>(curve)]].measurement.atoms)
      atoms.push_back({atom.molecule, atom.atom});
    controller_.set_picked(std::move(atoms));
  });
  plot_->set_ranges(true);
  connect(plot_, &Plot::range_chosen, this, [this](double lower, double upper) {
    if (page().axis == Axis::residues) pick_rows(lower, upper);
    if (page().axis != Axis::frames || controller_.frame_count() < 2) return;
    const auto last = static_cast<double>(controller_.frame_count() - 1);
    Q_EMIT range_chosen(static_cast<std::size_t>(std::clamp(lower, 0.0, last)),
                        static_cast<std::size_t>(std::clamp(upper, 0.0, last)));
  });
  connect(plot_, &Plot::range_cleared, this, [this] {
    if (page().axis == Axis::frames) Q_EMIT range_cleared();
    if (page().axis == Axis::residues) controller_.set_picked({});
  });
  connect(plot_, &Plot::hovered, this, &PlotsPanel::hover);
  connect(plot_, &Plot::hover_left, this, &PlotsPanel::end_hover);
  hover_timer_.setSingleShot(true);
  hover_timer_.setInterval(40);
  connect(&hover_timer_, &QTimer::timeout, this, [this] {
    const std::size_t frame = wanted_;
    if (before_ && frame != controller_.scene().frame) controller_.touch([frame](Scene& s) { s.frame = frame; });
  });
  range_timer_.setSingleShot(true);
  range_timer_.setInterval(250);  // an end that is moved by keys is one range
  connect(&range_timer_, &QTimer::timeout, this, &PlotsPanel::restart_ranged);
  connect(&controller_, &SceneController::picked_changed, this, [this] {
    show_picked();
    show_cursor();
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::measurements | SceneParts::frame,
                     &PlotsPanel::show_scene);
  show_pages();
  show_curves();
}

PlotsPanel::~PlotsPanel() {
  if (job_) job_->cancel();
  for (const Analysis& analysis : analyses_)
    if (analysis.job) analysis.job->cancel();
  for (const auto& job : energy_jobs_) job->cancel();
}

void PlotsPanel::cancel() {
  cancel_energies();
  if (job_ && running_ > 0) {
    job_->cancel();
    job_.reset();
    // What has no values yet goes, as nobody will bring them.
    std::erase_if(curves_, [](const Curve& curve) { return curve.values.empty(); });
    running_ = 0;
    Q_EMIT progress({}, 0);
  }
  for (const Analysis& analysis : std::vector<Analysis>(analyses_))
    if (analysis.job) drop(analysis.id);
}

void PlotsPanel::add(const QList<int>& measurements) {
  ++choices_;
  const Scene& scene = controller_.scene();
  for (const int index : measurements) {
    if (index < 0 || static_cast<std::size_t>(index) >= scene.measurements.size()) continue;
    const Measurement& measurement = scene.measurements[static_cast<std::size_t>(index)];
    const bool there = std::any_of(curves_.begin(), curves_.end(),
                                   [&](const Curve& curve) { return curve.measurement.atoms == measurement.atoms; });
    if (!there && measurement.atoms.size() > 1) curves_.push_back({measurement, {}, {}, {}, 0});
    kinds_->setCurrentIndex(angular(measurement) ? 1 : 0);
  }
  show_scene(scene);
}

void PlotsPanel::show_scene(const Scene& scene) {
  show_cursor();
  show_analyses(scene);
  if (curves_.empty()) return;
  const std::size_t before = curves_.size();
  std::erase_if(curves_, [&](const Curve& curve) {
    return std::none_of(scene.measurements.begin(), scene.measurements.end(),
                        [&](const Measurement& m) { return m.atoms == curve.measurement.atoms; });
  });
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    std::vector<std::shared_ptr<const Molecule>> molecules;
    for (const SceneAtom& atom : curves_[i].measurement.atoms) molecules.push_back(controller_.molecule(atom.molecule));
    if (curves_[i].asked != 0 && molecules == curves_[i].molecules) continue;
    curves_[i].molecules = std::move(molecules);
    compute(i);
  }
  if (curves_.size() != before) show_curves();
}

void PlotsPanel::compute(std::size_t index) {
  Curve& curve = curves_[index];
  curve.asked = next_id_++;
  QStringList atoms;
  for (const SceneAtom& atom : curve.measurement.atoms) atoms += measured_atom_label(controller_, atom);
  curve.name = atoms.join(QStringLiteral(" - "));
  if (!job_) job_ = std::make_shared<Job>();
  ++running_;
  Q_EMIT progress(tr("Measuring all frames"), -1);
  const auto done = [this, job = job_] {
    if (job == job_ && --running_ == 0) Q_EMIT progress({}, 0);
  };
  run_async(
      this,
      [measurement = curve.measurement, scene = controller_.scene(), documents = &controller_.documents(), job = job_] {
        return measured_over_frames(measurement, scene, *documents, *job);
      },
      [this, done, number = curve.asked](std::vector<double> values) {
        done();
        const auto there =
            std::find_if(curves_.begin(), curves_.end(), [number](const Curve& c) { return c.asked == number; });
        if (there == curves_.end()) return;  // gone, or computed again
        there->values = std::move(values);
        show_curves();
      },
      [this, done](const QString& message) {
        done();
        Q_EMIT failed(message);
      });
}

void PlotsPanel::show_curves() {
  const Page& shown_page = page();
  const bool angles = kinds_->currentIndex() == 1;
  std::vector<PlotCurve> shown;
  shown_.clear();
  for (std::size_t number = 0; number < curves_.size() && shown_page.measured; ++number) {
    const Curve& curve = curves_[number];
    if (angular(curve.measurement) != angles || curve.values.empty()) continue;
    PlotCurve next;
    next.name = curve.name;
    next.y = curve.values;
    for (std::size_t i = 0; i < curve.values.size(); ++i) next.x.push_back(double(i));
    next.points = curve.values.size() <= 60;
    shown.push_back(std::move(next));
    shown_.push_back(number);
  }
  if (shown_page.run >= 0) {
    shown.push_back(energy_curve(shown_page));
  } else if (!shown_page.measured) {
    shown = analysis_curves(shown_page);
  }
  PlotLabels labels;
  labels.x = shown_page.axis == Axis::frames     ? tr("Frame")
             : shown_page.axis == Axis::residues ? tr("Residue")
             : shown_page.axis == Axis::time     ? tr("Time (ps)")
             : shown_page.axis == Axis::steps    ? tr("Step")
                                                 : tr("Distance (\u00c5)");
  labels.y = shown_page.y;
  labels.empty =
      tr("No plots. Choose \u201cAdd\u201d, or measure distances or angles (keys 2, 3, 4), then \u201cPlot over "
         "frames\u201d.");
  labels.whole_x = shown_page.axis != Axis::radius && shown_page.axis != Axis::time;
  plot_->set_labels(labels);
  const bool any = !shown.empty();
  plot_->set_curves(std::move(shown));
  for (QToolButton* made : {drawing_, csv_}) made->setEnabled(any);
  empty_->setEnabled(!curves_.empty() || !analyses_.empty() || !energies_.empty());
  show_picked();
  show_cursor();
  show_reading(std::nullopt);
}

void PlotsPanel::show_picked() {
  if (!page().measured) return;
  const auto& picked = controller_.picked();
  std::vector<bool> chosen;
  for (const std::size_t number : shown_) {
    const auto& atoms = curves_[number].measurement.atoms;
    chosen.push_back(std::all_of(atoms.begin(), atoms.end(), [&](const SceneAtom& atom) {
      return std::find(picked.begin(), picked.end(), PickedAtom{atom.molecule, atom.atom}) != picked.end();
    }));
  }
  plot_->set_chosen(chosen);
}

void PlotsPanel::write_csv(const QString& path) const {
  check_export(path, controller_.scene());
  write_whole(path, plot_->csv().toUtf8());
  record_shown_table(controller_.scene(), QStringLiteral("Plots"), path);
}

void PlotsPanel::write_drawing(const QString& path) const {
  check_export(path, controller_.scene());
  isolume::write_drawing(path, *plot_, tr("Values over the frames"));
}

void PlotsPanel::ask_file(bool drawing) {
  ask_where_to_save(this,
                    {drawing ? tr("Export plot") : tr("Export CSV"),
                     drawing ? tr("SVG drawings (*.svg);;PDF drawings (*.pdf)") : tr("Tables (*.csv)"),
                     drawing ? QStringLiteral("svg") : QStringLiteral("csv"),
                     stem_of(controller_.scene()),
                     {}},
                    [this, drawing](const QString& path) {
                      try {
                        drawing ? write_drawing(path) : write_csv(path);
                        Q_EMIT written(path);
                      } catch (const Error& error) {
                        Q_EMIT failed(to_qt(error.what()));
                      }
                    });
}

}  // namespace isolume
