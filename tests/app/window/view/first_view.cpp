// What is seen first, and in narrow views: sessions without a camera, legends with long titles.
#include <QFile>

#include "app/view/scene_extent.h"
#include "app/window/live/file_loader.h"
#include "app/window/shell/message_bar.h"
#include "tests/app/window/potential_test.h"

namespace isolume::test {
namespace {

class FirstViewTest : public WindowTest {};

TEST_F(FirstViewTest, ASessionWithoutACameraShowsAllOfIt) {
  // A molecule far from the origin, and a surface around it.
  QFile molecule(temporary(QStringLiteral("far.xyz")));
  ASSERT_TRUE(molecule.open(QIODevice::WriteOnly));
  molecule.write("3\nfar\nO 100 20 0\nO 130 20 0\nO 115 45 0\n");
  molecule.close();
  QFile session(temporary(QStringLiteral("far.isolume")));
  ASSERT_TRUE(session.open(QIODevice::WriteOnly));
  session.write(R"({"format": "isolume-scene", "version": 2, "molecules": [{"paths": ["far.xyz"]}],
                    "fields": [{"kind": "solvent accessible", "both_signs": false}]})");
  session.close();
  bool opened = false;
  QObject::connect(&window_->loader(), &FileLoader::session_opened, [&] { opened = true; });
  window_->open_files({session.fileName()});
  ASSERT_TRUE(wait_until([&] { return opened; }));
  ASSERT_TRUE(wait_for_picture());
  const Camera camera = window_->controller().scene().camera;
  EXPECT_LT(glm::distance(camera.centre, glm::dvec3(115, 32.5, 0)), 4);
  // In the middle and large: the picture's edge has background alone, most of its width has not.
  const Image seen = shot();
  const auto pixel = [&](int x, int y) {
    const auto* p = &seen.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(seen.width) +
                                    static_cast<std::size_t>(x))];
    return glm::ivec3(p[0], p[1], p[2]);
  };
  const auto differs = [&](int x, int y) {
    const glm::ivec3 d = glm::abs(pixel(x, y) - pixel(0, y));
    return d.x + d.y + d.z > 24;
  };
  int low = seen.height, high = -1, left = seen.width, right = -1;
  for (int y = 0; y < seen.height; ++y)
    for (int x = 0; x < seen.width; ++x)
      if (differs(x, y)) {
        low = std::min(low, y), high = std::max(high, y);
        left = std::min(left, x), right = std::max(right, x);
      }
  EXPECT_GT(low, 0);
  EXPECT_LT(high, seen.height - 1);
  EXPECT_GT(left, 0);
  EXPECT_LT(right, seen.width - 1);
  EXPECT_GT(std::max(double(high - low) / seen.height, double(right - left) / seen.width), 0.6);
}

TEST_F(FirstViewTest, ALongTitleIsBrokenInANarrowView) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  FieldLegend legend;
  legend.title = "mean, faded where it is within twice its standard error, of three words";
  legend.unit = "V";
  legend.lower = -1;
  legend.upper = 1;
  legend.colours = {glm::vec3(1, 0, 0), glm::vec3(0, 0, 1)};
  LegendOverlay& overlay = *legends(*window_);
  overlay.set_room(QRect(0, 0, 1200, 500));
  overlay.set_legends({legend}, false);
  const int wide = overlay.height();
  overlay.set_room(QRect(0, 0, 260, 500));
  EXPECT_LE(overlay.width(), 260);
  EXPECT_GT(overlay.height(), wide) << "another line";
  // The error and where it was measured are a line more.
  const int without = overlay.height();
  legend.error = 0.01;
  legend.relative_error = 0.002;
  legend.error_points = 500;
  overlay.set_legends({legend}, false);
  EXPECT_GT(overlay.height(), without);
}

}  // namespace
}  // namespace isolume::test
