// The part of a field's form that has the levels of a map: its histogram, the level in standard deviations.
#include "app/window/panels/level_rows.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "app/fields/cloud.h"
#include "app/fields/difference.h"
#include "app/view/usual_volume.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/level_histogram.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

constexpr std::size_t steps = 128;

bool has_level(const Field& field) {
  return field.kind == Field::Kind::volume && !is_cloud(field) && !values_differ(field);  // counted are the file's
}

}  // namespace

LevelRows::LevelRows(QGridLayout* form, SceneController& controller, QObject* parent)
    : QObject(parent), form_(form), controller_(controller) {
  histogram_ = new LevelHistogram;
  sigma_ = new QDoubleSpinBox;
  sigma_->setAccessibleName(tr("Level in sigma"));
  sigma_->setToolTip(tr("The same level in standard deviations of the map above its mean"));
  sigma_->setRange(-1000, 1000);
  sigma_->setDecimals(2);
  sigma_->setSingleStep(0.1);
  sigma_->setSuffix(QStringLiteral("\u202f\u03c3"));
  sigma_->setKeyboardTracking(false);
  add_ = new QPushButton(tr("Add level"));
  add_->setAccessibleName(add_->text());
  add_->setToolTip(tr("Show the map at one more level, in another colour"));
  add_wide_row(form, histogram_);
  add_row(form, tr("Level"), sigma_);
  add_row(form, QString(), add_);
  connect(histogram_, &LevelHistogram::moved, this,
          [this](int row, double value) { change(row, tr("Change isovalue"), value, true); });
  connect(histogram_, &LevelHistogram::chosen, this, &LevelRows::chosen);
  connect(histogram_, &LevelHistogram::added, this, &LevelRows::add_level);
  connect(histogram_, &LevelHistogram::reset, this, [this](int row) {
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= controller_.scene().fields.size()) return;
    Field usual = controller_.scene().fields[at];
    const auto molecule = controller_.molecule(usual.molecule);
    if (!molecule || usual.volume >= molecule->volumes.size()) return;
    show_usually(usual, *molecule, false);
    change(row, tr("Usual level"), usual.isovalue, false);
  });
  connect(sigma_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    const VolumeStatistics& s = histogram_->histogram().statistics;
    if (s.deviation > 0) change(row_, tr("Change isovalue"), s.mean + value * s.deviation, true);
  });
  connect(add_, &QPushButton::clicked, this, [this] {
    const auto at = static_cast<std::size_t>(row_);
    if (row_ < 0 || at >= controller_.scene().fields.size()) return;
    // Half-way up to the highest value.
    const VolumeStatistics& s = histogram_->histogram().statistics;
    const double now = shown_isovalue(controller_.scene().fields[at]);
    add_level(now + 0.5 * (static_cast<double>(s.highest) - now));
  });
}

void LevelRows::change(int row, const QString& what, double value, bool merge) {
  const auto at = static_cast<std::size_t>(row);
  if (row < 0 || at >= controller_.scene().fields.size()) return;
  controller_.edit(
      what, [&](Scene& scene) { scene.fields[at].isovalue = value; }, merge);
}

void LevelRows::add_level(double value) {
  const auto at = static_cast<std::size_t>(row_);
  if (row_ < 0 || at >= controller_.scene().fields.size()) return;
  controller_.edit(tr("Add level"), [&](Scene& scene) {
    Field& first = scene.fields[at];
    Field more = first;
    more.isovalue = value;
    more.both_signs = false;
    more.colour = phase_colours(1 + at).second;
    more.opacity = 1;
    // The inside is to be seen.
    if (first.style == Surface::Style::solid && first.opacity > 0.5f) first.opacity = 0.4f;
    scene.fields.insert(scene.fields.begin() + row_ + 1, more);
  });
  Q_EMIT chosen(row_ + 1);
}

void LevelRows::show_field(int row) {
  row_ = row;
  if (row < 0 || static_cast<std::size_t>(row) >= controller_.scene().fields.size()) return;
  const Field& field = controller_.scene().fields[static_cast<std::size_t>(row)];
  const bool level = has_level(field);
  const bool surface = !is_cloud(field) && field.slice.kind == SlicePlane::Kind::none;
  show_row(form_, histogram_, level);
  show_row(form_, sigma_, level);
  show_row(form_, add_, level && surface);
  if (!level) return;
  const auto molecule = controller_.molecule(field.molecule);
  const auto volume = molecule && field.volume < molecule->volumes.size() ? molecule->volumes[field.volume] : nullptr;
  if (volume != volume_) count(volume);
  show_levels();
}

void LevelRows::count(const std::shared_ptr<const Volume>& volume) {
  volume_ = volume;
  histogram_->set_histogram({});
  if (!volume) return;
  run_async(
      this,
      [volume] {
        Job job;
        return histogram_of(volume->values, steps, job);
      },
      [this, volume](const VolumeHistogram& counted) {
        if (volume != volume_) return;
        histogram_->set_histogram(counted);
        show_levels();
      },
      [](const QString&) {});
}

void LevelRows::show_levels() {
  const auto& fields = controller_.scene().fields;
  const auto at = static_cast<std::size_t>(row_);
  if (row_ < 0 || at >= fields.size()) return;
  std::vector<LevelHistogram::Level> levels;
  int now = -1;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& f = fields[i];
    if (!has_level(f) || f.molecule != fields[at].molecule || f.volume != fields[at].volume) continue;
    if (i == at) now = static_cast<int>(levels.size());
    levels.push_back({static_cast<int>(i), shown_isovalue(f), QColor(f.colour.r, f.colour.g, f.colour.b)});
  }
  histogram_->set_levels(std::move(levels), now);
  const VolumeStatistics& s = histogram_->histogram().statistics;
  const QSignalBlocker quiet(sigma_);
  sigma_->setEnabled(s.deviation > 0);
  if (s.deviation > 0 && !sigma_->hasFocus()) sigma_->setValue((shown_isovalue(fields[at]) - s.mean) / s.deviation);
}

}  // namespace isolume
