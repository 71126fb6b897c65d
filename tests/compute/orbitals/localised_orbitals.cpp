// Localised orbitals against PySCF's, and what must hold for any: density, orthonormality, numbers over frames.
#include "compute/orbitals/localised_orbitals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "compute/orbitals/orbital_tracking.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/quantum/dipole_integrals.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::data;
using test::shared_data;

Orbitals orbitals_in(const std::string& name) {
  return *read_file(shared_data("qm-fields/" + name)).orbitals_at(0);
}

nlohmann::json reference() {
  std::ifstream stream(data("orbitals/localised_pyscf.json"));
  return nlohmann::json::parse(stream);
}

LocalisedOrbitals localise(const Orbitals& orbitals, Localisation method, bool virtuals = false) {
  Job job;
  return localised_orbitals(orbitals, {method, virtuals}, job);
}

/// Centre <i|r|i> of an orbital, bohr.
glm::dvec3 centre_of(const Orbitals& orbitals, std::size_t which) {
  const auto matrices = dipole_matrices(*orbitals.basis, orbitals.centres);
  const auto row = orbitals.row(which);
  glm::dvec3 centre(0);
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t a = 0; a < row.size(); ++a)
      for (std::size_t b = 0; b < row.size(); ++b)
        centre[axis] += row[a] * row[b] * matrices[static_cast<std::size_t>(axis)][a * row.size() + b];
  return centre;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// sum n_i C_mu,i C_nu,i of one spin.
std::vector<double> density_matrix(const Orbitals& orbitals, Spin spin) {
  const std::size_t n = orbitals.basis->function_count();
  std::vector<double> p(n * n, 0.0);
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (orbitals.orbitals[i].spin != spin) continue;
    const auto c = orbitals.row(i);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) p[a * n + b] += orbitals.orbitals[i].occupation * c[a] * c[b];
  }
  return p;
}

class LocalisedLikePySCF : public testing::TestWithParam<std::tuple<const char*, Localisation>> {};

TEST_P(LocalisedLikePySCF, InFunctionalAndCentres) {
  const auto [name, method] = GetParam();
  ISOLUME_NEEDS(shared_data(std::string("qm-fields/") + name));
  const Orbitals canonical = orbitals_in(name);
  const LocalisedOrbitals made = localise(canonical, method);
  EXPECT_TRUE(made.converged) << made.gradient;
  EXPECT_LT(made.gradient, 1e-8);
  EXPECT_LT(orthonormality_residual(made.orbitals), orthonormality_residual(canonical) + 1e-10);
  double functional = 0;
  const nlohmann::json stored = reference();
  for (const auto& [word, of_spin] : stored.at(name).items()) {
    const Spin spin = word == "beta" ? Spin::beta : Spin::alpha;
    EXPECT_LT(largest_difference(density_matrix(made.orbitals, spin), density_matrix(canonical, spin)), 1e-10);
    const auto& wanted = of_spin.at(method == Localisation::boys ? "boys" : "pipek-mezey");
    functional += wanted.at("functional").get<double>();
    // Each centre of the reference belongs to one of ours.
    auto centres = wanted.at("centres_bohr").get<std::vector<std::vector<double>>>();
    std::size_t occupied = 0;
    for (std::size_t i = 0; i < made.orbitals.count(); ++i) {
      if (made.orbitals.orbitals[i].spin != spin || made.orbitals.orbitals[i].occupation < 0.5) continue;
      ++occupied;
      const glm::dvec3 own = centre_of(made.orbitals, i);
      const auto nearest = std::min_element(centres.begin(), centres.end(), [&](const auto& a, const auto& b) {
        return glm::distance(own, {a[0], a[1], a[2]}) < glm::distance(own, {b[0], b[1], b[2]});
      });
      ASSERT_NE(nearest, centres.end());
      EXPECT_LT(glm::distance(own, {(*nearest)[0], (*nearest)[1], (*nearest)[2]}), 2e-5) << word << " " << i;
      centres.erase(nearest);
    }
    EXPECT_TRUE(centres.empty()) << occupied;
  }
  EXPECT_NEAR(made.functional, functional, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Files, LocalisedLikePySCF,
                         testing::Combine(testing::Values("formamide.molden.gz", "ethylene.molden",
                                                          "water_dimer.molden", "no2_doublet.molden"),
                                          testing::Values(Localisation::pipek_mezey, Localisation::boys)));

// A shift of the molecule shifts the integrals <mu|x|nu> by that of the overlap.
TEST(DipoleMatrices, FollowAShiftOfTheMolecule) {
  const Orbitals orbitals = *read_file(data("H2O-631Gd-cart.molden")).orbitals_at(0);
  const glm::dvec3 shift(0.7, -1.3, 2.1);
  std::vector<glm::dvec3> moved = orbitals.centres;
  for (glm::dvec3& centre : moved) centre += shift;
  const auto s = overlap_matrix(*orbitals.basis, orbitals.centres, *orbitals.basis, orbitals.centres);
  const auto before = dipole_matrices(*orbitals.basis, orbitals.centres);
  const auto after = dipole_matrices(*orbitals.basis, moved);
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    double most = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      EXPECT_NEAR(after[k][i], before[k][i] + shift[axis] * s[i], 1e-12);
      most = std::max(most, std::abs(before[k][i]));
    }
    EXPECT_GT(most, 0.1) << axis;
  }
}

// The water of this file: one core, two bonds, two lone pairs; energies add up to those of the canonical orbitals.
TEST(LocalisedOrbitals, AreBondsAndLonePairsOfWater) {
  const Orbitals canonical = *read_file(data("H2O-631Gd-cart.molden")).orbitals_at(0);
  for (const Localisation method : {Localisation::pipek_mezey, Localisation::boys}) {
    const LocalisedOrbitals made = localise(canonical, method);
    std::vector<std::size_t> atoms;
    double sum = 0, before = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      atoms.push_back(made.shares[i].size());
      EXPECT_EQ(made.shares[i].front().atom, 0u) << i;
      sum += made.orbitals.orbitals[i].energy;
      before += canonical.orbitals[i].energy;
      if (i > 0) {
        EXPECT_GE(made.orbitals.orbitals[i].energy, made.orbitals.orbitals[i - 1].energy - 1e-6);
      }
    }
    EXPECT_NEAR(sum, before, 1e-10);
    std::sort(atoms.begin(), atoms.end());
    EXPECT_EQ(atoms, (std::vector<std::size_t>{1, 1, 1, 2, 2}));
    // The virtual ones stay as they were unless they are asked for.
    const std::size_t n = canonical.basis->function_count();
    const auto tail = [&](const Orbitals& o) {
      return std::vector<double>(o.coefficients.begin() + std::ptrdiff_t(5 * n), o.coefficients.end());
    };
    EXPECT_EQ(tail(made.orbitals), tail(canonical));
    const LocalisedOrbitals all = localise(canonical, method, true);
    EXPECT_NE(tail(all.orbitals), tail(canonical));
    EXPECT_LT(orthonormality_residual(all.orbitals), orthonormality_residual(canonical) + 1e-10);
    EXPECT_EQ(localise(canonical, method).orbitals.coefficients, made.orbitals.coefficients);  // the same each time
  }
}

TEST(LocalisedOrbitals, RefuseWhatIsPartlyOccupied) {
  Orbitals natural = *read_file(data("H2O-631Gd-cart.molden")).orbitals_at(0);
  natural.orbitals[4].occupation = 1.96;
  natural.orbitals[5].occupation = 0.04;
  try {
    localise(natural, Localisation::boys);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_EQ(std::string(error.what()),
              "orbital 5 has 1.9600 electrons: only orbitals that are full, singly occupied or empty can be localised, "
              "not natural ones or partly occupied ones");
  }
}

// The pi and pi* orbitals of the torsion change places; localised bonds stay what they are.
TEST(LocalisedOrbitals, KeepTheirNumbersOverFrames) {
  ISOLUME_NEEDS(shared_data("qm-computed/ethylene_torsion"));
  Job job;
  std::shared_ptr<const Orbitals> former;
  for (int k = 0; k <= 12; ++k) {
    const std::string name = "frame_" + std::to_string(1000 + k).substr(1) + ".molden";
    const Orbitals canonical = *read_file(shared_data("qm-computed/ethylene_torsion/" + name)).orbitals_at(0);
    LocalisedOrbitals made = localised_orbitals(canonical, {Localisation::boys, false}, job, former.get());
    EXPECT_TRUE(made.converged) << k;
    if (former) {
      const std::vector<double> overlaps = orbital_overlaps(*former, made.orbitals, Spin::alpha);
      for (std::size_t i = 0; i < made.orbitals.count() && made.orbitals.orbitals[i].occupation > 1; ++i)
        EXPECT_GT(overlaps[i * made.orbitals.count() + i], 0.9) << k << " " << i;
    }
    former = std::make_shared<const Orbitals>(std::move(made.orbitals));
  }
}

}  // namespace
}  // namespace isolume
