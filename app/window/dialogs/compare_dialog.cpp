// The dialog that compares potentials: its actions.
#include "app/window/dialogs/compare_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QStackedWidget>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/dialogs/compare_view.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/save_dialog.h"
#include "formats/read.h"
#include "render/tiles.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

constexpr int repeats = 1;
constexpr int picture_width = 2400;  ///< pixels

void save_png(const QImage& image, const QString& path) {
  if (!image.save(path, "PNG")) {
    throw Error(CompareDialog::tr("%1 cannot be written").arg(path).toStdString());
  }
}

}  // namespace

CompareDialog::~CompareDialog() {
  for (const auto& job : {job_, saving_})
    if (job) job->cancel();
}

PotentialSettings CompareDialog::settings(int side) const {
  if (map_of(side)) {
    PotentialSettings of_map = request_.field.potential;
    of_map.unit = static_cast<PotentialSettings::Unit>(map_unit_->currentIndex());
    return of_map;
  }
  PotentialSettings settings = parameters_[side];
  settings.method = static_cast<Method>(methods_[side]->currentIndex());
  settings.accuracy = accuracies_[side]->currentData().toDouble();
  if (settings.method == Method::msm || settings.method == Method::spme)
    settings.medium = PotentialSettings::Medium::constant;  // they have no other
  return settings;
}

void CompareDialog::set_parameters(int side, const PotentialSettings& settings) {
  parameters_[side] = settings;
}

std::vector<int> CompareDialog::sides() const {
  std::vector<int> all;
  for (int side = 0; side < static_cast<int>(most_compared); ++side)
    if (has_method(side) || map_of(side)) all.push_back(side);
  return all;
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
  const std::vector<int> compared = sides();
  const auto chosen = std::find(compared.begin(), compared.end(), reference_->currentIndex());
  if (chosen == compared.end()) {
    message_->setText(tr("%1 has neither method nor map: choose another reference").arg(reference_->currentText()));
    return;
  }
  const auto reference = static_cast<std::size_t>(chosen - compared.begin());
  std::vector<PotentialSide> all;
  std::vector<std::function<std::shared_ptr<const FieldAtoms>()>> charged;
  QStringList charges;
  for (const int side : compared) {
    const Map* const map = map_of(side);
    PotentialSide one;
    one.settings = settings(side);
    if (map) {
      one.map = map->map;
      one.title = map->title.toStdString();
    }
    all.push_back(std::move(one));
    const int set = map ? 0 : charges_[side]->currentIndex();
    charged.push_back(set > 0 ? charge_sets_[static_cast<std::size_t>(set - 1)].atoms : nullptr);
    charges += map ? QString() : charges_[side]->currentText();
  }
  if (std::none_of(charged.begin(), charged.end(), [](const auto& atoms) { return atoms != nullptr; })) charges.clear();
  if (job_) job_->cancel();
  message_->clear();
  run(
      false,
      [request = request_, all, reference, charged, resample = resample_->isChecked()](Job& job) {
        std::vector<PotentialSide> ready = all;
        for (std::size_t k = 0; k < ready.size(); ++k)
          if (charged[k]) ready[k].atoms = charged[k]();
        return std::make_shared<const PotentialComparison>(
            compare_potentials(request, ready, reference, repeats, resample, job));
      },
      [this, compared, charges](std::shared_ptr<const PotentialComparison> result) {
        result_ = std::move(result);
        shown_sides_ = compared;
        shown_charges_ = charges;
        lay_out();
        show_result();
      });
}

void CompareDialog::stop() {
  if (!job_ && !saving_) return;
  for (auto* job : {&job_, &saving_}) {
    if (*job) (*job)->cancel();
    job->reset();
  }
  show_running();
  message_->setText(tr("Cancelled"));
}

void CompareDialog::show_running() {
  const bool running = job_ != nullptr || saving_ != nullptr;
  progress_->setValue(0);
  progress_->setVisible(running);
  cancel_->setEnabled(running);
  compute_->setEnabled(!job_ || painting_);
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

void CompareDialog::show_surfaces() {
  const auto shown = static_cast<Shown>(shown_->currentIndex());
  if (!result_ || shown == Shown::layer || (job_ && !painting_)) return;
  if (job_) job_->cancel();
  const double isovalue = isovalue_->value() / per_volt(request_.field.potential);
  run(
      true,
      [request = request_, result = result_, surface = static_cast<ComparedSurface>(shown), isovalue](Job& job) {
        return comparison_view(request, *result, surface, isovalue, job);
      },
      [this](ComparisonView picture) {
        CompareTexts beside = texts();
        const double factor = per_volt(request_.field.potential);
        beside.ranges.clear();
        for (const ComparedTile& tile : compared_tiles(result_->sides.size(), result_->reference))
          beside.ranges.push_back(
              factor * (tile.kind == ComparedTile::Kind::difference ? picture.difference_range : picture.range));
        // The scale of the lower row is that of differences, whatever is first in it.
        if (beside.rows() == 2)
          beside.ranges[static_cast<std::size_t>(beside.columns)] = picture.difference_range * factor;
        message_->setText(
            picture.beyond == 0
                ? tr("Compared")
                : tr("Grey: %1 of %2 vertices are outside the maps").arg(picture.beyond).arg(picture.vertices));
        std::unique_ptr<GlContext> context;
        if (!surfaces_->has_context()) context = new_context();
        surfaces_->show_view(picture.view, std::move(beside), std::move(context));
      });
}

std::unique_ptr<GlContext> CompareDialog::new_context() {
  QString why;
  try {
    if (auto context = make_context_()) return context;
  } catch (const Error& error) {
    why = to_qt(error.what());
  }
  message_->setText(tr("Surfaces need OpenGL 4.5; only a layer can be shown. %1").arg(why).trimmed());
  return nullptr;
}

void CompareDialog::ask_path() {
  ask_where_to_save(this,
                    {tr("Save image"), tr("Images (*.png)"), QStringLiteral("png"), QStringLiteral("comparison"), {}},
                    [this](const QString& path) { save_picture(path, picture_width); });
}

void CompareDialog::ask_map() {
  auto* dialog = new QFileDialog(this, tr("Add map file"), QSettings().value(QStringLiteral("folder")).toString(),
                                 tr("Maps (*.dx *.cube *.cub *.mrc *.map *.ccp4 *.gz);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &CompareDialog::add_map);
  dialog->open();
}

void CompareDialog::add_map(const QString& path) {
  run_async(
      this,
      [file = path.toStdString()] {
        Molecule molecule = read_file(file);
        if (molecule.volumes.empty()) throw Error::in_file(file, 0, "has no map");
        return std::shared_ptr<const Volume>(molecule.volumes.front());
      },
      [this, path](std::shared_ptr<const Volume> map) {
        offer({QFileInfo(path).fileName(), std::move(map)});
        int side = 1;
        for (int k = static_cast<int>(most_compared) - 1; k > 1; --k)
          if (!has_method(k) && !map_of(k)) side = k;
        methods_[side]->setCurrentIndex(methods_[side]->findData(static_cast<int>(maps_.size()) - 1));
      },
      [this](const QString& text) { message_->setText(text); });
}

void CompareDialog::save_picture(const QString& path, int width) {
  if (!result_ || job_ || saving_) return;
  const bool layers = static_cast<Shown>(shown_->currentIndex()) == Shown::layer;
  const CompareStyle style = surfaces_->style_now();
  const QColor paper = palette().color(QPalette::Window);
  const double scale = width / std::max(1.0, static_cast<double>(stack_->width()));
  const double beneath = compare_beneath_height(style.font);
  // Layers have the texts above and scales, but not those beneath.
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
  // Made here, used and destroyed by the thread that draws.
  std::shared_ptr<GlContext> made = layers ? nullptr : new_context();
  if (!layers && !made) return;
  // Apart from what paints: another isovalue is drawn meanwhile, and the image is that which was asked for.
  saving_ = std::make_shared<Job>();
  show_running();
  const auto end = [this, job = saving_] {
    if (job != saving_) return false;
    saving_.reset();
    show_running();
    return true;
  };
  run_async(
      this,
      [=, camera = surfaces_->camera(), context = std::move(made), job = saving_]() mutable {
        QPainter painter(&image);
        painter.setFont(style.font);
        if (layers) {
          paint_beneath(painter, size, size.height() - beneath, beside, style);
        } else {
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
          context.reset();
          job->check();
          const QImage drawn(picture.rgba.data(), picture.width, picture.height, 4 * picture.width,
                             QImage::Format_RGBA8888);
          paint_comparison(painter, size, drawn, beside, style);
        }
        painter.end();
        save_png(image, path);
        return true;
      },
      [this, path, end](bool) {
        if (!end()) return;
        message_->setText(tr("Saved %1").arg(path));
        Q_EMIT saved(path);
      },
      [this, end](const QString& text) {
        if (end()) message_->setText(text);
      });
}

}  // namespace isolume
