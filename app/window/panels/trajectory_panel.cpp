// The panel that plays a trajectory.
#include "app/window/panels/trajectory_panel.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "app/models/labels.h"
#include "app/scene/scene_commands.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/panel_form.h"
#include "compute/trajectory/smoothed_trajectory.h"

namespace isolume {

TrajectoryPanel::TrajectoryPanel(SceneController& controller, Player& player, QWidget* parent)
    : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Trajectory"));
  first_ = make(QStringLiteral("first"), tr("First frame (Home)"));
  previous_ = make(QStringLiteral("previous"), tr("Previous frame (Left)"));
  play_ = make(QStringLiteral("play"), tr("Play (Space)"));
  next_ = make(QStringLiteral("next"), tr("Next frame (Right)"));
  last_ = make(QStringLiteral("last"), tr("Last frame (End)"));
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setAccessibleName(tr("Frame"));
  slider_->setToolTip(tr("Current frame"));
  slider_->setMinimumWidth(120);  // else the fields next to it leave it nothing
  number_ = new QSpinBox(this);
  number_->setAccessibleName(tr("Frame number"));
  number_->setToolTip(tr("Current frame, counted from 0 as in scripts and on the command line"));
  number_->setKeyboardTracking(false);
  number_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  number_->setAlignment(Qt::AlignRight);
  label_ = new QLabel(this);
  label_->setAccessibleName(tr("Last frame and time"));
  label_->setToolTip(tr("Last frame, and the time of the current one in picoseconds if the file has it"));
  speed_ = new QDoubleSpinBox(this);
  speed_->setAccessibleName(tr("Speed"));
  speed_->setToolTip(tr("Frames per second; frames are skipped if drawing is slower"));
  speed_->setRange(0.5, 240);
  speed_->setDecimals(1);
  speed_->setSuffix(tr(" fps"));
  speed_->setKeyboardTracking(false);
  stride_ = new QSpinBox(this);
  stride_->setAccessibleName(tr("Stride"));
  stride_->setToolTip(tr("Show every n-th frame"));
  stride_->setRange(1, 100000);
  stride_->setKeyboardTracking(false);
  smoothing_ = new QSpinBox(this);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(
      tr("Smooth the motion: average each frame with this many before and after it.\nFor the picture only: plots, "
         "measured values and exported data keep the frames of the file"));
  smoothing_->setRange(0, static_cast<int>(most_smoothing));
  smoothing_->setSpecialValueText(tr("Off"));
  smoothing_->setPrefix(QStringLiteral("\u00b1"));
  smoothing_->setKeyboardTracking(false);
  loop_ = make_box(tr("At the end"), tr("Behaviour at the last frame"), loop_labels());

  range_ = new QToolButton(this);
  range_->setToolTip(tr("Only these frames are played, as selected in the Plots panel; click to play all"));
  range_->setAccessibleName(tr("Play all frames"));
  range_->setFocusPolicy(Qt::StrongFocus);
  range_->setVisible(false);
  connect(range_, &QToolButton::clicked, &player, [&player] { player.set_range(std::nullopt); });
  connect(&player, &Player::range_changed, this, [this, &player] { show_range(player); });

  // In narrow windows the second part goes under the first.
  parts_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
  parts_->setContentsMargins(10, 6, 10, 8);
  parts_->setSpacing(4);
  parts_->setSizeConstraint(QLayout::SetNoConstraint);
  auto* layout = new QHBoxLayout;
  layout->setSpacing(2);
  for (QToolButton* button : {first_, previous_, play_, next_, last_}) layout->addWidget(button);
  layout->addSpacing(8);
  layout->addWidget(slider_, 1);
  layout->addSpacing(10);
  layout->addWidget(number_);
  layout->addSpacing(4);
  layout->addWidget(label_);
  layout->addSpacing(6);
  layout->addWidget(range_);
  auto* more = new QHBoxLayout;
  more->setSpacing(2);
  const auto labelled = [](QHBoxLayout* row, const QString& text, QWidget* field) {
    row->addWidget(form_label(text, field));
    row->addSpacing(4);
    row->addWidget(field);
    row->addSpacing(10);
  };
  labelled(more, tr("Spee&d"), speed_);
  labelled(more, tr("St&ride"), stride_);
  labelled(more, tr("Sm&ooth"), smoothing_);
  // Narrow windows make these as short as their usual values, rather than being widened by them.
  const int letter = fontMetrics().averageCharWidth();
  speed_->setMinimumWidth(12 * letter);  // "20.0 fps"
  for (QWidget* field :
       {static_cast<QWidget*>(stride_), static_cast<QWidget*>(smoothing_), static_cast<QWidget*>(loop_)})
    field->setMinimumWidth(8 * letter);
  more->addWidget(loop_);
  parts_->addLayout(layout, 1);
  more->addStretch(1);
  parts_->addLayout(more);

  connect(first_, &QToolButton::clicked, &player, [&player] { player.step(-1000000); });
  connect(previous_, &QToolButton::clicked, &player, [&player] { player.step(-1); });
  connect(play_, &QToolButton::clicked, &player, &Player::toggle);
  connect(next_, &QToolButton::clicked, &player, [&player] { player.step(1); });
  connect(last_, &QToolButton::clicked, &player, [&player] { player.step(1000000); });
  const auto go = [this, &player](int frame) {
    player.pause();
    controller_.touch([frame](Scene& s) { s.frame = static_cast<std::size_t>(frame); });
  };
  connect(slider_, &QSlider::valueChanged, this, go);
  connect(number_, &QSpinBox::valueChanged, this, go);
  connect(&player, &Player::playing_changed, this, [this](bool playing) {
    play_->setIcon(icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    play_->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
    play_->setAccessibleName(play_->toolTip());
  });
  connect(speed_, &QDoubleSpinBox::valueChanged, this,
          [this](double fps) { controller_.touch([fps](Scene& s) { s.playback.frames_per_second = fps; }); });
  connect(stride_, &QSpinBox::valueChanged, this, [this](int stride) {
    controller_.touch([stride](Scene& s) { s.playback.stride = static_cast<std::uint32_t>(stride); });
  });
  connect(smoothing_, &QSpinBox::valueChanged, this, [this](int half) {
    controller_.edit(
        tr("Smooth motion"), [half](Scene& s) { smooth_motion(s, static_cast<std::uint32_t>(half)); }, true);
  });
  connect(loop_, &QComboBox::activated, this, [this](int index) {
    controller_.touch([index](Scene& s) { s.playback.loop = static_cast<Playback::Loop>(index); });
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::playback | SceneParts::frame,
                     &TrajectoryPanel::show_scene);
  show_scene(controller_.scene());
}

QSize TrajectoryPanel::minimumSizeHint() const {
  const QMargins around = parts_->contentsMargins();
  const int first = parts_->itemAt(0)->minimumSize().width(), second = parts_->itemAt(1)->minimumSize().width();
  return {around.left() + around.right() + std::max(first, second), QWidget::minimumSizeHint().height()};
}

void TrajectoryPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool TrajectoryPanel::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) arrange();
  return QWidget::event(event);
}

void TrajectoryPanel::arrange() {
  const int frame = parts_->contentsMargins().left() + parts_->contentsMargins().right() + parts_->spacing();
  // Side by side only where the second part needs not be squeezed: the slider is to be long.
  const int first = parts_->itemAt(0)->minimumSize().width(), second = parts_->itemAt(1)->sizeHint().width();
  const bool narrow = width() < first + second + frame;
  parts_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  const QMargins around = parts_->contentsMargins();
  const int high = parts_->itemAt(0)->sizeHint().height(), low = parts_->itemAt(1)->sizeHint().height();
  setFixedHeight(around.top() + around.bottom() + (narrow ? high + low + parts_->spacing() : std::max(high, low)));
}

QToolButton* TrajectoryPanel::make(const QString& picture, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(icon(picture));
  button->setIconSize(QSize(20, 20));
  button->setAutoRaise(true);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

void TrajectoryPanel::show_scene(const Scene& scene) {
  const int count = static_cast<int>(controller_.frame_count());
  const QSignalBlocker quiet_slider(slider_);
  const QSignalBlocker quiet_number(number_);
  const QSignalBlocker quiet_speed(speed_);
  const QSignalBlocker quiet_stride(stride_);
  const QSignalBlocker quiet_smoothing(smoothing_);
  slider_->setRange(0, std::max(0, count - 1));
  slider_->setPageStep(std::max(1, count / 20));
  slider_->setValue(static_cast<int>(scene.frame));
  number_->setRange(0, std::max(0, count - 1));
  number_->setValue(static_cast<int>(scene.frame));
  if (!speed_->hasFocus()) speed_->setValue(scene.playback.frames_per_second);
  if (!stride_->hasFocus()) stride_->setValue(static_cast<int>(scene.playback.stride));
  smoothing_->setValue(static_cast<int>(smoothing_of(scene)));
  loop_->setCurrentIndex(static_cast<int>(scene.playback.loop));
  setEnabled(count > 1);
  show_label();
}

void TrajectoryPanel::show_range(const Player& player) {
  const auto& range = player.range();
  range_->setVisible(range.has_value());
  if (!range) return;
  range_->setText(tr("%1 to %2 \u2715").arg(range->first).arg(range->second));
  range_->setAccessibleName(tr("Plays frames %1 to %2; play all").arg(range->first).arg(range->second));
}

void TrajectoryPanel::show_time(bool has_time, double time) {
  time_ = has_time ? tr("%1 ps").arg(time, 0, 'f', 2) : QString();
  show_label();
}

void TrajectoryPanel::show_label() {
  const std::size_t count = controller_.frame_count();
  QString text = count > 1 ? tr("/ %1").arg(count - 1) : tr("One frame");
  if (count > 1 && !time_.isEmpty()) text += QStringLiteral("   ") + time_;
  if (text == label_->text()) return;
  label_->setText(text);
  // The label grows and never shrinks, so that the slider does not jump while playing.
  label_->setMinimumWidth(std::max(label_->minimumWidth(), label_->sizeHint().width()));
}

}  // namespace isolume
