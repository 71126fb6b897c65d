// Correction maps: the surface between the nodes, and the forces of its terms.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/dynamics/correction_surface.h"
#include "tests/compute/dynamics/dynamics_systems.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

CorrectionMap random_map(int size, std::uint64_t seed) {
  test::Random random(seed);
  CorrectionMap map{size, {}};
  for (int k = 0; k < size * size; ++k) map.energies.push_back(random(-3, 3));
  return map;
}

TEST(CorrectionSurface, GoesThroughItsNodes) {
  for (const int size : {2, 3, 8, 24, 25}) {
    const CorrectionMap map = random_map(size, 5);
    const CorrectionSurface surface(map);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        const double phi = -units::pi + 2 * units::pi * i / size;
        const double psi = -units::pi + 2 * units::pi * j / size;
        EXPECT_NEAR(surface.at(phi, psi).energy, map.energies[static_cast<std::size_t>(i * size + j)], 1e-11);
      }
    }
  }
}

TEST(CorrectionSurface, IsThatOfTheBSplines) {
  test::Random random(17);
  for (const int size : {3, 8, 24}) {
    const CorrectionMap map = random_map(size, 6);
    const CorrectionSurface surface(map);
    for (int k = 0; k < 200; ++k) {
      const double phi = random(-7, 7), psi = random(-7, 7);  // any turn
      EXPECT_NEAR(surface.at(phi, psi).energy, correction_energy_reference(map, phi, psi), 1e-10);
    }
  }
}

TEST(CorrectionSurface, ApproachesASmoothFunctionByTheFourthPower) {
  const auto function = [](double phi, double psi) { return std::cos(phi) * std::sin(2 * psi) + std::cos(phi + psi); };
  double worst[2];
  for (const int size : {24, 48}) {
    CorrectionMap map{size, {}};
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        map.energies.push_back(function(-units::pi + 2 * units::pi * i / size, -units::pi + 2 * units::pi * j / size));
      }
    }
    const CorrectionSurface surface(map);
    double& most = worst[size == 24 ? 0 : 1];
    most = 0;
    for (double phi = -3; phi < 3; phi += 0.0717) {
      for (double psi = -3; psi < 3; psi += 0.0717) {
        most = std::max(most, std::abs(surface.at(phi, psi).energy - function(phi, psi)));
      }
    }
  }
  EXPECT_LT(worst[0], 1e-3);
  EXPECT_NEAR(worst[0] / worst[1], 16, 2.5);
}

TEST(CorrectionSurface, HasTheSlopesOfItsEnergyAndNoKinks) {
  const CorrectionSurface surface(random_map(24, 9));
  test::Random random(4);
  const double step = 1e-5;
  for (int k = 0; k < 300; ++k) {
    const double phi = random(-3.2, 3.2), psi = random(-3.2, 3.2);
    const auto here = surface.at(phi, psi);
    EXPECT_NEAR(here.by_phi, (surface.at(phi + step, psi).energy - surface.at(phi - step, psi).energy) / (2 * step),
                1e-6);
    EXPECT_NEAR(here.by_psi, (surface.at(phi, psi + step).energy - surface.at(phi, psi - step).energy) / (2 * step),
                1e-6);
  }
  // Across a node, and across the seam at half a turn, the slope changes by what the curvature makes, no more.
  for (const double node : {-units::pi, -units::pi / 12, units::pi / 2}) {
    const double before = surface.at(node - 1e-9, 0.3).by_phi;
    const double after = surface.at(node + 1e-9, 0.3).by_phi;
    EXPECT_NEAR(before, after, 1e-5);
    const double curve_before = (before - surface.at(node - 1e-4, 0.3).by_phi) / 1e-4;
    const double curve_after = (surface.at(node + 1e-4, 0.3).by_phi - after) / 1e-4;
    EXPECT_NEAR(curve_before, curve_after, 0.2 + 1e-3 * std::abs(curve_before));
  }
}

class CorrectionTermsOn : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(CorrectionTermsOn);

const Cell skewed{glm::dmat3(glm::dvec3(34, 0, 0), glm::dvec3(7, 33, 0), glm::dvec3(-6, 9, 35))};

/// The chains of the other tests with a map on every five atoms that follow one another.
test::DynamicsSystem mapped_chains(const Cell& cell) {
  auto s = test::chains(20, 8, cell, 30);
  s.field->maps = {random_map(24, 1), random_map(12, 2)};
  for (std::uint32_t i = 0; i + 4 < s.field->atom_count(); ++i) {
    if (i % 8 > 3) continue;
    s.field->corrections.push_back({{i, i + 1, i + 2, i + 3, i + 1, i + 2, i + 3, i + 4}, i % 2});
  }
  s.field->validate();
  return s;
}

struct Evaluated {
  std::vector<glm::dvec3> forces;
  MolecularEnergies energies;
};

Evaluated evaluate(const test::DynamicsSystem& s, const std::vector<glm::dvec3>& positions, Device device) {
  const auto method = test::direct_forces(s, device, {9, 7, 1.5});
  const auto at = DeviceArray<glm::dvec3>::from_host(positions, device);
  DeviceArray<glm::dvec3> forces(positions.size(), device);
  Job job;
  method->evaluate(at.span(), forces.span(), true, job);
  Evaluated e;
  e.energies = method->energies();
  e.forces = forces.copy_to_host();
  return e;
}

TEST_P(CorrectionTermsOn, AreTheReference) {
  for (const Cell& cell : {Cell(), skewed}) {
    const auto s = mapped_chains(cell);
    auto without = s;
    without.field = std::make_shared<ForceField>(*s.field);
    without.field->corrections.clear();
    const Evaluated got = evaluate(s, s.positions, GetParam());
    const Evaluated rest = evaluate(without, s.positions, GetParam());
    const auto with_maps = molecular_energy_reference(*s.field, s.cell, {9, 7, 1.5}, s.positions);
    const auto others = molecular_energy_reference(*without.field, s.cell, {9, 7, 1.5}, s.positions);
    EXPECT_NEAR(got.energies.corrections, with_maps.energies.corrections, 1e-9);
    EXPECT_EQ(rest.energies.corrections, 0);
    EXPECT_NEAR(got.energies.potential() - rest.energies.potential(), with_maps.energies.corrections, 1e-6);
    std::vector<glm::dvec3> own, expected;
    glm::dvec3 sum(0), turn(0);
    for (std::size_t i = 0; i < s.positions.size(); ++i) {
      own.push_back(got.forces[i] - rest.forces[i]);
      expected.push_back(with_maps.forces[i] - others.forces[i]);
      sum += own.back();
      turn += glm::cross(s.positions[i], own.back());
    }
    EXPECT_LE(test::force_error(own, expected), 1e-6);  // the reference's differences of the energy
    // No force and no torque on the whole.
    EXPECT_LT(glm::length(sum), 1e-8);
    if (!cell.exists()) {
      EXPECT_LT(glm::length(turn), 1e-6);
    }
  }
}

TEST_P(CorrectionTermsOn, AreCountedInTheMemory) {
  const auto s = mapped_chains({});
  auto without = s;
  without.field = std::make_shared<ForceField>(*s.field);
  without.field->corrections.clear();
  const std::size_t with_maps = test::direct_forces(s, GetParam())->memory();
  // At least a force for each of the eight atoms of 80 terms, and four numbers for each node.
  EXPECT_GE(with_maps, test::direct_forces(without, GetParam())->memory() + 80 * 8 * 24 + (24 * 24 + 12 * 12) * 32);
}

TEST_P(CorrectionTermsOn, DoNotDependOnThreadsPlaceAndTurn) {
  const auto s = mapped_chains({});
  const Evaluated here = evaluate(s, s.positions, GetParam());
  set_thread_count(1);
  const Evaluated alone = evaluate(s, s.positions, GetParam());
  set_thread_count(0);
  EXPECT_EQ(here.forces, alone.forces);
  const glm::dmat3 turn(glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1), glm::dvec3(1, 0, 0));
  std::vector<glm::dvec3> moved, mirrored;
  for (const glm::dvec3 p : s.positions) {
    moved.push_back(turn * p + glm::dvec3(3, -40, 7));
    mirrored.emplace_back(-p.x, p.y, p.z);
  }
  EXPECT_NEAR(evaluate(s, moved, GetParam()).energies.corrections, here.energies.corrections, 1e-9);
  // A map tells a molecule from its mirror image.
  EXPECT_GT(std::abs(evaluate(s, mirrored, GetParam()).energies.corrections - here.energies.corrections), 0.1);
}

}  // namespace
}  // namespace isolume
