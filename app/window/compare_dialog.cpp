// The dialog that puts two methods of the potential side by side.
#include "app/window/compare_dialog.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/async.h"
#include "app/window/layer_view.h"
#include "app/window/panel_form.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

constexpr double accuracies[] = {1e-2, 2.5e-3, 1e-3, 1e-4};
constexpr int repeats = 1;

bool has_accuracy(Method method) {
  return method == Method::automatic || method == Method::msm || method == Method::spme;
}

QString number(double value) {
  return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

QTableWidgetItem* cell(const QString& text) {
  auto* item = new QTableWidgetItem(text);
  item->setToolTip(text);
  return item;
}

}  // namespace

CompareDialog::CompareDialog(FieldRequest request, QWidget* parent) : QDialog(parent), request_(std::move(request)) {
  setWindowTitle(tr("Compare methods of the potential"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(860, 620);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(10);
  auto* top = new QGridLayout;
  build_settings(top);
  layout->addLayout(top);
  auto* pictures = new QHBoxLayout;
  pictures->setSpacing(12);
  const QString titles[3] = {tr("First"), tr("Second"), tr("Second less first")};
  for (int i = 0; i < 3; ++i) pictures->addWidget(views_[i] = new LayerView(titles[i]), 1);
  layout->addLayout(pictures, 1);
  table_ = new QTableWidget(3, 5);
  table_->setAccessibleName(tr("Times and errors"));
  table_->setToolTip(tr("Errors are measured against the exact sum at sampled points; the difference over all points"));
  table_->setHorizontalHeaderLabels({tr("Time"), tr("Error, relative"), tr("Error, RMS"), tr("Largest"), tr("How")});
  table_->setVerticalHeaderLabels({tr("First"), tr("Second"), tr("Difference")});
  table_->horizontalHeader()->setAccessibleName(tr("Titles"));
  table_->verticalHeader()->setAccessibleName(tr("Sides"));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->setWordWrap(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->setMaximumHeight(table_->horizontalHeader()->sizeHint().height() +
                           3 * table_->verticalHeader()->defaultSectionSize() + 10);
  layout->addWidget(table_);
  message_ = new QLabel;
  message_->setAccessibleName(tr("Message"));
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  progress_ = new QProgressBar;
  progress_->setAccessibleName(tr("Progress"));
  progress_->setToolTip(tr("Of the step that runs"));
  progress_->setRange(0, 100);
  compute_ = new QPushButton(tr("Co&mpute"));
  cancel_ = new QPushButton(tr("C&ancel"));
  auto* close = new QPushButton(tr("&Close"));
  compute_->setToolTip(tr("Compute both maps on the same grid"));
  cancel_->setToolTip(tr("Stop the computation"));
  close->setToolTip(tr("Close; what runs is stopped"));
  for (QPushButton* button : {compute_, cancel_, close}) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  }
  compute_->setDefault(true);
  close->setAutoDefault(false);
  cancel_->setAutoDefault(false);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(message_, 1);
  bottom->addWidget(progress_);
  bottom->addWidget(compute_);
  bottom->addWidget(cancel_);
  bottom->addWidget(close);
  layout->addLayout(bottom);
  connect(compute_, &QPushButton::clicked, this, &CompareDialog::start);
  connect(cancel_, &QPushButton::clicked, this, &CompareDialog::stop);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  show_running();
}

CompareDialog::~CompareDialog() {
  if (job_) job_->cancel();
}

void CompareDialog::build_settings(QGridLayout* grid) {
  const QString sides[2] = {tr("First"), tr("Second")};
  for (int i = 0; i < 2; ++i) {
    methods_[i] = make_box(tr("%1 method").arg(sides[i]), tr("How the potential is summed"),
                           {tr("Automatic"), tr("Direct sum"), tr("Cutoff sum"), tr("Multilevel summation"),
                            tr("Debye-H\u00fcckel"), tr("Particle-mesh Ewald"), tr("Hierarchical partitioning")});
    methods_[i]->setMinimumContentsLength(21);
    accuracies_[i] =
        make_box(tr("%1 accuracy").arg(sides[i]),
                 tr("Relative error for which multilevel summation and particle-mesh Ewald are planned"), {});
    for (const double accuracy : accuracies)
      accuracies_[i]->addItem(QStringLiteral("%1\u202f%").arg(100 * accuracy, 0, 'g', 3), accuracy);
    auto* label = new QLabel(i == 0 ? tr("&First") : tr("&Second"));
    label->setBuddy(methods_[i]);
    grid->addWidget(label, i, 0);
    grid->addWidget(methods_[i], i, 1);
    grid->addWidget(accuracies_[i], i, 2);
    connect(methods_[i], &QComboBox::currentIndexChanged, this,
            [this, i](int index) { accuracies_[i]->setEnabled(has_accuracy(static_cast<Method>(index))); });
    accuracies_[i]->setCurrentIndex(1);
  }
  const Method first = request_.field.potential.method;
  methods_[0]->setCurrentIndex(static_cast<int>(Method::direct));
  methods_[1]->setCurrentIndex(
      static_cast<int>(first == Method::automatic || first == Method::direct ? Method::msm : first));
  for (int i = 0; i < 2; ++i)
    accuracies_[i]->setEnabled(has_accuracy(static_cast<Method>(methods_[i]->currentIndex())));
  axis_ =
      make_box(tr("Layer across"), tr("The axis of the grid that the layer lies across"), {tr("x"), tr("y"), tr("z")});
  axis_->setCurrentIndex(2);
  layer_ = new QSlider(Qt::Horizontal);
  layer_->setAccessibleName(tr("Layer"));
  layer_->setToolTip(tr("Which layer of the grid is shown"));
  layer_->setEnabled(false);
  place_ = new QLabel;
  place_->setAccessibleName(tr("Place of the layer"));
  auto* axis_label = new QLabel(tr("Layer ac&ross"));
  axis_label->setBuddy(axis_);
  auto* layer_label = new QLabel(tr("&Layer"));
  layer_label->setBuddy(layer_);
  grid->addWidget(axis_label, 0, 3);
  grid->addWidget(axis_, 0, 4);
  grid->addWidget(place_, 0, 5);
  grid->addWidget(layer_label, 1, 3);
  grid->addWidget(layer_, 1, 4, 1, 2);
  grid->setColumnStretch(5, 1);
  grid->setHorizontalSpacing(12);
  connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
    if (!result_) return;
    const int count = result_->grid.counts[axis_->currentIndex()];
    const QSignalBlocker quiet(layer_);
    layer_->setRange(0, count - 1);
    layer_->setValue(count / 2);
    show_layer();
  });
  connect(layer_, &QSlider::valueChanged, this, &CompareDialog::show_layer);
}

PotentialSettings CompareDialog::settings(int side) const {
  PotentialSettings settings = request_.field.potential;
  settings.method = static_cast<Method>(methods_[side]->currentIndex());
  settings.accuracy = accuracies_[side]->currentData().toDouble();
  return settings;
}

void CompareDialog::start() {
  if (job_) return;
  message_->clear();
  const QPointer<CompareDialog> self(this);
  job_ = std::make_shared<Job>([self](double fraction, const std::string& what) {
    // From the thread that computes.
    QMetaObject::invokeMethod(
        qApp,
        [self, fraction, what] {
          if (!self || !self->job_ || self->job_->cancelled()) return;
          self->progress_->setValue(static_cast<int>(100 * fraction));
          if (!what.empty()) self->message_->setText(to_qt(what));
        },
        Qt::QueuedConnection);
  });
  show_running();
  const std::shared_ptr<Job> job = job_;
  run_async(
      this,
      [request = request_, first = settings(0), second = settings(1), job] {
        return compare_potentials(request, first, second, repeats, *job);
      },
      [this, job](PotentialComparison result) {
        if (job != job_) return;
        job_.reset();
        result_ = std::move(result);
        show_running();
        show_result();
      },
      [this, job](const QString& text) {
        if (job != job_) return;
        job_.reset();
        show_running();
        message_->setText(text);
      });
}

void CompareDialog::stop() {
  if (!job_) return;
  job_->cancel();
  job_.reset();
  show_running();
  message_->setText(tr("Cancelled"));
}

void CompareDialog::show_running() {
  const bool running = job_ != nullptr;
  progress_->setValue(0);
  progress_->setVisible(running);
  cancel_->setEnabled(running);
  compute_->setEnabled(!running);
}

void CompareDialog::show_result() {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  const QString unit = QString::fromUtf8(name(request_.field.potential.unit));
  const auto with_unit = [&](double volts) { return QStringLiteral("%1\u202f%2").arg(number(volts * factor), unit); };
  for (int row = 0; row < 2; ++row) {
    const ComparedSide& side = row == 0 ? r.first : r.second;
    const double seconds = side.median_seconds();
    table_->setItem(row, 0,
                    cell(seconds < 1 ? tr("%1 ms").arg(number(1e3 * seconds)) : tr("%1 s").arg(number(seconds))));
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
  message_->setText(tr("Compared"));
  layer_->setEnabled(true);
  const int count = r.grid.counts[axis_->currentIndex()];
  {
    const QSignalBlocker quiet(layer_);
    layer_->setRange(0, count - 1);
    layer_->setValue(count / 2);
  }
  show_layer();
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
                         field.colour.a > 0 ? field.colour : glm::u8vec4(0, 114, 178, 255));
  glm::dvec3 at(0.0);
  at[axis] = index;
  place_->setText(QStringLiteral("%1 = %2\u202f\u00c5")
                      .arg(axis_->currentText())
                      .arg(r.grid.point(at.x, at.y, at.z)[axis], 0, 'f', 2));
}

}  // namespace isolume
