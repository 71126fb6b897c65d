// A tour of the window in a few steps.
#include "app/window/help/tour.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace isolume {

Tour::Tour(std::vector<Step> steps, QWidget* window) : QWidget(window), steps_(std::move(steps)) {
  setObjectName(QStringLiteral("tour"));
  setAccessibleName(tr("Tour"));
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_DeleteOnClose);
  bubble_ = new QFrame(this);
  bubble_->setAccessibleName(tr("Step of the tour"));
  bubble_->setFrameShape(QFrame::StyledPanel);
  bubble_->setAutoFillBackground(true);
  bubble_->setBackgroundRole(QPalette::Base);
  bubble_->setFixedWidth(340);
  title_ = new QLabel(bubble_);
  QFont font = title_->font();
  font.setBold(true);
  font.setPointSizeF(1.15 * font.pointSizeF());
  title_->setFont(font);
  text_ = new QLabel(bubble_);
  text_->setWordWrap(true);
  count_ = new QLabel(bubble_);
  count_->setForegroundRole(QPalette::PlaceholderText);
  for (QLabel* label : {title_, text_, count_}) label->setTextFormat(Qt::PlainText);
  const auto button = [this](const QString& text, const QString& tip) {
    auto* made = new QPushButton(text, bubble_);
    made->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    made->setToolTip(tip);
    return made;
  };
  skip_ = button(tr("&Skip"), tr("Close the tour (Esc); reopen it from Help"));
  back_ = button(tr("&Back"), tr("Previous step"));
  next_ = button(tr("&Next"), tr("Next step"));
  next_->setDefault(true);
  auto* row = new QHBoxLayout;
  row->addWidget(count_);
  row->addStretch(1);
  for (QPushButton* made : {skip_, back_, next_}) row->addWidget(made);
  auto* layout = new QVBoxLayout(bubble_);
  layout->setContentsMargins(16, 14, 16, 12);
  layout->setSpacing(8);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addSpacing(4);
  layout->addLayout(row);
  connect(skip_, &QPushButton::clicked, this, &QWidget::close);
  connect(back_, &QPushButton::clicked, this, [this] { go(step_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { go(step_ + 1); });
  window->installEventFilter(this);
  setGeometry(window->rect());
  show();
  raise();
  go(0);
}

void Tour::go(int step) {
  if (step >= static_cast<int>(steps_.size())) {
    close();
    return;
  }
  step_ = std::max(0, step);
  const Step& now = steps_[static_cast<std::size_t>(step_)];
  target_ = now.target ? now.target() : nullptr;
  title_->setText(now.title);
  text_->setText(now.text);
  title_->setAccessibleName(now.title);
  text_->setAccessibleName(now.text);
  count_->setText(tr("%1 of %2").arg(step_ + 1).arg(steps_.size()));
  count_->setAccessibleName(count_->text());
  back_->setEnabled(step_ > 0);
  next_->setText(step_ + 1 < static_cast<int>(steps_.size()) ? tr("&Next") : tr("&Done"));
  next_->setFocus();
  raise();
  place();
  // What was just shown gets its place with the next turn of the event loop.
  QTimer::singleShot(0, this, &Tour::place);
}

void Tour::place() {
  bubble_->adjustSize();
  const QSize size = bubble_->size();
  QPoint at = rect().center() - QPoint(size.width() / 2, size.height() / 2);
  if (target_) {
    const QRect bright(mapFromGlobal(target_->mapToGlobal(QPoint())), target_->size());
    // Next to the target where there is room, else inside it.
    if (bright.left() > size.width() + 24) {
      at = QPoint(bright.left() - size.width() - 16, bright.top() + 24);
    } else if (bright.top() > size.height() + 24) {
      at = QPoint(bright.center().x() - size.width() / 2, bright.top() - size.height() - 16);
    } else {
      at = QPoint(bright.center().x() - size.width() / 2, bright.center().y() - size.height() / 2);
    }
  }
  at.setX(std::clamp(at.x(), 8, std::max(8, width() - size.width() - 8)));
  at.setY(std::clamp(at.y(), 8, std::max(8, height() - size.height() - 8)));
  bubble_->move(at);
  update();
}

bool Tour::event(QEvent* event) {
  // Esc leaves the tour before it is taken for the window's own Esc.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void Tour::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath dim;
  dim.addRect(rect());
  QRectF bright;
  if (target_) {
    bright = QRectF(mapFromGlobal(target_->mapToGlobal(QPoint())), QSizeF(target_->size())).adjusted(-4, -4, 4, 4);
    QPainterPath hole;
    hole.addRoundedRect(bright, 8, 8);
    dim = dim.subtracted(hole);
  }
  painter.fillPath(dim, QColor(0, 0, 0, 120));
  // The edge of the box, which has the window's own colour in a dark theme.
  const QColor text = palette().color(QPalette::Text), base = palette().color(QPalette::Base);
  painter.setPen(QPen(QColor((text.red() + 2 * base.red()) / 3, (text.green() + 2 * base.green()) / 3,
                             (text.blue() + 2 * base.blue()) / 3),
                      2));
  painter.drawRect(QRectF(bubble_->geometry()).adjusted(-1, -1, 1, 1));
  if (!bright.isEmpty()) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRoundedRect(bright, 8, 8);
  }
}

void Tour::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    close();
  } else if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Return) {
    go(step_ + 1);
  } else if (event->key() == Qt::Key_Left) {
    go(step_ - 1);
  } else {
    QWidget::keyPressEvent(event);
  }
}

bool Tour::eventFilter(QObject* object, QEvent* event) {
  if (object == parent() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    place();
  }
  return QWidget::eventFilter(object, event);
}

}  // namespace isolume
