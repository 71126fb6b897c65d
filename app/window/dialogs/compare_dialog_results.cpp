// The dialog that compares methods: its table, its layers, and the text beneath its surfaces.
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTableWidget>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/compare_view.h"
#include "app/window/viewport/layer_view.h"

namespace isolume {
namespace {

QString number(double value) {
  return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

QString time_text(double seconds) {
  return seconds < 1 ? CompareDialog::tr("%1 ms").arg(number(1e3 * seconds))
                     : CompareDialog::tr("%1 s").arg(number(seconds));
}

QTableWidgetItem* cell(const QString& text) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(text);
  return item;
}

glm::u8vec4 positive_colour(const Field& field) {
  return field.colour.a > 0 ? field.colour : glm::u8vec4(0, 114, 178, 255);
}

}  // namespace

CompareTexts CompareDialog::texts() const {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  CompareTexts texts;
  texts.unit = QString::fromUtf8(name(request_.field.potential.unit));
  texts.titles = {tr("First"), tr("Second"), tr("Second minus first")};
  const auto with_unit = [&](double volts) {
    return QStringLiteral("%1\u202f%2").arg(number(volts * factor), texts.unit);
  };
  for (std::size_t k = 0; k < 2; ++k) {
    const ComparedSide& side = k == 0 ? r.first : r.second;
    texts.beneath[k] = {
        to_qt(describe(side.potential)),
        tr("%1, error %2 RMS, %3 relative")
            .arg(time_text(side.median_seconds()), with_unit(side.error.rms), number(side.error.relative))};
  }
  texts.beneath[2] = {tr("RMS %1, largest %2").arg(with_unit(r.difference.rms), with_unit(r.difference.max)),
                      tr("%1 relative, over %2 points").arg(number(r.difference.relative)).arg(r.grid.size())};
  texts.negative = request_.field.negative_colour;
  texts.positive = positive_colour(request_.field);
  return texts;
}

void CompareDialog::fill_table() {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  const QString unit = QString::fromUtf8(name(request_.field.potential.unit));
  const auto with_unit = [&](double volts) { return QStringLiteral("%1\u202f%2").arg(number(volts * factor), unit); };
  for (int row = 0; row < 2; ++row) {
    const ComparedSide& side = row == 0 ? r.first : r.second;
    table_->setItem(row, 0, cell(time_text(side.median_seconds())));
    table_->setItem(row, 1, cell(number(side.error.relative)));
    table_->setItem(row, 2, cell(with_unit(side.error.rms)));
    table_->setItem(row, 3, cell(with_unit(side.error.max)));
    table_->setItem(row, 4, cell(to_qt(describe(side.potential))));
  }
  const double ratio = r.first.median_seconds() / std::max(1e-9, r.second.median_seconds());
  table_->setItem(2, 0, cell(QStringLiteral("%1 \u00d7").arg(number(ratio))));
  table_->setItem(2, 1, cell(number(r.difference.relative)));
  table_->setItem(2, 2, cell(with_unit(r.difference.rms)));
  table_->setItem(2, 3, cell(with_unit(r.difference.max)));
  table_->setItem(2, 4,
                  cell(tr("largest at %1 %2 %3 \u00c5; %4 \u00d7 %5 \u00d7 %6 points, %7 charges")
                           .arg(r.difference.at.x, 0, 'f', 2)
                           .arg(r.difference.at.y, 0, 'f', 2)
                           .arg(r.difference.at.z, 0, 'f', 2)
                           .arg(r.grid.counts.x)
                           .arg(r.grid.counts.y)
                           .arg(r.grid.counts.z)
                           .arg(r.charges)));
}

void CompareDialog::show_layer() {
  if (!result_) return;
  const PotentialComparison& r = *result_;
  const int axis = axis_->currentIndex(), index = layer_->value();
  const double factor = per_volt(request_.field.potential);
  const QString unit = QString::fromUtf8(name(request_.field.potential.unit));
  MapLayer layers[3] = {layer_of(r.grid, r.first.values, axis, index), layer_of(r.grid, r.second.values, axis, index),
                        layer_of(r.grid, r.difference.values, axis, index)};
  for (MapLayer& layer : layers)
    for (float& v : layer.values) v = static_cast<float>(factor * static_cast<double>(v));
  // One range for both, which the highest peaks, near charges, do not decide.
  const double range = std::max(layers[0].range(0.95), layers[1].range(0.95));
  const Field& field = request_.field;
  for (int i = 0; i < 3; ++i)
    views_[i]->set_layer(layers[i], i < 2 ? range : layers[2].range(0.99), unit, field.negative_colour,
                         positive_colour(field));
  glm::dvec3 at(0.0);
  at[axis] = index;
  place_->setText(QStringLiteral("%1 = %2\u202f\u00c5")
                      .arg(axis_->currentText())
                      .arg(r.grid.point(at.x, at.y, at.z)[axis], 0, 'f', 2));
}

}  // namespace isolume
