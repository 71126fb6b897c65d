// The dialog that puts two methods of the potential side by side: what it does.
#include "app/window/compare_dialog.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QStackedWidget>
#include <QTableWidget>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/async.h"
#include "app/window/compare_view.h"
#include "app/window/layer_view.h"
#include "render/tiles.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

constexpr int repeats = 1;
constexpr int picture_width = 2400;  ///< pixels

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

/// Surfaces to look at, and what draws them the first time.
struct Painted {
  ComparisonView picture;
  std::unique_ptr<GlContext> context;
};

void save_png(const QImage& image, const QString& path) {
  if (!image.save(path, "PNG")) {
    throw Error(CompareDialog::tr("%1 cannot be written").arg(path).toStdString());
  }
}

}  // namespace

CompareDialog::~CompareDialog() {
  if (job_) job_->cancel();
}

PotentialSettings CompareDialog::settings(int side) const {
  PotentialSettings settings = request_.field.potential;
  settings.method = static_cast<Method>(methods_[side]->currentIndex());
  settings.accuracy = accuracies_[side]->currentData().toDouble();
  return settings;
}

template <class Work, class Done>
void CompareDialog::run(bool painting, Work work, Done done) {
  const QPointer<CompareDialog> self(this);
  painting_ = painting;
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
      this, [work = std::move(work), job]() mutable { return work(*job); },
      [this, job, done = std::move(done)](auto result) {
        if (job != job_) return;
        job_.reset();
        show_running();
        done(std::move(result));
      },
      [this, job](const QString& text) {
        if (job != job_) return;
        job_.reset();
        show_running();
        message_->setText(text);
      });
}

void CompareDialog::start() {
  if (job_ && !painting_) return;
  if (job_) job_->cancel();
  message_->clear();
  run(
      false,
      [request = request_, first = settings(0), second = settings(1)](Job& job) {
        return std::make_shared<const PotentialComparison>(compare_potentials(request, first, second, repeats, job));
      },
      [this](std::shared_ptr<const PotentialComparison> result) {
        result_ = std::move(result);
        show_result();
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
  compute_->setEnabled(!running || painting_);
  save_->setEnabled(!running && result_ != nullptr);
}

void CompareDialog::show_result() {
  fill_table();
  message_->setText(tr("Compared"));
  const int count = result_->grid.counts[axis_->currentIndex()];
  {
    const QSignalBlocker quiet(layer_);
    layer_->setRange(0, count - 1);
    layer_->setValue(count / 2);
  }
  show_layer();
  choose_shown();
  show_running();
}

void CompareDialog::choose_shown() {
  const auto shown = static_cast<Shown>(shown_->currentIndex());
  const bool layers = shown == Shown::layer;
  stack_->setCurrentIndex(layers ? 1 : 0);
  isovalue_->setEnabled(shown == Shown::isosurfaces);
  for (QWidget* widget : std::initializer_list<QWidget*>{axis_, layer_, place_}) {
    widget->setEnabled(layers && result_ != nullptr);
  }
  if (!layers) show_surfaces();
}

CompareTexts CompareDialog::texts() const {
  const PotentialComparison& r = *result_;
  const double factor = per_volt(request_.field.potential);
  CompareTexts texts;
  texts.unit = QString::fromUtf8(name(request_.field.potential.unit));
  texts.titles = {tr("First"), tr("Second"), tr("Second less first")};
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

void CompareDialog::show_surfaces() {
  const auto shown = static_cast<Shown>(shown_->currentIndex());
  if (!result_ || shown == Shown::layer || (job_ && !painting_)) return;
  if (job_) job_->cancel();
  const double isovalue = isovalue_->value() / per_volt(request_.field.potential);
  run(
      true,
      [request = request_, result = result_, surface = static_cast<ComparedSurface>(shown), isovalue,
       first = !surfaces_->has_context()](Job& job) {
        Painted painted{comparison_view(request, *result, surface, isovalue, job), nullptr};
        if (first) painted.context = create_egl_context();
        return painted;
      },
      [this](Painted painted) {
        CompareTexts beside = texts();
        const double factor = per_volt(request_.field.potential);
        beside.ranges = {painted.picture.range * factor, painted.picture.range * factor,
                         painted.picture.difference_range * factor};
        surfaces_->show_view(painted.picture.view, std::move(beside), std::move(painted.context));
        message_->setText(painted.picture.beyond == 0 ? tr("Compared")
                                                      : tr("Grey: %1 of %2 vertices lie beyond the maps")
                                                            .arg(painted.picture.beyond)
                                                            .arg(painted.picture.vertices));
      });
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

void CompareDialog::ask_path() {
  auto* files = new QFileDialog(this, tr("Save picture"), QSettings().value(QStringLiteral("folder")).toString(),
                                tr("Pictures (*.png)"));
  files->setAttribute(Qt::WA_DeleteOnClose);
  files->setAcceptMode(QFileDialog::AcceptSave);
  files->setDefaultSuffix(QStringLiteral("png"));
  connect(files, &QFileDialog::fileSelected, this, [this](const QString& path) { save_picture(path, picture_width); });
  files->open();
}

void CompareDialog::save_picture(const QString& path, int width) {
  if (!result_ || job_) return;
  const bool layers = static_cast<Shown>(shown_->currentIndex()) == Shown::layer;
  const CompareStyle style = surfaces_->style_now();
  const QColor paper = palette().color(QPalette::Window);
  const double scale = width / std::max(1.0, static_cast<double>(stack_->width()));
  const double beneath = compare_beneath_height(style.font);
  // Layers have their texts above and scales, but not what stands beneath.
  const QSizeF size(stack_->width(), stack_->height() + (layers ? beneath : 0));
  QImage image((size * scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(paper);
  CompareTexts beside = layers ? texts() : surfaces_->texts();
  if (layers) {
    QPainter painter(&image);
    stack_->currentWidget()->render(&painter);
  }
  const std::shared_ptr<const SceneView> view = surfaces_->view();
  if (!layers && !view) return;
  run(
      true,
      [=, camera = surfaces_->camera()](Job& job) mutable {
        QPainter painter(&image);
        painter.setFont(style.font);
        if (layers) {
          paint_beneath(painter, size, size.height() - beneath, beside, style);
        } else {
          const std::unique_ptr<GlContext> context = create_egl_context();
          context->make_current();
          const QSizeF room = compare_picture_rect(size, style.font).size() * scale;
          SceneView whole = *view;
          whole.camera = camera;
          whole.look.background = whole.look.background_bottom =
              glm::vec3(style.background.redF(), style.background.greenF(), style.background.blueF());
          PictureOptions options;
          options.width = qRound(room.width());
          options.height = qRound(room.height());
          options.pixel_ratio = scale;
          Image picture;
          {
            TiledRenderer renderer;
            picture = renderer.picture(whole, options);
          }
          context->done_current();
          job.check();
          const QImage drawn(picture.rgba.data(), picture.width, picture.height, 4 * picture.width,
                             QImage::Format_RGBA8888);
          paint_comparison(painter, size, drawn, beside, style);
        }
        painter.end();
        save_png(image, path);
        return true;
      },
      [this, path](bool) {
        message_->setText(tr("Saved %1").arg(path));
        Q_EMIT saved(path);
      });
}

}  // namespace isolume
