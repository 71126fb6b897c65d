// Charges and critical points from the density: against those that PySCF's fields gave (qm-fields/MANIFEST.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "compute/electron_density/fitted_charges.h"
#include "compute/electron_density/free_atom.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/electron_density/topology/critical_points.h"
#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

std::vector<glm::dvec3> vectors(const nlohmann::json& list) {
  std::vector<glm::dvec3> all;
  for (const auto& v : list) all.emplace_back(v[0], v[1], v[2]);
  return all;
}

class StoredCharges : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    path_ = test::shared_data(std::string("qm-fields/charges/") + GetParam() + "_charges.json");
    ISOLUME_NEEDS(path_);
    json_ = nlohmann::json::parse(std::ifstream(path_));
    centres_ = vectors(json_.at("xyz_bohr"));
    for (const auto& symbol : json_.at("symbols")) elements_.push_back(element_from_symbol(symbol.get<std::string>()));
  }
  std::string path_;
  nlohmann::json json_;
  std::vector<glm::dvec3> centres_;
  std::vector<int> elements_;
};
INSTANTIATE_TEST_SUITE_P(Molecules, StoredCharges, testing::Values("water", "formamide", "benzene"));

TEST_P(StoredCharges, AreFittedFromTheStoredPotential) {
  const auto points = vectors(json_.at("esp_points_bohr"));
  const auto potential = json_.at("esp_hartree_per_e").get<std::vector<double>>();
  ChargeFitOptions options;
  const auto expect = [&](const ChargeFit& fit, const char* key) {
    const auto charges = json_.at(key).at("charges").get<std::vector<double>>();
    for (std::size_t i = 0; i < charges.size(); ++i) EXPECT_NEAR(fit.charges[i], charges[i], 2e-8) << key;
    EXPECT_NEAR(fit.rms, json_.at(key).at("rms_hartree").get<double>(), 1e-9) << key;
    EXPECT_NEAR(fit.relative, json_.at(key).at("relative_rms").get<double>(), 1e-6) << key;
  };
  expect(fit_charges(centres_, points, potential, options), "merz_kollman");
  options.restraint = 0.0005;
  for (const int z : elements_) options.restrained.push_back(z != 1);
  expect(fit_charges(centres_, points, potential, options), "resp_one_stage");
  const auto& alike = json_.at("resp_one_stage_equivalent_atoms");
  options.equal = alike.at("groups_0based").get<std::vector<std::vector<std::uint32_t>>>();
  expect(fit_charges(centres_, points, potential, options), "resp_one_stage_equivalent_atoms");
}

TEST_P(StoredCharges, HaveTheStoredPoints) {
  std::vector<double> radii;
  for (const int z : elements_) radii.push_back(merz_kollman_radius(z));
  const auto points = merz_kollman_points(centres_, radii, std::vector{1.4, 1.6, 1.8, 2.0}, 2);
  const auto expected = vectors(json_.at("esp_points_bohr"));
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT(glm::distance(points[i], expected[i]), 2e-6);
}

TEST_P(StoredCharges, OfHirshfeldAgree) {
  const test::StoredMolecule stored(GetParam());
  ISOLUME_NEEDS(stored.file);
  const auto orbitals = read_file(stored.file).orbitals.at(0);
  for (const auto& [symbol, atom] : json_.at("hirshfeld").at("proatoms").items()) {
    const int z = element_from_symbol(symbol);
    std::vector<Shell> shells;
    const auto centre = std::ranges::find(elements_, z) - elements_.begin();
    for (const Shell& shell : orbitals->basis->shells) {
      if (shell.centre == centre) shells.push_back(shell);
    }
    const FreeAtom free(z, shells);
    EXPECT_NEAR(free.energy(), atom.at("energy_hartree").get<double>(), 1e-6) << symbol;
    EXPECT_NEAR(free.electrons(), z, 1e-6) << symbol;
    const auto radii = atom.at("r_bohr").get<std::vector<double>>(), rho = atom.at("rho").get<std::vector<double>>();
    for (std::size_t i = 0; i < radii.size(); ++i) {
      if (rho[i] < 1e-6) continue;
      EXPECT_NEAR(free.density(radii[i]) / rho[i], 1, 1e-4) << symbol << " " << radii[i];
    }
  }
  Job job;
  const std::vector<double> nuclei(elements_.begin(), elements_.end());
  for (const Device device : test::devices_present()) {
    const HirshfeldCharges charges = hirshfeld_charges(*orbitals, elements_, nuclei, job, device);
    const auto expected = json_.at("hirshfeld").at("charges").get<std::vector<double>>();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(charges.charges[i], expected[i], 2e-5);
    EXPECT_NEAR(charges.electrons, orbitals->electron_count(), 2e-5);
  }
}

class Hirshfeld : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(Hirshfeld);

// On a coarse grid, whose integrals are wrong by some thousandths: both are wrong alike.
TEST_P(Hirshfeld, ChargesAreThoseOfTheFormula) {
  const test::StoredMolecule stored("water");
  ISOLUME_NEEDS(stored.file);
  const Molecule molecule = read_file(stored.file);
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  const std::vector<double> nuclei(elements.begin(), elements.end());
  const AtomicGridSize size{16, 6};
  Job job;
  const HirshfeldCharges expected = hirshfeld_reference(orbitals, elements, nuclei, size),
                         found = hirshfeld_charges(orbitals, elements, nuclei, job, GetParam(), size);
  EXPECT_GT(expected.points, 1000u);
  EXPECT_EQ(found.points, expected.points);
  EXPECT_NEAR(found.electrons, expected.electrons, 1e-9);
  ASSERT_EQ(found.charges.size(), expected.charges.size());
  for (std::size_t i = 0; i < found.charges.size(); ++i) EXPECT_NEAR(found.charges[i], expected.charges[i], 1e-9) << i;
  EXPECT_LT(expected.charges[0], -0.2);  // oxygen
  test::expect_cancelled(GetParam(),
                         [&](Job& of) { hirshfeld_charges(orbitals, elements, nuclei, of, GetParam(), size); });
  EXPECT_THROW(hirshfeld_charges(orbitals, elements, std::vector<double>{6, 1, 1}, job, GetParam(), size), Error);
}

// All of the density is that of the only atom, and it is integrated.
TEST_P(Hirshfeld, ChargeOfOneAtomIsThatOfTheWhole) {
  Job job;
  const HirshfeldCharges one =
      hirshfeld_charges(test::one_gaussian(0.8, 2), std::vector<int>{2}, std::vector<double>{2}, job, GetParam());
  ASSERT_EQ(one.charges.size(), 1u);
  EXPECT_NEAR(one.charges[0], 0, 1e-9);
  EXPECT_NEAR(one.electrons, 2, 1e-9);
}

// A cation has lost its outermost electrons, an anion has more of them in Madelung's order.
TEST(FreeAtom, IonsHaveTheirConfiguration) {
  using Shells = std::vector<int>;
  EXPECT_EQ(configuration_of(8, 8), (Shells{4, 4, 0, 0}));
  EXPECT_EQ(configuration_of(8, 10), (Shells{4, 6, 0, 0}));
  EXPECT_EQ(configuration_of(9, 11), (Shells{5, 6, 0, 0}));
  EXPECT_EQ(configuration_of(6, 3), (Shells{3, 0, 0, 0}));
  EXPECT_EQ(configuration_of(26, 24), (Shells{6, 12, 6, 0}));  // Fe2+: 3d6
  EXPECT_EQ(configuration_of(29, 28), (Shells{6, 12, 10, 0}));
  EXPECT_EQ(configuration_of(29, 30), (Shells{8, 12, 10, 0}));
  EXPECT_EQ(configuration_of(31, 28), (Shells{6, 12, 10, 0}));  // Ga3+
}

struct Iterative {
  const char* molecule;
  std::vector<double> charges;
};

class IterativeHirshfeld : public testing::TestWithParam<Iterative> {};
// PySCF 2.14: density of the file on its grid of level 4, not pruned (electrons to 7e-8), ions by its spherically
// averaged Hartree-Fock of fractional occupation in the file's basis, iterated until charges change by less than 1e-8.
INSTANTIATE_TEST_SUITE_P(
    Of, IterativeHirshfeld,
    testing::Values(Iterative{"water", {-0.99518421, 0.49759211, 0.49759211}},
                    Iterative{"formamide", {0.6973544, -0.5438325, -1.0907894, 0.02245175, 0.45200473, 0.46281109}}),
    [](const auto& of) { return std::string(of.param.molecule); });

TEST_P(IterativeHirshfeld, ChargesAreThoseOfPySCF) {
  const test::StoredMolecule stored(GetParam().molecule);
  ISOLUME_NEEDS(stored.file);
  const Molecule molecule = read_file(stored.file);
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  const std::vector<double> nuclei(elements.begin(), elements.end());
  Job job;
  const IterativeCharges found = iterative_hirshfeld_charges(orbitals, elements, nuclei, job);
  ASSERT_EQ(found.hirshfeld.charges.size(), GetParam().charges.size());
  double sum = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    EXPECT_NEAR(found.hirshfeld.charges[i], GetParam().charges[i], 1e-4) << i;
    sum += found.hirshfeld.charges[i];
  }
  EXPECT_NEAR(sum, 0, 2e-5);
  EXPECT_LT(found.change, 1e-7);
  EXPECT_LT(found.iterations, 40);
}

// One atom has all electrons at once, whatever its ions; two alike have halves.
TEST(IterativeHirshfeldCharges, OfAtomsThatAreAlikeAreEqual) {
  Job job;
  const IterativeCharges one =
      iterative_hirshfeld_charges(test::one_gaussian(0.8, 2), std::vector<int>{2}, std::vector<double>{2}, job);
  EXPECT_NEAR(one.hirshfeld.charges.at(0), 0, 1e-9);
  EXPECT_EQ(one.iterations, 0);
  EXPECT_THROW(
      iterative_hirshfeld_charges(test::one_gaussian(0.8, 2), std::vector<int>{2}, std::vector<double>{1}, job), Error);
}

TEST(FittedCharges, OfChargesAreTheCharges) {
  const std::vector<glm::dvec3> centres{{0, 0, 0}, {2, 0.3, 0}, {-1, 1.5, 0.7}};
  const std::vector<double> charges{-0.8, 0.5, 0.3}, radii{1.5, 1.2, 1.2};
  for (const auto& points :
       {chelpg_points(centres, radii, 0.5, 2.8), merz_kollman_points(centres, radii, std::vector{1.4, 1.8}, 1)}) {
    std::vector<double> potential;
    for (const glm::dvec3& point : points) {
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_GE(glm::distance(point, centres[a]), radii[a] * units::angstrom_in_bohr * (1 - 1e-12));
        sum += charges[a] / glm::distance(point, centres[a]);
      }
      potential.push_back(sum);
    }
    ChargeFitOptions options;
    const ChargeFit fit = fit_charges(centres, points, potential, options);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(fit.charges[a], charges[a], 1e-10);
    // One that is held, and two that are one.
    options.charges = {-0.8, 0, 0};
    options.fixed = {true, false, false};
    options.equal = {{1, 2}};
    const ChargeFit alike = fit_charges(centres, points, potential, options);
    EXPECT_EQ(alike.charges[0], -0.8);
    EXPECT_NEAR(alike.charges[1], 0.4, 1e-12);
    EXPECT_NEAR(alike.charges[2], 0.4, 1e-12);
    EXPECT_GT(alike.rms, 1e-3);
    EXPECT_THROW(fit_charges(centres, {points.data(), 2}, {potential.data(), 2}, {}), Error);
  }
}

class StoredPoints : public testing::TestWithParam<std::tuple<Device, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Molecules, StoredPoints,
                         testing::Combine(testing::ValuesIn(test::devices_present()),
                                          testing::Values("ethylene", "benzene", "formic_acid_dimer", "cubane")));

TEST_P(StoredPoints, AreFound) {
  const auto [device, name] = GetParam();
  const std::string json_file = test::shared_data(std::string("qm-fields/critical-points/") + name + "_cp.json");
  ISOLUME_NEEDS(json_file);
  std::string file = test::StoredMolecule(name).file;
  if (!std::filesystem::exists(file))
    file = test::shared_data(std::string("qm-fields/critical-points/") + name + ".molden.gz");
  ISOLUME_NEEDS(file);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(json_file));
  const auto orbitals = read_file(file).orbitals.at(0);
  const DensityEvaluator density(*orbitals, density_weights(*orbitals, DensityKind::electron));
  Job job;
  const CriticalPoints all = critical_points(density, orbitals->centres, job, 1e-9, device);
  EXPECT_EQ(all.poincare_hopf(), 1);
  const auto& stored = json.at("critical_points");
  ASSERT_EQ(all.points.size(), stored.size());
  const std::map<std::string, CriticalKind> kinds{{"NCP", CriticalKind::nucleus},
                                                  {"BCP", CriticalKind::bond},
                                                  {"RCP", CriticalKind::ring},
                                                  {"CCP", CriticalKind::cage}};
  for (const auto& expected : stored) {
    const CriticalKind kind = kinds.at(expected.at("type").get<std::string>());
    const auto p = expected.at("position_bohr").get<std::vector<double>>();
    const auto found = std::ranges::find_if(all.points, [&](const CriticalPoint& point) {
      return point.kind == kind && glm::distance(point.position, glm::dvec3(p[0], p[1], p[2])) < 1e-5;
    });
    ASSERT_NE(found, all.points.end()) << expected;
    const bool nucleus = kind == CriticalKind::nucleus;
    const double rho = expected.at("rho").get<double>();
    EXPECT_NEAR(found->values.density, rho, (nucleus ? 1e-6 : 1e-8) * (1 + rho));
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = expected.at("eigenvalues")[i].get<double>();
      EXPECT_NEAR(found->eigenvalues[i], value, (nucleus ? 1e-4 : 1e-6) * (1 + std::abs(value)));
    }
    EXPECT_TRUE(nucleus || glm::length(found->values.gradient) < 1e-9);
    if (kind != CriticalKind::bond) continue;
    EXPECT_NEAR(found->ellipticity(), expected.at("ellipticity").get<double>(), 1e-5);
    auto atoms = expected.at("atoms").get<std::vector<int>>();
    std::ranges::sort(atoms);
    EXPECT_EQ(found->atoms[0], atoms[0]);
    EXPECT_EQ(found->atoms[1], atoms[1]);
    EXPECT_NEAR(found->path, expected.at("path_length_bohr").get<double>(), 0.06);
  }
}

class CriticalPointsOnDevice : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(CriticalPointsOnDevice);

// Its points are a way from one atom over the bond point to the other, as long as the path is said to be.
TEST_P(CriticalPointsOnDevice, GiveTheirBondPathsPointByPoint) {
  const auto orbitals = read_file(test::data("H2O-631Gd-cart.molden")).orbitals.at(0);
  const DensityEvaluator density(*orbitals, density_weights(*orbitals, DensityKind::electron));
  Job job;
  const CriticalPoints all = critical_points(density, orbitals->centres, job, 1e-9, GetParam(), true);
  ASSERT_EQ(all.count(CriticalKind::bond), 2u);
  for (const CriticalPoint& point : all.points) {
    if (point.kind != CriticalKind::bond) {
      EXPECT_TRUE(point.trace.empty());
      continue;
    }
    ASSERT_GT(point.trace.size(), 10u);
    for (const auto& [end, atom] :
         {std::pair(point.trace.front(), point.atoms[0]), std::pair(point.trace.back(), point.atoms[1])}) {
      const auto maximum = std::ranges::find_if(all.points, [&, atom = atom](const CriticalPoint& other) {
        return other.kind == CriticalKind::nucleus && other.atoms[0] == atom;
      });
      ASSERT_NE(maximum, all.points.end());
      EXPECT_EQ(end, maximum->position);
    }
    EXPECT_EQ(std::ranges::count(point.trace, point.position), 1);
    double length = 0;
    for (std::size_t i = 1; i < point.trace.size(); ++i) length += glm::distance(point.trace[i - 1], point.trace[i]);
    EXPECT_NEAR(length, point.path, 1e-9);
  }
  for (const CriticalPoint& point : critical_points(density, orbitals->centres, job, 1e-9, GetParam()).points)
    EXPECT_TRUE(point.trace.empty());
}

// A polyhedron: as many nuclei, bonds and rings as C60 has corners, edges and faces, and one cage. Each bond is between
// neighbours, and each atom has three. More searches than a launch has.
TEST_P(CriticalPointsOnDevice, OfAPolyhedronAreItsCornersEdgesAndFaces) {
  const std::string file = test::shared_data("qm-computed/C60-A.molden");
  ISOLUME_NEEDS(file);
  const auto orbitals = read_file(file).orbitals.at(0);
  const DensityEvaluator density(*orbitals, density_weights(*orbitals, DensityKind::electron));
  Job job;
  const CriticalPoints all = critical_points(density, orbitals->centres, job, 1e-9, GetParam());
  EXPECT_EQ(all.count(CriticalKind::nucleus), 60u);
  EXPECT_EQ(all.count(CriticalKind::bond), 90u);
  EXPECT_EQ(all.count(CriticalKind::ring), 32u);
  EXPECT_EQ(all.count(CriticalKind::cage), 1u);
  EXPECT_EQ(all.poincare_hopf(), 1);
  std::map<int, int> bonds;
  for (const CriticalPoint& point : all.points) {
    if (point.kind != CriticalKind::nucleus) {
      EXPECT_LT(glm::length(point.values.gradient), 1e-9);
    }
    if (point.kind != CriticalKind::bond) continue;
    ASSERT_TRUE(point.atoms[0] >= 0 && point.atoms[1] > point.atoms[0]);
    for (const int atom : point.atoms) ++bonds[atom];
    const double distance = glm::distance(orbitals->centres[static_cast<std::size_t>(point.atoms[0])],
                                          orbitals->centres[static_cast<std::size_t>(point.atoms[1])]);
    EXPECT_LT(distance, 2.9);
    EXPECT_NEAR(point.path, distance, 0.02);
    EXPECT_GE(point.path, distance - 1e-3);
  }
  EXPECT_EQ(bonds.size(), 60u);
  for (const auto& [atom, count] : bonds) EXPECT_EQ(count, 3) << atom;
  test::expect_cancelled(GetParam(),
                         [&](Job& of) { critical_points(density, orbitals->centres, of, 1e-9, GetParam()); });
}

}  // namespace
}  // namespace isolume
