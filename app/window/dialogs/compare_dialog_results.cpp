// The dialog that compares potentials: its table, its layers, and the text beneath its surfaces.
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSlider>
#include <QTableWidget>
#include <algorithm>
#include <variant>

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

QString per_cent(double part) {
  return QStringLiteral("%1\u202f%").arg(number(100 * part));
}

/// Of Poisson-Boltzmann there is no exact potential: the error is estimated, and in the solvent alone.
bool is_estimated(const ComparedSide& side) {
  return std::holds_alternative<PoissonBoltzmannOptions>(side.potential);
}

QString error_text(const ComparedSide& side, const QString& rms) {
  if (!is_estimated(side))
    return CompareDialog::tr("error %1 RMS, %2 of the potential").arg(rms, per_cent(side.error.relative));
  const QString text = CompareDialog::tr("estimated error %1 RMS in the solvent, %2 of the potential there")
                           .arg(rms, per_cent(side.error.relative));
  constexpr double too_much = 0.5;
  return side.error.relative > too_much ? CompareDialog::tr("%1: the steps are too long").arg(text) : text;
}

glm::u8vec4 positive_colour(const Field& field) {
  return field.colour.a > 0 ? field.colour : glm::u8vec4(0, 114, 178, 255);
}

}  // namespace

QString CompareDialog::side_title(std::size_t side) const {
  const QString names[most_compared] = {tr("First"), tr("Second"), tr("Third"), tr("Fourth")};
  const QString name = names[static_cast<std::size_t>(shown_sides_.at(side))];
  const QString charges = shown_charges_.value(static_cast<int>(side));
  return charges.isEmpty() ? name : tr("%1: %2").arg(name, charges);
}

void CompareDialog::lay_out() {
  const PotentialComparison& r = *result_;
  const std::vector<ComparedTile> tiles = compared_tiles(r.sides.size(), r.reference);
  const int columns = compared_columns(r.sides.size());
  for (std::size_t k = 0; k < views_.size(); ++k) {
    layers_->removeWidget(views_[k]);
    const bool shown = k < tiles.size() && tiles[k].kind != ComparedTile::Kind::empty;
    if (shown) {
      views_[k]->set_title(tiles[k].kind == ComparedTile::Kind::side ? side_title(tiles[k].side)
                                                                     : difference_title(tiles[k].side));
      layers_->addWidget(views_[k], static_cast<int>(k) / columns, static_cast<int>(k) % columns);
    }
    views_[k]->setVisible(shown);
  }
  QStringList rows;
  for (std::size_t k = 0; k < r.sides.size(); ++k) rows += side_title(k);
  for (std::size_t k = 0; k < r.sides.size(); ++k)
    if (k != r.reference) rows += r.sides.size() == 2 ? tr("Difference") : difference_title(k);
  table_->setRowCount(static_cast<int>(rows.size()));
  table_->setVerticalHeaderLabels(rows);
  // Of two rows of pictures the table scrolls: they need the height more.
  const int seen = std::min(static_cast<int>(rows.size()), r.sides.size() > 2 ? 4 : 3);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         seen * table_->verticalHeader()->defaultSectionSize() + 10);
}

QString CompareDialog::difference_title(std::size_t side) const {
  QString reference = side_title(result_->reference);
  reference.front() = reference.front().toLower();  // "Second minus first: AMBER ff14SB"
  return tr("%1 minus %2").arg(side_title(side), reference);
}

CompareTexts CompareDialog::texts() const {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  CompareTexts texts;
  texts.unit = QString::fromUtf8(name(request_.field.potential.unit));
  texts.columns = compared_columns(r.sides.size());
  const auto with_unit = [&](double volts) {
    return QStringLiteral("%1\u202f%2").arg(number(volts * factor), texts.unit);
  };
  for (const ComparedTile& tile : compared_tiles(r.sides.size(), r.reference)) {
    texts.titles.push_back(tile.kind == ComparedTile::Kind::side         ? side_title(tile.side)
                           : tile.kind == ComparedTile::Kind::difference ? difference_title(tile.side)
                                                                         : QString());
    texts.ranges.push_back(0);
  }
  for (std::size_t k = 0; k < r.sides.size(); ++k) {
    const ComparedSide& side = r.sides[k];
    QString figures = side.is_computed() ? QStringLiteral("%1, %2").arg(time_text(side.median_seconds()),
                                                                        error_text(side, with_unit(side.error.rms)))
                                         : tr("a map: no time, no measured error");
    if (r.sides.size() > 2 && k != r.reference)
      figures += tr("; difference %1 RMS").arg(with_unit(r.differences[k].rms));
    texts.beneath.push_back({to_qt(side.text()), figures});
  }
  if (r.sides.size() == 2) {
    const MapDifference& difference = r.differences[1 - r.reference];
    texts.beneath.push_back(
        {tr("RMS %1, largest %2").arg(with_unit(difference.rms), with_unit(difference.max)),
         tr("%1 of the reference, over %2 points").arg(per_cent(difference.relative)).arg(r.grid.size())});
  }
  texts.negative = request_.field.negative_colour;
  texts.positive = positive_colour(request_.field);
  return texts;
}

void CompareDialog::fill_table() {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  const QString unit = QString::fromUtf8(name(request_.field.potential.unit));
  const auto with_unit = [&](double volts) { return QStringLiteral("%1\u202f%2").arg(number(volts * factor), unit); };
  int row = 0;
  const QString none(QChar(0x2013));  // of a map
  for (const ComparedSide& side : r.sides) {
    table_->setItem(row, 4, cell(side.is_computed() ? to_qt(side.text()) : tr("%1, a map").arg(to_qt(side.text()))));
    if (!side.is_computed()) {
      for (int column = 0; column < 4; ++column) {
        table_->setItem(row, column, cell(none));
        table_->item(row, column)
            ->setToolTip(tr("A map that was not computed here has neither time nor measured error"));
      }
      ++row;
      continue;
    }
    table_->setItem(row, 0, cell(time_text(side.median_seconds())));
    table_->setItem(
        row, 1,
        cell(is_estimated(side) ? tr("about %1").arg(per_cent(side.error.relative)) : per_cent(side.error.relative)));
    table_->item(row, 1)->setToolTip(
        is_estimated(side)
            ? tr("Estimated in the solvent, from a solution with steps twice as long, and over the RMS of the "
                 "potential "
                 "there. Beyond some 50 % the steps are too long for this molecule")
            : tr("Measured against the exact sum at sample points, and over the RMS of the exact values"));
    table_->setItem(row, 2, cell(with_unit(side.error.rms)));
    table_->setItem(row, 3, cell(with_unit(side.error.max)));
    ++row;
  }
  const double seconds = r.sides[r.reference].median_seconds();
  for (std::size_t k = 0; k < r.sides.size(); ++k) {
    if (k == r.reference) continue;
    const MapDifference& difference = r.differences[k];
    const double ratio = seconds / std::max(1e-9, r.sides[k].median_seconds());
    const bool timed = r.sides[k].is_computed() && r.sides[r.reference].is_computed();
    table_->setItem(row, 0, cell(timed ? QStringLiteral("%1 \u00d7").arg(number(ratio)) : none));
    table_->setItem(row, 1, cell(per_cent(difference.relative)));
    table_->setItem(row, 2, cell(with_unit(difference.rms)));
    table_->setItem(row, 3, cell(with_unit(difference.max)));
    table_->setItem(row, 4,
                    cell(tr("largest at %1 %2 %3 \u00c5; %4 \u00d7 %5 \u00d7 %6 points, %7 charges")
                             .arg(difference.at.x, 0, 'f', 2)
                             .arg(difference.at.y, 0, 'f', 2)
                             .arg(difference.at.z, 0, 'f', 2)
                             .arg(r.grid.counts.x)
                             .arg(r.grid.counts.y)
                             .arg(r.grid.counts.z)
                             .arg(r.charges)));
    ++row;
  }
}

void CompareDialog::show_layer() {
  if (!result_) return;
  const PotentialComparison& r = *result_;
  const int axis = axis_->currentIndex(), index = layer_->value();
  const double factor = per_volt(request_.field.potential);
  const QString unit = QString::fromUtf8(name(request_.field.potential.unit));
  const std::vector<ComparedTile> tiles = compared_tiles(r.sides.size(), r.reference);
  std::vector<MapLayer> layers;
  double range = 0, difference_range = 0;
  for (const ComparedTile& tile : tiles) {
    const bool difference = tile.kind == ComparedTile::Kind::difference;
    MapLayer layer =
        tile.kind == ComparedTile::Kind::empty
            ? MapLayer()
            : layer_of(r.grid, difference ? r.differences[tile.side].values : r.sides[tile.side].values, axis, index);
    for (float& v : layer.values) v = static_cast<float>(factor * static_cast<double>(v));
    // One range for all, which the highest peaks, near charges, do not decide.
    double& own = difference ? difference_range : range;
    own = std::max(own, layer.range(difference ? 0.99 : 0.95));
    layers.push_back(std::move(layer));
  }
  const Field& field = request_.field;
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    if (tiles[k].kind == ComparedTile::Kind::empty) continue;
    views_[k]->set_layer(layers[k], tiles[k].kind == ComparedTile::Kind::difference ? difference_range : range, unit,
                         field.negative_colour, positive_colour(field));
  }
  glm::dvec3 at(0.0);
  at[axis] = index;
  place_->setText(QStringLiteral("%1 = %2\u202f\u00c5")
                      .arg(axis_->currentText())
                      .arg(r.grid.point(at.x, at.y, at.z)[axis], 0, 'f', 2));
}

}  // namespace isolume
