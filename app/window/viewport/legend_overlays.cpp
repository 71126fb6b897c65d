// The legends over the picture, or over each of its tiles.
#include "app/window/viewport/legend_overlays.h"

#include <QEvent>
#include <utility>

#include "app/window/viewport/legend_overlay.h"
#include "app/window/viewport/viewport.h"

namespace isolume {

LegendOverlays::LegendOverlays(Viewport* viewport) : QObject(viewport), viewport_(viewport) {
  overlays_ += new LegendOverlay(viewport);
  viewport->installEventFilter(this);
}

void LegendOverlays::set_legends(std::vector<std::vector<FieldLegend>> legends, bool dark, double points) {
  legends_ = std::move(legends);
  while (overlays_.size() < static_cast<qsizetype>(legends_.size())) overlays_ += new LegendOverlay(viewport_);
  while (overlays_.size() > 1 && overlays_.size() > static_cast<qsizetype>(legends_.size()))
    delete overlays_.takeLast();
  place();
  for (qsizetype i = 0; i < overlays_.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::vector<FieldLegend> shown = at < legends_.size() ? legends_[at] : std::vector<FieldLegend>();
    for (FieldLegend& legend : shown) {  // as the picture next to them
      if (viewport_->vision() == ColourVision::full) break;
      for (glm::vec3& colour : legend.colours) colour = seen_colour(colour, viewport_->vision());
      for (auto& entry : legend.entries) entry.second = seen_colour(entry.second, viewport_->vision());
    }
    overlays_[i]->set_legends(std::move(shown), dark, points);
  }
}

void LegendOverlays::place() {
  const bool tiled = viewport_->view() && !viewport_->view()->tiles.empty();
  for (qsizetype i = 0; i < overlays_.size(); ++i)
    overlays_[i]->set_room(tiled ? viewport_->tile_rect(static_cast<std::size_t>(i)).toRect() : QRect());
}

bool LegendOverlays::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QObject::eventFilter(watched, event);
}

}  // namespace isolume
