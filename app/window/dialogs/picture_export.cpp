// Writing a picture of the scene, in the background.
#include "app/window/dialogs/picture_export.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "app/export/picture_size.h"
#include "app/models/labels.h"
#include "app/view/path/traced_picture.h"
#include "app/view/picture_texts.h"
#include "app/window/live/check_export.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/stoppable.h"
#include "compute/base/memory.h"
#include "compute/trace/denoise.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The hashes of a scene's files; none where one of them is there no more, which does not keep the picture from being
/// written: it cannot be replayed then.
std::vector<FileHash> hashes_of(const Scene& scene) {
  try {
    return hash_files(scene);
  } catch (const Error&) {
    return {};
  }
}

using Covered = std::vector<std::vector<std::uint8_t>>;

Image drawn(const SceneView& view, const PictureOptions& options, Covered& covered) {
  TiledRenderer renderer;
  renderer.set_stop(stop_requested);
  Image image = renderer.picture(view, options);
  covered = renderer.covered_labels(view);
  return image;
}

Image traced(const SceneView& view, const PictureOptions& options, Device device, Covered& covered) {
  Job* asked = nullptr;
  Job job([&asked](double, const std::string&) {
    if (stop_requested()) asked->cancel();
  });
  asked = &job;
  PathPainter painter(device);
  Image image = painter.picture(view, options, job);
  covered = painter.covered_labels(view);
  return image;
}

}  // namespace

PictureExport::PictureExport(QObject* parent) : QObject(parent) {}

void PictureExport::start(std::unique_ptr<GlContext> context, std::shared_ptr<const SceneView> view,
                          PictureOrigin origin, const QString& path, std::vector<std::vector<FieldLegend>> legends,
                          Device device) {
  ++running_;
  Q_EMIT progress(tr("Rendering %1").arg(QFileInfo(path).fileName()));
  const auto done = [this] {
    if (--running_ == 0) Q_EMIT progress({});
  };
  auto draw = [shared = std::shared_ptr<GlContext>(std::move(context)), view, origin = std::move(origin),
               file = QFileInfo(path).absoluteFilePath().toStdString(), legends = std::move(legends),
               device]() mutable {
    check_export(QString::fromStdString(file), origin.scene);
    origin.options.layers = needs_layers(file);
    origin.options.vectors = holds_vectors(file);
    require_memory_of_picture(origin.options);
    Image image;
    if (origin.options.legends_only) {
      image = legend_picture(origin.options, origin.scene.look, legends);
      shared->make_current();
      shared->done_current();
      shared.reset();
      origin.files = hashes_of(origin.scene);
      write_picture(file, image, origin);
      return true;
    }
    std::vector<std::vector<std::uint8_t>> covered;
    {
      shared->make_current();
      image = origin.options.path_traced ? traced(*view, origin.options, device, covered)
                                         : drawn(*view, origin.options, covered);
    }
    shared->done_current();
    shared.reset();
    write_texts(image, *view, origin.options, covered, legends);
    origin.files = hashes_of(origin.scene);
    write_picture(file, image, origin);
    return true;
  };
  run_async(
      this, stoppable(stop_, std::move(draw)),
      [this, done, path](bool) {
        done();
        Q_EMIT finished(path);
      },
      [this, done, stop = stop_](const QString& message) {
        done();
        if (!*stop) Q_EMIT failed(message);
      });
}

void PictureExport::cancel() {
  *stop_ = true;
  stop_ = std::make_shared<std::atomic<bool>>(false);
}

PictureDialog::PictureDialog(QSize view, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Export image"));
  setAccessibleName(windowTitle());
  auto* form = make_form(this);
  set_cost(this, tr("Time and memory grow with the number of pixels; time also grows with the samples"));
  form->setContentsMargins(20, 18, 20, 16);
  const auto number = [](const QString& name, const QString& tip, int lowest, int highest, int value) {
    auto* box = new QSpinBox;
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setRange(lowest, highest);
    box->setValue(value);
    box->setMinimumWidth(110);
    return box;
  };
  auto* preset = make_box(
      tr("Size for"), tr("Set width and height, and for journals the resolution, as in their author guidelines"), {});
  preset->setObjectName(QStringLiteral("sizes"));
  preset->addItem(tr("The window"), QSize(view));
  preset->addItem(tr("A slide, 1920 x 1080"), QSize(1920, 1080));
  preset->addItem(tr("A large screen, 3840 x 2160"), QSize(3840, 2160));
  for (const JournalSize& size : journal_sizes()) {
    preset->addItem(tr("%1: %2 mm").arg(QLatin1String(size.name)).arg(size.width), QLatin1String(size.key));
    preset->setItemData(
        preset->count() - 1,
        tr("At most %1 mm high, %2 dpi or more. %3").arg(size.tallest).arg(size.dots).arg(QLatin1String(size.source)),
        Qt::ToolTipRole);
  }
  preset->addItem(tr("A page, 210 mm"), 210.0);
  width_ = number(tr("Width"), tr("Width of the image in pixels"), 16, 32768, view.width());
  width_->setSuffix(tr(" px"));
  height_ = number(tr("Height"), tr("Height of the image in pixels"), 16, 32768, view.height());
  height_->setSuffix(tr(" px"));
  dpi_ = number(tr("Resolution"), tr("Dots per inch, stored in the file; journals ask for 300 to 600 or more"), 36,
                2400, 300);
  dpi_->setSuffix(tr(" dpi"));
  renderer_ = make_box(
      tr("Renderer"), tr("As in the window, or path traced: soft shadows and light between surfaces, without outlines"),
      {tr("As in the window"), tr("Path tracing")});
  samples_ = make_box(tr("Smoothing"), tr("Samples per pixel; more is smoother"), {});
  denoise_ = new QCheckBox(tr("Remove noise"));
  denoise_->setAccessibleName(denoise_->text());
  connect(renderer_, &QComboBox::currentIndexChanged, this, &PictureDialog::show_samples);
  show_samples();
  transparent_ = new QCheckBox(tr("Transparent background"));
  transparent_->setAccessibleName(transparent_->text());
  transparent_->setToolTip(tr("Leave out the background, for slides and posters"));
  legends_only_ = new QCheckBox(tr("Legends only"));
  legends_only_->setAccessibleName(legends_only_->text());
  legends_only_->setToolTip(tr("Leave out the scene: only the legends, as large as they are (PNG, SVG, PDF)"));
  millimetres_ = new QLabel;
  millimetres_->setAccessibleName(tr("Size on paper"));
  millimetres_->setToolTip(tr("Size on paper at this resolution, and the memory needed"));
  millimetres_->setForegroundRole(QPalette::PlaceholderText);
  connect(preset, &QComboBox::activated, this, [this, preset, view] {
    const QVariant data = preset->currentData();
    if (data.userType() == QMetaType::QSize) {
      width_->setValue(data.toSize().width());
      height_->setValue(data.toSize().height());
      return;
    }
    // Millimetres: pixels by the resolution, in the shape of the window, as far as the page allows.
    double wide = data.toDouble(), tallest = 297;
    if (data.userType() == QMetaType::QString) {
      const JournalSize size = journal_size(data.toString().toStdString());
      dpi_->setValue(std::max(dpi_->value(), static_cast<int>(size.dots)));
      wide = size.width;
      tallest = size.tallest;
    }
    const double high = wide * view.height() / std::max(1, view.width());
    width_->setValue(pixels_of(wide, dpi_->value()));
    height_->setValue(pixels_of(std::min(high, tallest), dpi_->value()));
  });
  add_row(form, tr("Size &for"), preset);
  add_row(form, tr("&Width"), width_);
  add_row(form, tr("&Height"), height_);
  add_row(form, tr("&Resolution"), dpi_);
  add_row(form, QString(), millimetres_);
  add_row(form, tr("R&enderer"), renderer_);
  add_row(form, tr("&Smoothing"), samples_);
  add_row(form, QString(), denoise_);
  add_row(form, QString(), transparent_);
  add_row(form, QString(), legends_only_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  buttons->setAccessibleName(tr("Save or cancel"));
  for (QAbstractButton* button : buttons->buttons()) button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  add_wide_row(form, buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  for (QSpinBox* box : {width_, height_, dpi_}) {
    connect(box, &QSpinBox::valueChanged, this, &PictureDialog::show_millimetres);
  }
  show_millimetres();
}

void PictureDialog::show_samples() {
  samples_->clear();
  if (renderer_->currentIndex() == 0) {
    samples_->addItem(tr("None (1 sample)"), 1);
    samples_->addItem(tr("Good (4 samples)"), 4);
    samples_->addItem(tr("Fine (9 samples)"), 9);
    samples_->addItem(tr("Finest (16 samples)"), 16);
  } else {
    samples_->addItem(tr("Draft (16 samples)"), 16);
    samples_->addItem(tr("Good (64 samples)"), 64);
    samples_->addItem(tr("Fine (256 samples)"), 256);
    samples_->addItem(tr("Finest (1024 samples)"), 1024);
  }
  samples_->setCurrentIndex(2);
  // Its tip says where to get what is missing. What is off keeps its mark for when path tracing is chosen again.
  const bool traced = renderer_->currentIndex() == 1;
  denoise_->setEnabled(traced && denoiser_present());
  denoise_->setToolTip(!traced ? tr("For path tracing: take the noise out of few samples")
                       : denoiser_present()
                           ? tr("Take the noise out by %1: clean after 16 samples; fine detail may be lost")
                                 .arg(to_qt(denoiser_status()))
                           : to_qt(denoiser_status()));
}

void PictureDialog::set_path_traced(int samples) {
  renderer_->setCurrentIndex(1);
  if (const int row = samples_->findData(samples); row >= 0) samples_->setCurrentIndex(row);
}

void PictureDialog::show_millimetres() {
  const double scale = 25.4 / dpi_->value();
  millimetres_->setText(tr("%1 x %2 mm on paper; %3 of memory to render")
                            .arg(width_->value() * scale, 0, 'f', 1)
                            .arg(height_->value() * scale, 0, 'f', 1)
                            .arg(to_qt(bytes_in_words(memory_of_picture(options())))));
}

PictureOptions PictureDialog::options() const {
  PictureOptions options;
  options.width = width_->value();
  options.height = height_->value();
  options.path_traced = renderer_->currentIndex() == 1;
  options.samples = samples_->currentData().toInt();
  options.denoise = denoise_->isEnabled() && denoise_->isChecked();
  options.transparent = transparent_->isChecked();
  options.legends_only = legends_only_->isChecked();
  options.dots = dpi_->value();
  return options;
}

double PictureDialog::dpi() const {
  return dpi_->value();
}

}  // namespace isolume
