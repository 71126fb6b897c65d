// A window with a model and its density map.
#pragma once

#include <QFile>
#include <QTest>
#include <cmath>
#include <vector>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/level_rows.h"
#include "compute/density_maps/density_map.h"
#include "formats/write/write.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {

constexpr int residues = 12;

/// A bent chain of alanines without hydrogens: enough to have one best place.
inline glm::vec3 place_of_atom(int residue, int atom) {
  const float t = 0.55f * static_cast<float>(residue);
  const glm::vec3 trace(7 * std::cos(t), 7 * std::sin(t), 1.3f * static_cast<float>(residue) - 8);
  constexpr glm::vec3 parts[] = {
      {-0.9f, 0.8f, -0.6f}, {0, 0, 0}, {0.9f, 0.9f, 0.7f}, {1.0f, 2.1f, 0.8f}, {0.3f, -1.4f, 0.4f}};
  return trace + parts[atom];
}

class MapTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  FieldPanel& panel() { return window_->field_panel(); }
  LevelRows* levels() { return panel().findChild<LevelRows*>(); }
  QString picture(const QString& name, QWidget* widget) {
    const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
    if (!folder.isEmpty()) widget->grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
    return folder;
  }

  /// The chain, moved by `away`.
  QString write_model(glm::vec3 away) {
    const QString path = temporary(QStringLiteral("model.pdb"));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    constexpr const char* names[] = {"N ", "CA", "C ", "O ", "CB"};
    for (int r = 0, serial = 1; r < residues; ++r)
      for (int a = 0; a < 5; ++a, ++serial) {
        const glm::vec3 p = place_of_atom(r, a) + away;
        file.write(QString::asprintf("ATOM  %5d  %s  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", serial,
                                     names[a], r + 1, double(p.x), double(p.y), double(p.z), names[a][0])
                       .toUtf8());
      }
    return path;
  }
  /// Its map at 4 angstrom where it is not moved, with a grain of dust far off.
  QString write_map() {
    std::vector<MapAtom> atoms;
    constexpr float electrons[] = {7, 6, 6, 8, 6};
    const auto sigma = static_cast<float>(map_sigma(MapConvention::chimerax, 4, 1.7));
    for (int r = 0; r < residues; ++r)
      for (int a = 0; a < 5; ++a)
        atoms.push_back({place_of_atom(r, a), sigma, electrons[a] / std::pow(2.5066f * sigma, 3.0f)});
    Volume map;
    map.grid = Grid{{-17, -17, -18}, glm::dmat3(1.0), {35, 35, 36}};
    map.values.resize(map.grid.size());
    Job job;
    density_map(atoms, map.grid, {map.values.data(), map.values.size(), Device::cpu()}, job);
    map.values[map.grid.index(2, 2, 2)] = 2;
    map.name = "emd";
    const QString path = temporary(QStringLiteral("emd.mrc"));
    write_volume(path.toStdString(), map);
    return path;
  }
};

}  // namespace isolume::test
