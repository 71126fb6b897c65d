// The panel of plots: its links with the picture, the frame or residue under the pointer, and ranges.
#include <QCheckBox>
#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/widgets/plot.h"

namespace isolume {

void PlotsPanel::set_range(std::optional<std::pair<std::size_t, std::size_t>> range) {
  if (range == range_) return;
  range_ = range;
  all_frames_->setVisible(range_.has_value());
  show_cursor();
  range_timer_.start();
}

void PlotsPanel::show_cursor() {
  std::optional<double> cursor;
  std::optional<std::pair<double, double>> band;
  const Page& shown = page();
  if (shown.axis == Axis::frames) {
    if (controller_.frame_count() > 1) cursor = static_cast<double>(controller_.scene().frame);
    if (range_) band = {static_cast<double>(range_->first), static_cast<double>(range_->second)};
  }
  if (shown.axis == Axis::residues && !shown_.empty()) {
    // The residues that are picked: the last is the cursor, more than one have a band.
    const Analysis& analysis = analyses_[shown_.front()];
    const auto& molecule = analysis.request.molecule;
    const std::vector<double> x = residue_axis(analysis.table);
    double least = INFINITY, most = -INFINITY;
    std::vector<double> of_residue(molecule ? molecule->topology->residues.size() : 0, NAN);
    for (std::size_t row = 0; row < x.size(); ++row)
      of_residue[molecule->topology->atoms[analysis.table.atoms[row]].residue] = x[row];
    for (const PickedAtom& picked : controller_.picked()) {
      if (picked.molecule != analysis.index || !molecule || picked.atom >= molecule->atom_count()) continue;
      const double at = of_residue[molecule->topology->atoms[picked.atom].residue];
      if (!std::isfinite(at)) continue;
      cursor = at;
      least = std::min(least, at);
      most = std::max(most, at);
    }
    if (least < most) band = {least, most};
  }
  plot_->set_cursor(cursor);
  plot_->set_band(band);
}

void PlotsPanel::pick_rows(double lower, double upper) {
  if (shown_.empty()) return;
  const Analysis& analysis = analyses_[shown_.front()];
  const std::vector<double> x = residue_axis(analysis.table);
  const Topology& topology = *analysis.request.molecule->topology;
  std::vector<PickedAtom> atoms;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (x[row] < lower || x[row] > upper) continue;
    const Residue& residue = topology.residue_of(analysis.table.atoms[row]);
    for (std::uint32_t i = 0; i < residue.atom_count; ++i) atoms.push_back({analysis.index, residue.first_atom + i});
  }
  controller_.set_picked(std::move(atoms));
}

void PlotsPanel::clicked(double x) {
  if (page().axis == Axis::residues) return pick_rows(x, x);
  if (page().axis != Axis::frames) return plot_->set_cursor(x);
  const auto count = static_cast<double>(controller_.frame_count());
  if (count < 1) return;
  before_.reset();  // it stays
  const auto frame = static_cast<std::size_t>(std::clamp(std::round(x), 0.0, count - 1));
  controller_.touch([frame](Scene& scene) { scene.frame = frame; });
}

void PlotsPanel::hover(double x) {
  show_reading(x);
  if (page().axis != Axis::frames || !preview_->isChecked() || controller_.frame_count() < 2) return;
  const double last = static_cast<double>(controller_.frame_count() - 1);
  wanted_ = static_cast<std::size_t>(std::clamp(std::round(x), 0.0, last));
  if (!before_) before_ = controller_.scene().frame;
  if (!hover_timer_.isActive()) hover_timer_.start();
}

void PlotsPanel::end_hover() {
  hover_timer_.stop();
  show_reading(std::nullopt);
  if (!before_) return;
  const std::size_t frame = *before_;
  before_.reset();
  if (frame != controller_.scene().frame) controller_.touch([frame](Scene& scene) { scene.frame = frame; });
}

void PlotsPanel::show_reading(std::optional<double> x) {
  if (!x || plot_->curves().empty()) return reading_->clear();
  QStringList values;
  for (const PlotCurve& curve : plot_->curves()) {
    const auto at = std::lower_bound(curve.x.begin(), curve.x.end(), *x) - curve.x.begin();
    if (static_cast<std::size_t>(at) >= curve.x.size() || curve.x[static_cast<std::size_t>(at)] != *x) continue;
    values += QString::number(curve.y[static_cast<std::size_t>(at)], 'g', 5);
    if (values.size() == 4) break;
  }
  QString where;
  if (page().axis == Axis::frames) where = tr("Frame %1").arg(*x);
  if (page().axis == Axis::radius) where = tr("%1 \u00c5").arg(*x);
  if (page().axis == Axis::time) where = tr("%1 ps").arg(*x);
  if (page().axis == Axis::steps) where = tr("Step %1").arg(*x);
  if (page().axis == Axis::residues && !shown_.empty()) {
    const AnalysisTable& table = analyses_[shown_.front()].table;
    const std::vector<double> rows = residue_axis(table);
    const auto row = static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), *x) - rows.begin());
    QStringList words;
    for (const auto& [name, texts] : table.texts)
      if (row < texts.size()) words += to_qt(texts[row]);
    where = words.join(QLatin1Char(' '));
  }
  reading_->setText(where + QStringLiteral(":  ") + values.join(QStringLiteral(",  ")));
}

}  // namespace isolume
