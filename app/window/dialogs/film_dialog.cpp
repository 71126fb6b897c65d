// The dialog that exports a film: which frames, how fast, how large; with a preview.
#include "app/window/dialogs/film_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

QSpinBox* make_count(const QString& what, const QString& tip, int lowest, int highest, int value) {
  auto* box = new QSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(lowest, highest);
  box->setValue(value);
  box->setFocusPolicy(Qt::StrongFocus);
  return box;
}

}  // namespace

FilmDialog::FilmDialog(SceneController& controller, QSize size, QWidget* parent)
    : QDialog(parent), controller_(controller) {
  setWindowTitle(tr("Export movie"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  const int end = std::max(0, static_cast<int>(controller_.frame_count()) - 1);
  const Playback& playback = controller_.scene().playback;
  auto* top = new QWidget;
  top->setAccessibleName(tr("Contents of the movie"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  first_ = make_count(tr("First frame"), tr("Frames are counted from 0"), 0, end, 0);
  last_ = make_count(tr("Last frame"), tr("The last frame is included"), 0, end, end);
  step_ = make_count(tr("Step"), tr("Use every frame (1), every second frame (2), and so on"), 1, std::max(1, end),
                     static_cast<int>(playback.stride));
  rate_ = new QDoubleSpinBox;
  rate_->setAccessibleName(tr("Frames per second"));
  rate_->setToolTip(tr("Playback speed of the movie"));
  rate_->setRange(0.1, 240);
  rate_->setDecimals(1);
  rate_->setValue(playback.frames_per_second);
  rate_->setFocusPolicy(Qt::StrongFocus);
  const QString pixels = QStringLiteral("\u202fpx");
  const QString cost = tr("Must be even; twice the pixels take twice the time");
  width_ = make_count(tr("Width"), cost, 64, 7680, std::clamp(size.width(), 64, 7680) / 2 * 2);
  height_ = make_count(tr("Height"), cost, 64, 4320, std::clamp(size.height(), 64, 4320) / 2 * 2);
  for (QSpinBox* side : {width_, height_}) {
    side->setSuffix(pixels);
    side->setSingleStep(2);
  }
  add_row(form, tr("&First frame"), first_);
  add_row(form, tr("&Last frame"), last_);
  add_row(form, tr("S&tep"), step_);
  add_row(form, tr("Frames per &second"), rate_);
  add_row(form, tr("&Width"), width_);
  add_row(form, tr("&Height"), height_);
  summary_ = new QLabel;
  summary_->setAccessibleName(tr("Summary of the movie"));
  summary_->setWordWrap(true);
  preview_ = new QPushButton(tr("&Preview"));
  preview_->setToolTip(tr("Play these frames in the 3D view at the speed of the movie; click again to stop"));
  preview_->setCheckable(true);
  export_ = new QPushButton(tr("&Export..."));
  export_->setToolTip(
      tr("Choose a file and render the movie in the background. A cancelled export continues\nwhen you export to the "
         "same file again"));
  export_->setDefault(true);
  preview_->setAutoDefault(false);
  auto* leave = new QPushButton(tr("&Close"));
  leave->setToolTip(tr("Close without exporting"));
  leave->setAutoDefault(false);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(preview_);
  bottom->addStretch(1);
  bottom->addWidget(export_);
  bottom->addWidget(leave);
  for (QPushButton* button : {preview_, export_, leave})
    button->setAccessibleName(button->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(top);
  layout->addWidget(summary_);
  layout->addLayout(bottom);

  for (QSpinBox* box : {first_, last_, step_, width_, height_})
    connect(box, &QSpinBox::valueChanged, this, &FilmDialog::show_summary);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, &FilmDialog::show_summary);
  connect(leave, &QPushButton::clicked, this, &QDialog::close);
  connect(export_, &QPushButton::clicked, this, [this] {
    end_preview();
    Q_EMIT chosen(options());
    close();
  });
  connect(preview_, &QPushButton::toggled, this, [this](bool on) { on ? begin_preview() : end_preview(); });
  connect(&timer_, &QTimer::timeout, this, [this] {
    const FilmOptions film = options();
    if (++shown_ >= film.count()) {
      end_preview();
      return;
    }
    controller_.touch([&](Scene& scene) { scene.frame = film.first + shown_ * film.step; });
  });
  connect(this, &QDialog::finished, this, &FilmDialog::end_preview);
  show_summary();
}

FilmOptions FilmDialog::options() const {
  FilmOptions film;
  film.first = static_cast<std::size_t>(first_->value());
  film.last = static_cast<std::size_t>(last_->value());
  film.step = static_cast<std::size_t>(step_->value());
  film.frames_per_second = rate_->value();
  film.size = {width_->value() / 2 * 2, height_->value() / 2 * 2};
  return film;
}

void FilmDialog::show_summary() {
  const FilmOptions film = options();
  const auto count = static_cast<double>(film.count());
  summary_->setText(film.count() == 0
                        ? tr("The last frame is before the first")
                        : tr("%1 frames, %2 s").arg(film.count()).arg(count / film.frames_per_second, 0, 'f', 1));
  export_->setEnabled(film.count() > 0);
  preview_->setEnabled(film.count() > 1);
  if (timer_.isActive()) timer_.setInterval(qRound(1000 / film.frames_per_second));
}

void FilmDialog::begin_preview() {
  const FilmOptions film = options();
  before_ = controller_.scene().frame;
  shown_ = 0;
  controller_.touch([&](Scene& scene) { scene.frame = film.first; });
  timer_.start(std::max(1, qRound(1000 / film.frames_per_second)));
}

void FilmDialog::end_preview() {
  if (!timer_.isActive()) return;
  timer_.stop();
  preview_->setChecked(false);
  controller_.touch([&](Scene& scene) { scene.frame = before_; });
}

}  // namespace isolume
