// A window with the panel of orbitals.
#pragma once

#include <QDockWidget>

#include "app/window/panels/orbital_panel.h"
#include "tests/app/window/fixture.h"
#include "tests/support/data.h"

namespace isolume::test {

class OrbitalPanelTest : public WindowTest {
 protected:
  OrbitalPanel& panel() { return window_->orbitals(); }
  const Scene& scene() { return window_->controller().scene(); }
  void go_to(std::size_t frame) {
    window_->controller().touch([frame](Scene& s) { s.frame = frame; });
  }
  void raise() {
    for (QWidget* w = &panel(); w != nullptr; w = w->parentWidget()) {
      if (auto* dock = qobject_cast<QDockWidget*>(w)) dock->raise();
    }
    QCoreApplication::processEvents();
  }
  bool open_water() { return open({QString::fromStdString(data("window/water.molden"))}); }
  /// Row of the table that is chosen, as the orbital's number.
  int chosen_number() {
    const QModelIndex index = panel().table()->currentIndex();
    return index.sibling(index.row(), OrbitalModel::number_column).data().toInt();
  }
};

inline std::string ethylene() {
  return shared_data("qm-computed/ethylene_torsion");
}

}  // namespace isolume::test
