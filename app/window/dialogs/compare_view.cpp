// Methods of the potential in space, side by side, turned together.
#include "app/window/dialogs/compare_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QWheelEvent>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/viewport/label_painter.h"
#include "app/window/viewport/viewport_renderer.h"
#include "app/window/widgets/post.h"

namespace isolume {

CompareView::CompareView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Compared surfaces"));
  setAccessibleDescription(tr("The methods and their differences. Shift and arrow keys rotate, F fits."));
  setToolTip(tr("Drag to rotate, scroll to zoom; all move together"));
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(480, 240);
  rest_.setSingleShot(true);
  rest_.setInterval(200);
  connect(&rest_, &QTimer::timeout, this, [this] { ask(false); });
}

CompareView::~CompareView() = default;

void CompareView::show_view(std::shared_ptr<const SceneView> view, CompareTexts texts,
                            std::unique_ptr<GlContext> context) {
  const bool first = view_ == nullptr || texts_.columns != texts.columns || texts_.rows() != texts.rows();
  view_ = std::move(view);
  texts_ = std::move(texts);
  if (!renderer_ && context) {
    const QPointer<CompareView> self(this);
    const auto post = [self](auto call) {
      isolume::post(qApp, [self, call] {
        if (self) call(*self);
      });
    };
    ViewportRenderer::Callbacks callbacks;
    callbacks.started = [](const GlInfo&) {};
    callbacks.picked = [](std::uint64_t, PickId) {};
    callbacks.failed = [post](const std::string& message) {
      post([message](CompareView& view) { Q_EMIT view.failed(to_qt(message)); });
    };
    callbacks.finished = [post](std::uint64_t number, double) {
      post([number](CompareView& view) {
        view.finished_ = number;
        view.update();
      });
    };
    renderer_ = std::make_unique<ViewportRenderer>(std::move(context), true, std::move(callbacks));
  }
  if (first && view_) fit();
  ask(false);
  update();
}

void CompareView::clear() {
  view_.reset();
  update();
}

CompareStyle CompareView::style_now() const {
  return {palette().color(QPalette::WindowText), palette().color(QPalette::Mid), palette().color(QPalette::Base),
          font()};
}

QImage CompareView::picture() const {
  return renderer_ && view_ ? renderer_->image() : QImage();
}

void CompareView::fit() {
  navigator_.set_size(tile_rect(*view_, 0, picture_rect().size(), devicePixelRatioF()).size());
  const QSizeF tile = tile_rect(*view_, 0, picture_rect().size(), devicePixelRatioF()).size();
  const double aspect = tile.width() / std::max(1.0, tile.height());
  // By the visible part; the grid reaches far beyond it.
  std::vector<glm::vec4> points;
  const auto& items = view_->tiles.empty() ? view_->items : view_->tiles.front().items;
  for (const auto& item : items) {
    const auto* surface = std::get_if<Surface>(&item->shape);
    if (!surface || !surface->mesh) continue;
    const auto& positions = surface->mesh->positions;
    const std::size_t step = 1 + positions.size() / 20'000;
    for (std::size_t i = 0; i < positions.size(); i += step) points.emplace_back(positions[i], 0.3f);
  }
  points.empty() ? navigator_.camera.fit(view_->centre, view_->radius, aspect) : navigator_.camera.fit(points, aspect);
  // The titles of a second row are in its tiles.
  if (texts_.rows() > 1)
    navigator_.camera.height *=
        tile.height() / std::max(0.5 * tile.height(), tile.height() - 2.5 * fontMetrics().height());
}

void CompareView::ask(bool fast) {
  if (!renderer_ || !view_) return;
  const QSizeF room = picture_rect().size() * devicePixelRatioF();
  ViewportRenderer::Request request;
  request.number = ++asked_;
  request.view = view_;
  request.camera = navigator_.camera;
  const QColor base = palette().color(QPalette::Base);
  const glm::vec3 background(base.redF(), base.greenF(), base.blueF());
  request.look = view_->look;
  request.look.background = request.look.background_bottom = background;
  request.width = std::max(1, qRound(room.width()));
  request.height = std::max(1, qRound(room.height()));
  request.pixel_ratio = devicePixelRatioF();
  request.fast = fast;
  renderer_->draw(std::move(request));
}

void CompareView::moved() {
  rest_.start();
  ask(true);
}

QPointF CompareView::in_tile(QPointF point) const {
  const QRectF room = picture_rect();
  return point - room.topLeft() - tile_rect(*view_, press_tile_, room.size(), devicePixelRatioF()).topLeft();
}

void CompareView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (view_) {
    CompareTexts shown = texts_;
    if (!shows_beneath()) shown.beneath.clear();
    paint_comparison(painter, QSizeF(size()), picture(), shown, style_now());
    if (hasFocus()) {
      painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
      painter.drawRect(picture_rect().adjusted(0.5, 0.5, -0.5, -0.5));
    }
  } else {
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.drawRect(picture_rect().adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(picture_rect(), Qt::AlignCenter, tr("Choose two to four methods or maps, then Compute."));
  }
}

void CompareView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (!view_) return;
  navigator_.set_size(tile_rect(*view_, 0, picture_rect().size(), devicePixelRatioF()).size());
  moved();
}

void CompareView::mousePressEvent(QMouseEvent* event) {
  if (!view_) return;
  const QRectF room = picture_rect();
  press_tile_ = tile_at(*view_, event->position() - room.topLeft(), room.size(), devicePixelRatioF());
  const Drag drag = input_.drag(event->button(), event->modifiers());
  if (drag == Drag::rotate || drag == Drag::pan || drag == Drag::zoom) {
    navigator_.begin(drag, in_tile(event->position()));
  }
  event->accept();
}

void CompareView::mouseMoveEvent(QMouseEvent* event) {
  if (view_ && navigator_.drag() != Drag::none && navigator_.move(in_tile(event->position()))) moved();
}

void CompareView::mouseReleaseEvent(QMouseEvent*) {
  navigator_.end();
}

void CompareView::mouseDoubleClickEvent(QMouseEvent*) {
  if (!view_) return;
  fit();
  moved();
}

void CompareView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (!view_ || steps == 0) return;
  const QRectF room = picture_rect();
  press_tile_ = tile_at(*view_, event->position() - room.topLeft(), room.size(), devicePixelRatioF());
  navigator_.wheel(steps, in_tile(event->position()), false);
  event->accept();
  moved();
}

void CompareView::keyPressEvent(QKeyEvent* event) {
  if (view_ && navigator_.key(event->key(), event->modifiers())) return moved();
  if (view_ && (event->key() == Qt::Key_F || event->key() == Qt::Key_R)) {
    if (event->key() == Qt::Key_R) navigator_.camera.rotation = Camera().rotation;
    fit();
    return moved();
  }
  QWidget::keyPressEvent(event);
}

void CompareView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) ask(false);
}

}  // namespace isolume
