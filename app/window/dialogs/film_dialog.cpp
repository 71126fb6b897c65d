// The dialog that exports a film: which frames, how fast, how large; with a preview.
#include "app/window/dialogs/film_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "app/scene/movie.h"
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

QDoubleSpinBox* make_measure(const QString& what, const QString& tip, double lowest, double highest, double value) {
  auto* box = new QDoubleSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(lowest, highest);
  box->setDecimals(1);
  box->setValue(value);
  box->setFocusPolicy(Qt::StrongFocus);
  return box;
}

/// Shows the scene at a picture of the movie.
void show_picture(SceneController& controller, const MoviePicture& picture, const Camera& camera,
                  const CameraMotion& motion) {
  controller.touch([&](Scene& scene) {
    scene.frame = picture.frame;
    if (motion.kind != CameraMotion::Kind::none) scene.camera = moved(camera, motion, picture.part);
  });
}

}  // namespace

std::vector<std::size_t> FilmOptions::frames() const {
  std::vector<std::size_t> frames;
  for (std::size_t frame = first; frame <= last; frame += std::max<std::size_t>(1, step)) frames.push_back(frame);
  return frames;
}

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
  const bool keyed = controller_.scene().keys.size() > 1;
  keys_ = new QCheckBox(tr("&Key frames of the panel Movie"));
  keys_->setAccessibleName(tr("Key frames"));
  keys_->setToolTip(tr("Make the movie of the key frames, which choose camera, frames and what is shown"));
  keys_->setChecked(keyed);
  keys_->setVisible(keyed);
  first_ = make_count(tr("First frame"), tr("Frames are counted from 0"), 0, end, 0);
  last_ = make_count(tr("Last frame"), tr("The last frame is included"), 0, end, end);
  step_ = make_count(tr("Step"), tr("Use every frame (1), every second frame (2), and so on"), 1, std::max(1, end),
                     static_cast<int>(playback.stride));
  rate_ =
      make_measure(tr("Frames per second"), tr("Playback speed of the movie"), 0.1, 240, playback.frames_per_second);
  format_ = make_box(tr("Format"), {}, {});
  const std::pair<const char*, QString> formats[] = {
      {"mp4", tr("MP4 (H.264)")}, {"webm", tr("WebM (VP9)")}, {"gif", tr("GIF (256 colours)")}, {"apng", tr("APNG")}};
  for (const auto& [ending, name] : formats) format_->addItem(name, QLatin1String(ending));
  format_->setToolTip(tr("MP4 and WebM are smallest; GIF and APNG play in browsers and slides without a player"));
  const bool several = end > 0;
  motion_ = make_box(
      tr("Camera"), tr("Keep the camera still, turn the scene once about the vertical axis, or swing it to both sides"),
      {tr("Still"), tr("Turntable"), tr("Rock")});
  motion_->setCurrentIndex(several || keyed ? 0 : 1);
  direction_ = make_box(tr("Direction"), tr("Direction in which the front of the molecule moves first"),
                        {tr("Right"), tr("Left")});
  angle_ = make_measure(tr("Angle"), tr("How far a rock swings to each side"), 0.1, 180, 30);
  angle_->setSuffix(QStringLiteral("\u00b0"));
  seconds_ = make_measure(
      tr("Duration"),
      several ? tr("Length of the movie; 0: one picture for each frame of the trajectory") : tr("Length of the movie"),
      several ? 0 : 0.1, 3600, several ? 0 : 6);
  seconds_->setSuffix(tr(" s"));
  const QString pixels = QStringLiteral("\u202fpx");
  const QString cost = tr("Must be even; twice the pixels take twice the time");
  width_ = make_count(tr("Width"), cost, 64, 7680, std::clamp(size.width(), 64, 7680) / 2 * 2);
  height_ = make_count(tr("Height"), cost, 64, 4320, std::clamp(size.height(), 64, 4320) / 2 * 2);
  for (QSpinBox* side : {width_, height_}) {
    side->setSuffix(pixels);
    side->setSingleStep(2);
  }
  if (keyed) {
    add_wide_row(form, keys_);
  } else {
    keys_->setParent(top);
  }
  add_row(form, tr("&First frame"), first_);
  add_row(form, tr("&Last frame"), last_);
  add_row(form, tr("S&tep"), step_);
  add_row(form, tr("Frames per &second"), rate_);
  add_row(form, tr("F&ormat"), format_);
  add_row(form, tr("Ca&mera"), motion_);
  add_row(form, tr("D&irection"), direction_);
  add_row(form, tr("&Angle"), angle_);
  add_row(form, tr("D&uration"), seconds_);
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
  for (QDoubleSpinBox* box : {rate_, angle_, seconds_})
    connect(box, &QDoubleSpinBox::valueChanged, this, &FilmDialog::show_summary);
  for (QComboBox* box : {motion_, direction_, format_})
    connect(box, &QComboBox::currentIndexChanged, this, &FilmDialog::show_summary);
  connect(keys_, &QCheckBox::toggled, this, &FilmDialog::show_summary);
  connect(leave, &QPushButton::clicked, this, &QDialog::close);
  connect(export_, &QPushButton::clicked, this, [this] {
    end_preview();
    Q_EMIT chosen(options());
    close();
  });
  connect(preview_, &QPushButton::toggled, this, [this](bool on) { on ? begin_preview() : end_preview(); });
  connect(&timer_, &QTimer::timeout, this, [this] {
    const FilmOptions film = options();
    const std::vector<MoviePicture> pictures = film.pictures();
    if (++shown_ >= pictures.size()) {
      end_preview();
      return;
    }
    show_shot(pictures[shown_], film);
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
  film.format = format_->currentData().toString();
  film.motion.kind = static_cast<CameraMotion::Kind>(motion_->currentIndex());
  film.motion.left = direction_->currentIndex() == 1;
  film.motion.angle = angle_->value();
  film.motion.seconds = seconds_->value();
  film.keys = keys_->isChecked();
  film.key_seconds = movie_length(controller_.scene());
  return film;
}

void FilmDialog::show_summary() {
  const FilmOptions film = options();
  const bool moves = film.motion.kind != CameraMotion::Kind::none;
  direction_->setEnabled(moves);
  angle_->setEnabled(film.motion.kind == CameraMotion::Kind::rock);
  seconds_->setEnabled(moves && !film.keys);
  for (QSpinBox* box : {first_, last_, step_}) box->setEnabled(controller_.frame_count() > 1 && !film.keys);
  const std::size_t count = film.pictures().size();
  // A still picture of one structure is no movie.
  const bool possible = count > 0 && (moves || film.keys || controller_.frame_count() > 1);
  const bool too_fast = film.format == QLatin1String("gif") && film.frames_per_second > 50;
  summary_->setText(
      too_fast     ? tr("GIF has at most 50 frames per second")
      : count == 0 ? tr("The last frame is before the first")
      : !possible
          ? tr("One picture: choose a turntable or a rock")
          : tr("%1 frames, %2 s").arg(count).arg(static_cast<double>(count) / film.frames_per_second, 0, 'f', 1));
  export_->setEnabled(possible && !too_fast);
  preview_->setEnabled(count > 1);
  if (timer_.isActive()) timer_.setInterval(qRound(1000 / film.frames_per_second));
}

void FilmDialog::begin_preview() {
  const FilmOptions film = options();
  before_ = controller_.scene().frame;
  camera_ = controller_.scene().camera;
  shown_ = 0;
  moves_ = false;
  keyed_ = controller_.scene();
  show_shot(film.pictures().front(), film);
  timer_.start(std::max(1, qRound(1000 / film.frames_per_second)));
}

void FilmDialog::show_shot(const MoviePicture& picture, const FilmOptions& film) {
  if (film.keys) {
    Scene shown = scene_of(keyed_, picture, film.motion);
    shown.keys = keyed_.keys;
    controller_.preview(std::move(shown));
    return;
  }
  moves_ = moves_ || film.motion.kind != CameraMotion::Kind::none;
  show_picture(controller_, picture, camera_, film.motion);
}

void FilmDialog::end_preview() {
  if (!timer_.isActive()) return;
  timer_.stop();
  preview_->setChecked(false);
  controller_.end_preview();
  controller_.touch([&](Scene& scene) {
    scene.frame = before_;
    if (moves_) scene.camera = camera_;
  });
}

}  // namespace isolume
