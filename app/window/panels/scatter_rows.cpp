// The part of a field's form that plots its values against those that colour it.
#include "app/window/panels/scatter_rows.h"

#include <QGridLayout>
#include <QPushButton>

#include "app/fields/value_range.h"
#include "app/models/labels.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/plot.h"

namespace isolume {

ScatterRows::ScatterRows(QGridLayout* form, QObject* parent) : QObject(parent), form_(form) {
  plot_ = new Plot(tr("Values against those that colour them"));
  plot_->setToolTip(tr("Drag over the plot to show only the parts of the surface with colours in that range"));
  plot_->setMinimumHeight(150);
  plot_->set_ranges(true);
  all_ = new QPushButton(tr("Show all parts"));
  all_->setAccessibleName(all_->text());
  all_->setToolTip(tr("Show the whole surface again"));
  add_wide_row(form, plot_);
  add_row(form, QString(), all_);
  connect(plot_, &Plot::range_chosen, this, [this](double lower, double upper) {
    Q_EMIT edited(tr("Show parts of the surface"), [lower, upper](Field& f) {
      f.shown_lower = lower;
      f.shown_upper = upper;
    });
  });
  const auto clear = [this] {
    Q_EMIT edited(tr("Show all parts"), [](Field& f) { f.shown_lower = f.shown_upper = 0; });
  };
  connect(plot_, &Plot::range_cleared, this, clear);
  connect(all_, &QPushButton::clicked, this, clear);
}

void ScatterRows::show_field(const Field& field) {
  contacts_ = field.kind == Field::Kind::contacts;
  show_row(form_, plot_, has_scatter(field));
  show_row(form_, all_, shows_range(field));
  if (shows_range(field)) {
    plot_->set_band(std::pair(field.shown_lower, field.shown_upper));
  } else {
    plot_->set_band(std::nullopt);
  }
}

void ScatterRows::show_result(const std::vector<glm::vec2>& points, const std::optional<FieldLegend>& legend) {
  PlotLabels labels;
  labels.empty = tr("Nothing near the isovalue");
  if (legend) {
    labels.x = to_qt(legend->title);
    if (!legend->unit.empty()) labels.x += QStringLiteral(" (%1)").arg(to_qt(legend->unit));
  }
  labels.y = contacts_ ? QStringLiteral("\u03b4g (bohr\u207b\u2074)") : tr("Value");
  plot_->set_labels(labels);
  std::vector<PlotCurve> curves;
  if (!points.empty()) {
    PlotCurve& curve = curves.emplace_back();
    curve.name = labels.y;
    curve.scatter = true;
    for (const glm::vec2& point : points) {
      curve.x.push_back(double{point.x});
      curve.y.push_back(double{point.y});
    }
  }
  plot_->set_curves(std::move(curves));
}

}  // namespace isolume
