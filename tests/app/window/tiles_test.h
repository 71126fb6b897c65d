// A window with two molecules, and their tiles.
#pragma once

#include <QFile>
#include <QTest>
#include <QTextStream>

#include "app/window/viewport/label_painter.h"
#include "render/tiles.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {

class TilesTest : public WindowTest {
 protected:
  /// Five atoms without symmetry, moved, in a file.
  QString write(const QString& name, const RigidMotion& motion, int frames = 1) {
    QFile file(temporary(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    QTextStream out(&file);
    out.setRealNumberPrecision(8);
    const char* elements[] = {"C", "O", "N", "S", "C"};
    const glm::dvec3 points[] = {{0, 0, 0}, {3, 0, 0}, {0, 5, 0}, {0, 0, 4}, {-2, 1, 1}};
    for (int f = 0; f < frames; ++f) {
      out << "5\n" << name << '\n';
      const glm::dquat tumble = glm::angleAxis(0.3 * f, glm::dvec3(0, 0, 1));
      for (int i = 0; i < 5; ++i) {
        const glm::dvec3 p = motion(tumble * points[i]);
        out << elements[i] << ' ' << p.x << ' ' << p.y << ' ' << p.z << '\n';
      }
    }
    return file.fileName();
  }
  bool open_pair() {
    return open({write(QStringLiteral("first.xyz"), {})}) && open({write(QStringLiteral("second.xyz"), far_, 4)}) &&
           window_->controller().scene().molecules.size() == 2;
  }
  /// Where an atom is seen in its tile.
  QPoint place_in_tile(PickedAtom atom) {
    const SceneView& view = *window_->viewport().view();
    for (std::size_t i = 0; i < view.tiles.size(); ++i) {
      if (view.tiles[i].object != atom.molecule + 1) continue;
      glm::vec3 position;
      EXPECT_TRUE(window_->picture().position(atom, position));
      const QRectF room = window_->viewport().tile_rect(i);
      return (room.topLeft() + project(view.tiles[i], tile_camera(window_->viewport().camera(), view.tiles[i]),
                                       glm::dvec3(position), room.size()))
          .toPoint();
    }
    return {};
  }
  void tile() {
    window_->viewport().setFocus();
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    ASSERT_EQ(window_->controller().scene().layout, Layout::tiles);
    ASSERT_TRUE(wait_for_picture());
    ASSERT_TRUE(wait_until([&] { return window_->viewport().view()->tiles.size() == 2; }));
    ASSERT_TRUE(wait_for_picture());
  }
  const RigidMotion far_{glm::normalize(glm::dquat(0.9, 0.2, -0.3, 0.1)), {60, 20, -10}};
};

}  // namespace isolume::test
