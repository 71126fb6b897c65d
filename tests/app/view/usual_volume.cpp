// How maps are shown at first: levels, signs and styles by what a map is.
#include "app/view/usual_volume.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(UsualVolume, TheEnergyOfAProbeIsAtHalfOfItsLowestValue) {
  // A well of -8 kcal/mol in atoms that let nothing in; its bottom is between points of the grid.
  Molecule map = map_of("xe.mrc", [](glm::dvec3 p) { return std::min(47.7, 8 * glm::dot(p, p) - 8); });
  auto volume = std::make_shared<Volume>(*map.volumes[0]);
  const float lowest = *std::min_element(volume->values.begin(), volume->values.end());
  EXPECT_LT(lowest, -6);
  for (const char* name : {"free energy of the probe", "Lennard-Jones energy", "Buckingham energy"}) {
    volume->name = name;
    map.volumes[0] = std::make_shared<Volume>(*volume);
    const Field field = shown(map, true);
    EXPECT_NEAR(field.isovalue, 0.5 * static_cast<double>(lowest), 0.06) << name;
    EXPECT_FALSE(field.both_signs);
    EXPECT_LT(field.opacity, 1);
  }
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

TEST(UsualVolume, APotentialWithoutAUnitIsSeenOnBothSides) {
  // Hartree per e, as a program of quantum chemistry writes it: nuclei are 8 and more, lone pairs -0.06 at the most.
  const auto value = [](glm::dvec3 p) {
    return 8 * std::exp(-2 * glm::length(p)) / (glm::length(p) + 0.01) - 0.06 * std::exp(-glm::dot(p, p) / 40);
  };
  const Molecule map = map_of("esp.dx.gz", value);
  const auto& values = map.volumes[0]->values;
  const Field field = shown(map);
  EXPECT_TRUE(field.both_signs);
  EXPECT_GT(field.isovalue, 0);
  EXPECT_LT(field.isovalue, -*std::min_element(values.begin(), values.end())) << "the negative side is empty";
}

TEST(UsualVolume, APotentialInAVacuumIsNotCutByTheBorderAlone) {
  // Three charges of -1 near the middle: 560 kT A/e over the distance is above 1 kT/e in all of the map.
  Molecule map = map_of("vacuum.dx", [](glm::dvec3 p) {
    const double r = glm::length(p) * units::bohr_in_angstrom;
    return -3 * 560 / (r + 0.5) + 300 * std::exp(-glm::dot(p - glm::dvec3(2, 0, 0), p - glm::dvec3(2, 0, 0)));
  });
  auto volume = std::make_shared<Volume>(*map.volumes[0]);
  volume->unit = "kT/e";
  map.volumes[0] = volume;
  const Field field = shown(map);
  const auto beyond = std::count_if(volume->values.begin(), volume->values.end(),
                                    [&](float v) { return static_cast<double>(v) < -field.isovalue; });
  EXPECT_GT(beyond, 0);
  EXPECT_LT(static_cast<std::size_t>(beyond), volume->values.size() / 4);
}

TEST(UsualVolume, ReducedGradientsAreAtAHalf) {
  const auto value = [](glm::dvec3 p) { return 0.1 + std::min(99.9, glm::dot(p, p)); };
  EXPECT_DOUBLE_EQ(shown(map_of("dimer-rdg.cube", value)).isovalue, 0.5);
  Molecule plotted = map_of("dimer.cube", value);
  auto volume = std::make_shared<Volume>(*plotted.volumes[0]);
  volume->name = "grad_cube created with NCIPLOT by E.R. Johnson and J. Contreras-Garcia.";
  plotted.volumes[0] = volume;
  EXPECT_DOUBLE_EQ(shown(plotted).isovalue, 0.5);
  EXPECT_FALSE(shown(plotted).both_signs);
}

TEST(UsualVolume, OrbitalsOfPsi4HaveBothSignsThoughTheirGridIsSmall) {
  // Their files' grids often end inside the orbital, so that its square does not integrate to 1.
  const Field field =
      shown(map_of("Psi_a_5_1-B1.cube", [](glm::dvec3 p) { return 0.6 * p.z * std::exp(-0.5 * glm::length(p)); }));
  EXPECT_TRUE(field.both_signs);
  EXPECT_DOUBLE_EQ(field.isovalue, 0.05);
}

TEST(UsualVolume, OrbitalsWithoutElectronsAreShown) {
  // Hydrogen with one empty s function, as CFOUR writes an ion without electrons.
  const test::Folder folder;
  test::write_text(folder / "bare.molden",
                   "[Molden Format]\n[Atoms] AU\nH 1 1 0.0 0.0 0.0\n[GTO]\n1 0\ns 1 1.00\n1.0 1.0\n\n[MO]\nSym= A\n"
                   "Ene= 0.5\nSpin= Alpha\nOccup= 0.0\n1 1.0\n");
  Documents documents;
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "bare.molden"}));
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].kind, Field::Kind::orbital);
  EXPECT_EQ(scene.fields[0].orbital, "1");
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
