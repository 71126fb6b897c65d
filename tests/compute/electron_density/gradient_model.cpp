// The independent gradient model by Hirshfeld atoms, against differences of the atoms' densities.
#include "compute/electron_density/gradient_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/electron_density/atomic_density.h"
#include "compute/orbitals/orbital.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// Water, its atoms in these parts.
struct Water {
  Molecule molecule = read_file(test::shared_data("qm-fields/water.molden"));
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  std::vector<int> elements;
  Water() {
    for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  }
};

/// Points around the atoms, none at a nucleus.
std::vector<glm::dvec3> some_points() {
  std::vector<glm::dvec3> points;
  for (int i = 0; i < 40; ++i)
    points.push_back({3.1 * std::sin(1.7 * i), 2.9 * std::sin(2.3 * i + 1), 0.8 + 3.3 * std::sin(3.1 * i + 2)});
  return points;
}

/// rho_i = w_i rho at a point (bohr), from the densities alone.
double atom_density(const Water& water, std::size_t atom, glm::dvec3 point) {
  double own = 0, all = 0, density = 0;
  for (std::size_t i = 0; i < water.elements.size(); ++i) {
    const double free = AtomicDensity::of(water.elements[i]).density(glm::distance(point, water.orbitals.centres[i]));
    all += free;
    if (i == atom) own = free;
  }
  const glm::dvec3 angstrom = units::bohr_in_angstrom * point;
  electron_density_reference(water.orbitals, std::span(&angstrom, 1), std::span(&density, 1));
  return own / all * density;
}

TEST(GradientModel, IsThatOfItsDefinition) {
  const Water water;
  ASSERT_EQ(water.elements.size(), 3u);
  const std::vector<std::uint8_t> parts{1, 2, 2}, some{1, 2, 0};
  const HirshfeldGradientModel whole(water.orbitals, water.elements, parts),
      partly(water.orbitals, water.elements, some);
  constexpr double h = 1e-4;
  for (const glm::dvec3 point : some_points()) {
    glm::dvec3 gradients[3];
    for (std::size_t i = 0; i < 3; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 step(0);
        step[axis] = h;
        gradients[i][axis] = (atom_density(water, i, point + step) - atom_density(water, i, point - step)) / (2 * h);
      }
    }
    const auto expect = [&](double found, double expected, double scale) {
      EXPECT_NEAR(found, expected, 1e-5 * scale + 1e-9);
    };
    const glm::dvec3 sum = gradients[0] + gradients[1] + gradients[2];
    const double scale = glm::length(glm::abs(gradients[0]) + glm::abs(gradients[1]) + glm::abs(gradients[2]));
    const PromoleculePoint of_all = whole.reference(point), of_some = partly.reference(point);
    expect(of_all.delta_g, scale - glm::length(sum), scale);
    expect(of_all.delta_g_inter,
           glm::length(glm::abs(gradients[0]) + glm::abs(gradients[1] + gradients[2])) - glm::length(sum), scale);
    expect(of_some.delta_g_inter,
           glm::length(glm::abs(gradients[0]) + glm::abs(gradients[1])) - glm::length(gradients[0] + gradients[1]),
           scale);
    // The atoms add up to the density of the orbitals.
    expect(glm::length(of_all.density.gradient - sum), 0, scale);
  }
}

class GradientModels : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(GradientModels);

TEST_P(GradientModels, AgreeWithTheFormula) {
  const Device device = GetParam();
  const Water water;
  const HirshfeldGradientModel model(water.orbitals, water.elements, std::vector<std::uint8_t>{1, 2, 2});
  Job job;
  const auto points = some_points();
  const auto values = model.at(points, job, device);
  ASSERT_EQ(values.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PromoleculePoint expected = model.reference(points[i]);
    EXPECT_NEAR(values[i].density.density, expected.density.density, 1e-10 * (1 + expected.density.density));
    EXPECT_NEAR(glm::distance(values[i].density.gradient, expected.density.gradient), 0, 1e-9);
    EXPECT_NEAR(values[i].delta_g, expected.delta_g, 1e-9);
    EXPECT_NEAR(values[i].delta_g_inter, expected.delta_g_inter, 1e-9);
  }
  // On a grid the same, to single precision.
  const Grid grid = Grid::covering(glm::dvec3(-1.1, -0.9, -1.2), glm::dvec3(1.2, 1, 1.1), 0.5);
  DeviceArray<float> signs(grid.size(), device, "test");
  const auto map = [&](PromoleculeField field) {
    return test::on_device<float>(device, grid.size(), [&](Span<float> to) { model.on_grid(field, grid, to, job); });
  };
  const std::vector<float> inter = test::on_device<float>(device, grid.size(), [&](Span<float> to) {
    model.on_grid(PromoleculeField::delta_g_inter, PromoleculeField::sign_lambda2, grid, to, signs.span(), job);
  });
  const std::vector<float> sign = signs.copy_to_host(), alone = map(PromoleculeField::delta_g_inter),
                           lengths = map(PromoleculeField::delta_g);
  EXPECT_EQ(inter, alone);
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int i = 0; i < grid.counts.x; ++i) {
      const PromoleculePoint expected = model.reference(units::angstrom_in_bohr * grid.point(i, 1, k));
      const std::size_t at = grid.index(i, 1, k);
      EXPECT_NEAR(inter[at], expected.delta_g_inter, 1e-6 * (1 + expected.delta_g_inter));
      EXPECT_NEAR(lengths[at], expected.delta_g, 1e-6 * (1 + expected.delta_g));
      EXPECT_NEAR(std::abs(sign[at]), expected.density.density, 1e-6 * (1 + expected.density.density));
    }
  }
  EXPECT_GT(model.memory(device, grid), std::size_t{1000});
  test::expect_cancelled(device, [&](Job& of) {
    DeviceArray<float> values(grid.size(), device, "test");
    model.on_grid(PromoleculeField::delta_g, grid, values.span(), of);
  });
}

TEST(GradientModel, OfOneAtomIsNothing) {
  const Water water;
  const HirshfeldGradientModel model(water.orbitals, water.elements, std::vector<std::uint8_t>{1, 0, 0});
  for (const glm::dvec3 point : some_points()) {
    EXPECT_NEAR(model.reference(point).delta_g, 0, 1e-12);
    EXPECT_NEAR(model.reference(point).delta_g_inter, 0, 1e-12);
  }
  EXPECT_THROW(HirshfeldGradientModel(water.orbitals, water.elements, std::vector<std::uint8_t>{1, 2}), Error);
  const std::vector<int> unknown{8, 1, 118};
  EXPECT_THROW(HirshfeldGradientModel(water.orbitals, unknown, std::vector<std::uint8_t>{1, 2, 2}), Error);
}

}  // namespace
}  // namespace isolume
