// Writing a picture of the scene, beside the window.
#include "app/window/picture_export.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>

#include "app/session/legend.h"
#include "app/window/async.h"
#include "app/window/label_painter.h"
#include "app/window/list_bar.h"
#include "app/window/panel_form.h"
#include "formats/write.h"

namespace isolume {
namespace {

/// Writes the texts of a picture or of a tile as large, beside it, as they are in the window.
void write_labels(Image& image, const SceneView& view, double scale) {
  if (view.labels.empty() && view.title.empty()) return;
  QImage pixels(image.rgba.data(), image.width, image.height, 4 * image.width, QImage::Format_RGBA8888);
  QPainter painter(&pixels);
  painter.scale(scale, scale);
  paint_tile_texts(painter, view, view.camera, view.look, QSizeF(image.width / scale, image.height / scale),
                   1.05 * QGuiApplication::font().pointSizeF() * 96 / std::max(1, pixels.logicalDpiY()));
}

}  // namespace

PictureExport::PictureExport(QObject* parent) : QObject(parent) {}

void PictureExport::start(std::unique_ptr<GlContext> context, std::shared_ptr<const SceneView> view,
                          const PictureOptions& options, const QString& path, const std::string& scene_json, double dpi,
                          double logical_height, std::vector<std::vector<FieldLegend>> legends) {
  ++running_;
  Q_EMIT progress(tr("Drawing %1").arg(QFileInfo(path).fileName()));
  const auto done = [this] {
    if (--running_ == 0) Q_EMIT progress({});
  };
  run_async(
      this,
      [shared = std::shared_ptr<GlContext>(std::move(context)), view, options, file = path.toStdString(), scene_json,
       dpi, logical_height, legends = std::move(legends)]() mutable {
        Image image;
        {
          shared->make_current();
          TiledRenderer renderer;
          image = renderer.picture(*view, options);
        }
        shared->done_current();
        shared.reset();
        const double scale = image.height / std::max(1.0, logical_height);
        on_tiles(image, *view, options.pixel_ratio, [&](Image& part, const SceneView& shown, std::size_t tile) {
          write_labels(part, shown, scale);
          if (tile < legends.size()) draw_legends(part, legends[tile]);
        });
        const std::string png = encode_png(image, {{"Software", "Isolume"}, {"isolume-scene", scene_json}}, dpi);
        write_atomically(file, [&](std::ostream& out) { out << png; });
        return true;
      },
      [this, done, path](bool) {
        done();
        Q_EMIT finished(path);
      },
      [this, done](const QString& message) {
        done();
        Q_EMIT failed(message);
      });
}

PictureDialog::PictureDialog(QSize view, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Export picture"));
  setAccessibleName(windowTitle());
  auto* form = make_form(this);
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
  auto* preset = make_box(tr("Size for"), tr("Sets width and height; journals ask for a width on paper"), {});
  preset->addItem(tr("The window"), QSize(view));
  preset->addItem(tr("A slide, 1920 x 1080"), QSize(1920, 1080));
  preset->addItem(tr("A large screen, 3840 x 2160"), QSize(3840, 2160));
  preset->addItem(tr("One column, 85 mm"), 85.0);
  preset->addItem(tr("Two columns, 174 mm"), 174.0);
  preset->addItem(tr("A page, 210 mm"), 210.0);
  width_ = number(tr("Width"), tr("Width of the picture in pixels"), 16, 32768, view.width());
  width_->setSuffix(tr(" px"));
  height_ = number(tr("Height"), tr("Height of the picture in pixels"), 16, 32768, view.height());
  height_->setSuffix(tr(" px"));
  dpi_ = number(tr("Resolution"), tr("Dots per inch, stored in the file; journals ask for 300 or more"), 36, 2400, 300);
  dpi_->setSuffix(tr(" dpi"));
  samples_ =
      make_box(tr("Smoothing"), tr("Samples per pixel: more is smoother and slower"),
               {tr("None (1 sample)"), tr("Good (4 samples)"), tr("Fine (9 samples)"), tr("Finest (16 samples)")});
  samples_->setCurrentIndex(2);
  transparent_ = new QCheckBox(tr("Transparent background"));
  transparent_->setAccessibleName(transparent_->text());
  transparent_->setToolTip(tr("The background is left out, for slides and posters"));
  millimetres_ = new QLabel;
  millimetres_->setAccessibleName(tr("Size on paper"));
  millimetres_->setToolTip(tr("Size on paper at this resolution"));
  millimetres_->setForegroundRole(QPalette::PlaceholderText);
  connect(preset, &QComboBox::activated, this, [this, preset, view] {
    const QVariant data = preset->currentData();
    QSize size = data.toSize();
    if (data.userType() == QMetaType::Double) {  // millimetres: pixels by the resolution, in the shape of the window
      size.setWidth(qRound(data.toDouble() / 25.4 * dpi_->value()));
      size.setHeight(qRound(double(size.width()) * view.height() / std::max(1, view.width())));
    }
    width_->setValue(size.width());
    height_->setValue(size.height());
  });
  add_row(form, tr("Size &for"), preset);
  add_row(form, tr("&Width"), width_);
  add_row(form, tr("&Height"), height_);
  add_row(form, tr("&Resolution"), dpi_);
  add_row(form, QString(), millimetres_);
  add_row(form, tr("&Smoothing"), samples_);
  add_row(form, QString(), transparent_);
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

void PictureDialog::show_millimetres() {
  const double scale = 25.4 / dpi_->value();
  millimetres_->setText(
      tr("%1 x %2 mm on paper").arg(width_->value() * scale, 0, 'f', 1).arg(height_->value() * scale, 0, 'f', 1));
}

PictureOptions PictureDialog::options() const {
  PictureOptions options;
  options.width = width_->value();
  options.height = height_->value();
  const int n = samples_->currentIndex() + 1;
  options.samples = n * n;
  options.transparent = transparent_->isChecked();
  return options;
}

double PictureDialog::dpi() const {
  return dpi_->value();
}

}  // namespace isolume
