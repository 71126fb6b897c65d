// The line at the foot of the window.
#include "app/window/shell/status_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace isolume {

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
  setAccessibleName(tr("Status"));
  setSizeGripEnabled(false);
  atom_ = make(tr("Atom under the pointer"));
  atom_->setToolTip(tr("Chain/residue number/atom and its position in angstrom"));
  atom_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  atom_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long name does not widen the window
  task_ = new QWidget(this);
  task_->setAccessibleName(tr("Running"));
  what_ = make(tr("Current task"));
  bar_ = new QProgressBar(task_);
  bar_->setAccessibleName(tr("Progress"));
  bar_->setToolTip(tr("Progress of the current task"));
  bar_->setFixedWidth(120);
  bar_->setMaximumHeight(12);
  bar_->setTextVisible(false);
  cancel_ = new QToolButton(task_);
  cancel_->setText(tr("Cancel"));
  cancel_->setAccessibleName(tr("Cancel the current task"));
  cancel_->setToolTip(tr("Stop and keep the previous result (Esc)"));
  cancel_->setFocusPolicy(Qt::StrongFocus);
  connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancel);
  auto* layout = new QHBoxLayout(task_);
  layout->setContentsMargins(0, 0, 6, 0);
  layout->setSpacing(8);
  layout->addWidget(what_);
  layout->addWidget(bar_);
  layout->addWidget(cancel_);
  rate_ = make(tr("Frame rate"));
  rate_->setToolTip(tr("Frames per second while moving"));
  refining_ = make(tr("State of the picture"));
  note_ = make(tr("State of the surfaces"));
  device_ = make(tr("Device"));
  addWidget(atom_, 1);
  addPermanentWidget(task_);
  addPermanentWidget(rate_);
  addPermanentWidget(refining_);
  addPermanentWidget(note_);
  addPermanentWidget(device_);
  // Room for the task is kept: a line that changes its height would make the view change its size.
  setMinimumHeight(std::max(sizeHint().height(), cancel_->sizeHint().height() + 4));
  task_->hide();
  note_->hide();
  refining_->hide();
  rate_->hide();
}

QLabel* StatusLine::make(const QString& name) {
  auto* label = new QLabel(this);
  label->setAccessibleName(name);
  label->setToolTip(name);
  label->setTextFormat(Qt::PlainText);
  label->setContentsMargins(6, 0, 6, 0);
  return label;
}

void StatusLine::show_atom(const QString& text) {
  if (text != atom_->text()) atom_->setText(text);
}

void StatusLine::show_task(const QString& key, const QString& what, double fraction) {
  if (what.isEmpty()) {
    if (tasks_.erase(key) == 0) return;
  } else {
    tasks_[key] = {what, fraction};
  }
  refresh();
}

void StatusLine::refresh() {
  const bool any = !tasks_.empty();
  if (any) {
    const Task& task = tasks_.begin()->second;
    QString text = task.what;
    if (tasks_.size() > 1) text += tr(" and %1 more").arg(tasks_.size() - 1);
    if (text != what_->text()) what_->setText(text);
    const bool known = task.fraction >= 0;
    if ((bar_->maximum() == 0) == known) bar_->setRange(0, known ? 100 : 0);
    if (known) bar_->setValue(static_cast<int>(100 * task.fraction));
  }
  if (task_->isVisibleTo(this) != any) task_->setVisible(any);
  // A path-traced picture begins where the refined one is done.
  const QString state = finer_comes_ ? tr("Refining...") : traced_;
  if (state != refining_->text()) refining_->setText(state);
  refining_->setToolTip(finer_comes_ ? tr("A finer picture is being drawn") : traced_tip_);
  refining_->setVisible(!state.isEmpty() && !any);
}

void StatusLine::show_device(const QString& device, const QString& tip) {
  device_->setText(device);
  device_->setToolTip(tip);
}

void StatusLine::show_note(const QString& note) {
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

void StatusLine::show_refining(bool on) {
  finer_comes_ = on;
  refresh();
}

void StatusLine::show_traced(const QString& text, const QString& tip) {
  if (text == traced_ && tip == traced_tip_) return;
  traced_ = text;
  traced_tip_ = tip;
  refresh();
}

void StatusLine::show_frame_rate(double fps) {
  rate_->setVisible(fps > 0);
  if (fps > 0) rate_->setText(tr("%1 fps").arg(qRound(fps)));
}

}  // namespace isolume
