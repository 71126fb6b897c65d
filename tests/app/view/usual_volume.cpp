// How maps are shown at first: levels, signs and styles by what a map is.
#include "app/view/usual_volume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "app/documents/documents.h"
#include "app/documents/titles.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

constexpr int n = 24;
constexpr double step = 0.25;  // angstrom

/// A molecule of one volume whose values are of the distance from its middle, in bohr.
Molecule map_of(const std::string& file, const std::function<double(glm::dvec3)>& value) {
  auto volume = std::make_shared<Volume>();
  volume->name = "a line of a header";
  volume->grid.step = glm::dmat3(step);
  volume->grid.origin = glm::dvec3(-0.5 * step * (n - 1));
  volume->grid.counts = glm::ivec3(n);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        volume->values.push_back(static_cast<float>(value(volume->grid.point(i, j, k) / units::bohr_in_angstrom)));
  Molecule molecule;
  molecule.paths = {"/folder/" + file};
  molecule.volumes.push_back(std::move(volume));
  return molecule;
}

Field shown(const Molecule& molecule, bool with_atoms = false) {
  Field field;
  field.kind = Field::Kind::volume;
  show_usually(field, molecule, with_atoms);
  return field;
}

TEST(UsualVolume, AnElectronDensityIsAtATwentieth) {
  // Of hydrogen-like 1s electrons of charge 6: 137 at the nucleus.
  const Field field = shown(map_of("molecule_density.cube",
                                   [](glm::dvec3 p) {
                                     return 216 / 3.14159265358979 * 2 * std::exp(-12 * glm::length(p)) +
                                            0.2 * std::exp(-1.5 * glm::length(p));
                                   }),
                            true);
  EXPECT_DOUBLE_EQ(field.isovalue, 0.02);
  EXPECT_FALSE(field.both_signs);
  EXPECT_LT(field.opacity, 1);
}

TEST(UsualVolume, AnOrbitalHasBothSigns) {
  // Slater's 2pz of exponent 1, normalised: its square integrates to 1.
  const Field field = shown(map_of("mo.cube", [](glm::dvec3 p) {
    return std::sqrt(1.6 * 1.6 * 1.6 * 1.6 * 1.6 / 3.14159265358979) * p.z * std::exp(-1.6 * glm::length(p));
  }));
  EXPECT_TRUE(field.both_signs);
  EXPECT_DOUBLE_EQ(field.isovalue, 0.05);
}

TEST(UsualVolume, ImagesHaveOneSignAndCrystalsAMeshAtOneAndAHalfSigma) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(2, 0.5);
  Molecule image = map_of("emd_1234.map", [&](glm::dvec3) { return noise(random); });
  const Field one = shown(image);
  EXPECT_FALSE(one.both_signs);
  EXPECT_NEAR(one.isovalue, 2 + 3 * 0.5, 0.06) << "mean and three deviations, to two digits";
  EXPECT_EQ(one.style, Surface::Style::solid);
  std::normal_distribution<double> difference(0, 0.5);
  const Field mesh = shown(map_of("1abc.ccp4.gz", [&](glm::dvec3) { return difference(random); }));
  EXPECT_EQ(mesh.style, Surface::Style::wireframe);
  EXPECT_FALSE(mesh.both_signs);
  EXPECT_NEAR(mesh.isovalue, 1.5 * 0.5, 0.03);
  const Field both = shown(map_of("1abc_fofc.map", [&](glm::dvec3) { return difference(random); }));
  EXPECT_TRUE(both.both_signs);
  EXPECT_NEAR(both.isovalue, 1.5, 0.06);
  EXPECT_FALSE(shown(map_of("1abc_2fofc.map", [&](glm::dvec3) { return difference(random); })).both_signs);
}

TEST(UsualVolume, APotentialHasBothSignsByItsUnit) {
  Molecule map = map_of("apbs.dx", [](glm::dvec3 p) { return 40 * p.x / (1 + glm::dot(p, p)); });
  auto volume = std::make_shared<Volume>(*map.volumes[0]);
  volume->unit = "kT/e";
  map.volumes[0] = volume;
  const Field field = shown(map);
  EXPECT_TRUE(field.both_signs);
  EXPECT_DOUBLE_EQ(field.isovalue, 1);
  // Of a quantum mechanical one the nuclei's part is far larger than what is negative.
  const Field of_nuclei = shown(map_of("molecule_ESP.cube", [](glm::dvec3 p) {
    return 8 * std::exp(-2 * glm::length(p)) / (glm::length(p) + 0.01) - 0.05 * std::exp(-glm::dot(p, p) / 40);
  }));
  EXPECT_TRUE(of_nuclei.both_signs);
  EXPECT_DOUBLE_EQ(of_nuclei.isovalue, 0.03);
}

TEST(UsualVolume, AMapNearAModelIsNotLookedAtBeyondIt) {
  // One file of two atoms, and the map of a crystal that reaches far beyond them.
  const test::Folder folder;
  test::write_text(folder / "pair.xyz", "2\n\nC 0 0 0\nC 1.5 0 0\n");
  std::string dx =
      "object 1 class gridpositions counts 8 8 8\norigin -40 -40 -40\ndelta 10 0 0\ndelta 0 10 0\ndelta 0 0 10\n"
      "object 2 class gridconnections counts 8 8 8\nobject 3 class array type double rank 0 items 512 data follows\n";
  for (int i = 0; i < 512; ++i) dx += (i % 7 == 0 ? "5\n" : "0\n");
  test::write_text(folder / "pair_2fofc.dx", dx);
  Documents documents;
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "pair.xyz", folder / "pair_2fofc.dx"}));
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].style, Surface::Style::wireframe);
  EXPECT_GT(scene.fields[0].zone, 1);
  EXPECT_LT(scene.camera.height, 12);
  EXPECT_EQ(volume_title(*documents.molecule(scene.molecules[0]), 0), "pair_2fofc.dx");
  scene.fields[0].zone = 0;
  EXPECT_EQ(scene_extent(scene, documents).balls.empty(), false);
  EXPECT_GT(scene_extent(scene, documents).radius, 30) << "the whole map";
}

}  // namespace
}  // namespace isolume
