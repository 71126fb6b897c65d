// Generalised Born: closed formulas, an integral done otherwise, another program's radii and energies.
#include "compute/electrostatics/generalised_born/generalised_born.h"

#include <array>
#include <fstream>
#include <numeric>
#include <sstream>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using GeneralisedBorn = OnDevice;
ISOLUME_ON_EVERY_DEVICE(GeneralisedBorn);

constexpr double coulomb = units::coulomb_kcal_angstrom;

GeneralisedBornOptions medium(double solute, double solvent, double strength = 0) {
  GeneralisedBornOptions o;
  o.solute_permittivity = solute;
  o.solvent_permittivity = solvent;
  o.ionic_strength = strength;
  return o;
}

GeneralisedBornResult born(Device device, const std::vector<GeneralisedBornAtom>& atoms,
                           const GeneralisedBornOptions& options) {
  Job job;
  return generalised_born(atoms, options, device, job);
}

/// 1/(4 pi) of the integral of 1/x^4 over the sphere of radius s at a distance r, outside of the sphere of radius rho
/// about the origin: shell by shell, by the part of each that is within the sphere.
double integral_over_sphere(double r, double rho, double s) {
  const int parts = 200000;
  const double from = std::max(rho, s > r ? 0.0 : r - s), to = r + s;
  if (to <= from) return 0;
  double sum = 0;
  for (int i = 0; i < parts; ++i) {
    const double x = from + (to - from) * (i + 0.5) / parts;
    const double cosine = std::clamp((x * x + r * r - s * s) / (2 * x * r), -1.0, 1.0);
    sum += (1 - cosine) / 2 / (x * x) * (to - from) / parts;
  }
  return sum;
}

TEST_P(GeneralisedBorn, gives_borns_energy_of_an_ion) {
  GeneralisedBornOptions o = medium(2, 78.54, 0.15);
  const double radius = 2.5 - 0.09, kappa = o.inverse_debye_length();
  EXPECT_NEAR(kappa, 0.73 * 0.12728218167158462, 1e-9);  // sqrt(8 pi l N_A I / eps)
  const GeneralisedBornResult r = born(GetParam(), {{{1, 2, 3}, -2, 2.5f, 0.8f}}, o);
  const double exact = -0.5 * coulomb * 4 * (1 / 2.0 - std::exp(-kappa * radius) / 78.54) / radius;
  EXPECT_NEAR(r.radii[0], radius, 1e-6);
  EXPECT_NEAR(r.energy, exact, 1e-5 * std::abs(exact));
}

TEST_P(GeneralisedBorn, screens_two_far_ions) {
  const GeneralisedBornOptions o = medium(1, 80, 0.1);
  const double r = 60, kappa = o.inverse_debye_length();
  const GeneralisedBornResult two = born(GetParam(), {{{0, 0, 0}, 1, 2, 0.8f}, {{0, 0, 60}, -1, 3, 0.8f}}, o);
  const double alone =
      born(GetParam(), {{{0, 0, 0}, 1, 2, 0.8f}}, o).energy + born(GetParam(), {{{0, 0, 60}, -1, 3, 0.8f}}, o).energy;
  // -C q q' (1 - exp(-kappa r)/80) / r, and what each takes from the other's radius: 1/R changes by I/rho'... below
  // 1e-4.
  EXPECT_NEAR(two.energy - alone, coulomb / r * (1 - std::exp(-kappa * r) / 80), 2e-3);
}

TEST_P(GeneralisedBorn, takes_the_part_of_a_sphere_from_a_radius) {
  struct Case {
    double r, rho, other, scale;
  };
  // Apart, overlapping, one within the other either way, and far away.
  for (const Case& c : {Case{5, 1.5, 1.7, 0.8}, Case{2, 1.5, 1.7, 0.8}, Case{1, 1.2, 4, 1}, Case{1, 3, 1.2, 0.8},
                        Case{0.5, 1.2, 2, 0.9}, Case{12, 1.5, 2, 0.72}, Case{40, 1.2, 1.9, 0.85}}) {
    const GeneralisedBornOptions o = medium(1, 80);
    const GeneralisedBornResult r =
        born(GetParam(),
             {{{0, 0, 0}, 1, static_cast<float>(c.rho), 0.8f},
              {{0, static_cast<float>(c.r), 0}, 0, static_cast<float>(c.other), static_cast<float>(c.scale)}},
             o);
    const double reduced = c.rho - 0.09;
    const double psi = reduced * integral_over_sphere(c.r, reduced, c.scale * (c.other - 0.09));
    const double exact = 1 / (1 / reduced - std::tanh(psi - 0.8 * psi * psi + 4.85 * psi * psi * psi) / c.rho);
    EXPECT_NEAR(r.radii[0], exact, 2e-5 * exact) << c.r << " " << c.rho << " " << c.other;
  }
}

/// x y z charge radius scale born_radius of each line.
std::vector<std::array<double, 7>> atoms_of_openmm() {
  std::ifstream in(data("potential/obc_openmm.txt"));
  std::vector<std::array<double, 7>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::array<double, 7> row{};
    for (double& value : row) words >> value;
    rows.push_back(row);
  }
  return rows;
}

TEST_P(GeneralisedBorn, agrees_with_openmm) {
  const auto rows = atoms_of_openmm();
  ASSERT_EQ(rows.size(), 120u);
  std::vector<GeneralisedBornAtom> atoms;
  for (const auto& row : rows)
    atoms.push_back({glm::vec3(glm::dvec3(row[0], row[1], row[2])), static_cast<float>(row[3]),
                     static_cast<float>(row[4]), static_cast<float>(row[5])});
  struct Case {
    double solute, solvent, kappa, energy;  // energy in kJ/mol: the file's heading
  };
  for (const Case& c :
       {Case{1, 78.5, 0, -583.2457010}, Case{1, 78.5, 0.1, -584.0356703}, Case{4, 78.5, 0.1, -140.9569940}}) {
    GeneralisedBornOptions o = medium(c.solute, c.solvent, 0.1);
    if (c.kappa == 0) {
      o.ionic_strength = 0;
    } else {
      o.screening_factor = 1;
      o.ionic_strength *= std::pow(c.kappa / o.inverse_debye_length(), 2);
    }
    const GeneralisedBornResult r = born(GetParam(), atoms, o);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(r.radii[i], rows[i][6], 5e-5 * rows[i][6]) << i;
    EXPECT_NEAR(r.energy * units::calorie_in_joule, c.energy, 2e-5 * std::abs(c.energy)) << c.solute << " " << c.kappa;
  }
}

TEST_P(GeneralisedBorn, agrees_with_the_reference) {
  // A crowded lump, as of a protein: places on a lattice, shaken.
  Random random(11);
  std::vector<GeneralisedBornAtom> atoms;
  for (int i = 0; i < 1500; ++i) {
    const glm::dvec3 cell(i % 12, i / 12 % 12, i / 144);
    const glm::dvec3 at = 1.9 * cell + glm::dvec3(random(-0.4, 0.4), random(-0.4, 0.4), random(-0.4, 0.4)) + 500.0;
    atoms.push_back({glm::vec3(at), static_cast<float>(random(-0.6, 0.6)), static_cast<float>(random(1.1, 2)),
                     static_cast<float>(random(0.7, 0.95))});
  }
  const GeneralisedBornOptions o = medium(1, 78.54, 0.15);
  const GeneralisedBornResult exact = generalised_born_reference(atoms, o);
  const GeneralisedBornResult r = born(GetParam(), atoms, o);
  double square = 0, total = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    EXPECT_NEAR(r.radii[i], exact.radii[i], 1e-4 * exact.radii[i]) << i;
    square += std::pow(r.energies[i] - exact.energies[i], 2);
    total += std::pow(exact.energies[i], 2);
  }
  EXPECT_LE(std::sqrt(square / total), 2e-5);
  EXPECT_NEAR(r.energy, exact.energy, 2e-5 * std::abs(exact.energy));
  EXPECT_NEAR(std::accumulate(r.energies.begin(), r.energies.end(), 0.0), r.energy, 1e-9 * std::abs(r.energy));
}

TEST_P(GeneralisedBorn, refuses_what_has_no_radius_or_overlaps) {
  const GeneralisedBornOptions o;
  EXPECT_THROW(born(GetParam(), {}, o), Error);
  EXPECT_THROW(born(GetParam(), {{{0, 0, 0}, 1, 0.05f, 0.8f}}, o), Error);
  EXPECT_THROW(born(GetParam(), {{{0, 0, 0}, 1, 1, 0.8f}, {{0, 0, 0.001f}, 1, 1, 0.8f}}, o), Error);
  EXPECT_THROW(born(GetParam(), {{{0, 0, 0}, 1, 1, 0.8f}}, medium(0.5, 80)), Error);
  Job job;
  job.cancel();
  EXPECT_THROW(generalised_born(std::vector<GeneralisedBornAtom>{{{0, 0, 0}, 1, 1, 0.8f}}, o, GetParam(), job), Error);
}

}  // namespace
}  // namespace isolume
