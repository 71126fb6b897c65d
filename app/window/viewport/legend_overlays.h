// The legends over the picture, or over each of its tiles.
#pragma once

#include <QList>
#include <QObject>
#include <vector>

#include "app/fields/fields.h"

namespace isolume {

class LegendOverlay;
class Viewport;

/// One LegendOverlay for the picture or for each tile, in its lower left corner.
class LegendOverlays : public QObject {
  Q_OBJECT
 public:
  explicit LegendOverlays(Viewport* viewport);

  /// The legends of every tile, or of the whole picture. `dark` says that the background under them is;
  /// `points`: size of the letters, 0 for the usual one.
  void set_legends(std::vector<std::vector<FieldLegend>> legends, bool dark, double points = 0);
  const std::vector<std::vector<FieldLegend>>& legends() const { return legends_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  Viewport* viewport_;
  QList<LegendOverlay*> overlays_;  ///< the first is always there
  std::vector<std::vector<FieldLegend>> legends_;
};

}  // namespace isolume
