// Molden files of many programs: values of orbitals against Psi4, and the convention of each producer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::bytes_of;
using test::shared_data;

double odd(int n) {
  return n <= 0 ? 1 : (2 * n - 1) * odd(n - 1);
}

/// A real solid harmonic, unnormalised, by the recursion of x + iy and the associated Legendre polynomials.
double solid_harmonic(int l, int m, glm::dvec3 r) {
  const int a = std::abs(m);
  double re = 1, im = 0;
  for (int i = 0; i < a; ++i) {
    const double next = re * r.x - im * r.y;
    im = re * r.y + im * r.x;
    re = next;
  }
  double before = 0, value = odd(a);
  for (int n = a + 1; n <= l; ++n) {
    const double next = ((2 * n - 1) * r.z * value - (n + a - 1) * glm::dot(r, r) * before) / (n - a);
    before = value;
    value = next;
  }
  return value * (m < 0 ? im : re);
}

/// psi at a point (bohr), straight from the text of molecule/quantum/basis.h. The norm of a spherical function follows
/// from integrating its square: for S_lm = c (Legendre) (x + iy)^m over the sphere, (l-m)! (2l+1) (2 - delta_m0) /
/// (l+m)!.
double amplitude(const Orbitals& orbitals, std::size_t which, glm::dvec3 point) {
  double sum = 0;
  std::size_t first = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    const int l = shell.l;
    const glm::dvec3 r = point - orbitals.centres[shell.centre];
    double radial = 0;
    for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
      const double a = shell.exponents[k];
      radial += shell.coefficients[k] * std::pow(2 * a / units::pi, 0.75) * std::pow(4 * a, l / 2.0) *
                std::exp(-a * glm::dot(r, r));
    }
    std::size_t n = first;
    if (shell.spherical) {
      for (int m = -l; m <= l; ++m, ++n) {
        // N(a) above is that of a component with (2i-1)!!... = 1; the solid harmonic of Racah's norm is to be scaled.
        const int a = std::abs(m);
        const double factorials = std::tgamma(l - a + 1) / std::tgamma(l + a + 1);
        const double norm = std::sqrt((m == 0 ? 1 : 2) * factorials / odd(l));
        sum += orbitals.row(which)[n] * norm * solid_harmonic(l, m, r) * radial;
      }
    } else {
      for (int i = l; i >= 0; --i) {
        for (int j = l - i; j >= 0; --j, ++n) {
          const int k = l - i - j;
          sum += orbitals.row(which)[n] * std::pow(r.x, i) * std::pow(r.y, j) * std::pow(r.z, k) * radial /
                 std::sqrt(odd(i) * odd(j) * odd(k));
        }
      }
    }
    first += shell.function_count();
  }
  return sum;
}

struct Difference {
  double error = 0, largest = 0;
};

/// Our values at the points of one entry of a reference against Psi4's collocation.
Difference compare(const Orbitals& orbitals, const nlohmann::json& entry) {
  const Spin spin = entry.at("spin") == "beta" ? Spin::beta : Spin::alpha;
  const auto points = entry.at("points_bohr").get<std::vector<std::array<double, 3>>>();
  const auto values = entry.at("values").get<std::vector<double>>();
  // Numbered from 1 in the order of energies.
  const std::size_t which = orbitals.index_of(spin, entry.at("orbital").get<std::size_t>() - 1);
  EXPECT_NEAR(orbitals.orbitals[which].energy, entry.at("energy_hartree").get<double>(), 1e-5);
  Difference difference;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = amplitude(orbitals, which, {points[i][0], points[i][1], points[i][2]});
    difference.largest = std::max(difference.largest, std::abs(values[i]));
    difference.error = std::max(difference.error, std::abs(value - values[i]));
  }
  return difference;
}

class MoldenReference : public testing::TestWithParam<const char*> {};

// Values by Psi4 1.3.2 (no screening) at 200 points per orbital; qm-computed/MANIFEST.md.
TEST_P(MoldenReference, agrees_with_psi4_at_points) {
  const std::string name = GetParam();
  std::string file = shared_data("qm-computed/" + name + ".molden");
  if (!std::filesystem::exists(file)) file += ".gz";
  const std::string stem = name.substr(0, name.find("_psi4native"));
  const std::string json = shared_data("qm-computed/" + stem + "_orbpts.json");
  ISOLUME_NEEDS(file);
  ISOLUME_NEEDS(json);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  EXPECT_GE(orbitals.norm_residual, 0);
  EXPECT_LT(orbitals.norm_residual, 1e-5);
  const auto reference = nlohmann::json::parse(bytes_of(json));
  ASSERT_FALSE(reference.at("orbitals").empty());
  for (const auto& entry : reference.at("orbitals")) {
    const Difference difference = compare(orbitals, entry);
    EXPECT_LE(difference.error, 1e-7 * difference.largest) << "orbital " << entry.at("orbital");
  }
  EXPECT_EQ(name != stem, !molecule.warnings.empty());
}

INSTANTIATE_TEST_SUITE_P(files, MoldenReference,
                         testing::Values("C60-A", "C60-B", "H2O-631Gd-cart", "H2O-V5Z-cart", "H2O-V5Z-sph",
                                         "H2O-VQZ-cart", "H2O-VQZ-cart_psi4native", "H2O-VQZ-sph", "Kr-A",
                                         "Kr-A_psi4native", "Kr-B-cart", "Kr-B-cart_psi4native", "Kr-C-cart",
                                         "Kr-C-cart_psi4native", "Kr-C-sph", "NO-UB3LYP-631+Gd", "NiCO4-TZVP-sph",
                                         "Thr-A", "Thr-B", "Thr-B_psi4native", "Zn-TZVPP-sph"));

TEST(Molden, agrees_with_psi4_along_sequences) {
  for (const std::string name : {"ethylene_torsion", "malonaldehyde_pt", "threonine_chi1"}) {
    const std::string folder = shared_data("qm-computed/" + name);
    ISOLUME_NEEDS(folder);
    const auto reference = nlohmann::json::parse(bytes_of(folder + "/" + name + "_orbpts.json"));
    for (const auto& frame : reference.at("frames")) {
      const int number = frame.at("frame");
      if (number % 6 != 0) continue;
      const std::string digits = std::to_string(1000 + number).substr(1);
      const Molecule molecule = read_file(folder + "/frame_" + digits + ".molden");
      EXPECT_LT(molecule.orbitals_at(0)->norm_residual, 1e-5);
      for (const auto& entry : frame.at("orbitals")) {
        const Difference difference = compare(*molecule.orbitals_at(0), entry);
        EXPECT_LE(difference.error, 1e-7 * difference.largest) << name << " " << number;
      }
    }
  }
}

struct Producer {
  const char* file;
  const char* habit;  ///< words of Orbitals::convention; "" for what the format defines
  double electrons;
  double residual;  ///< by the digits of the file
};

class MoldenProducer : public testing::TestWithParam<Producer> {};

TEST_P(MoldenProducer, is_orthonormal_by_its_convention) {
  const std::string file = shared_data(std::string("qm/") + GetParam().file);
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  EXPECT_GE(orbitals.norm_residual, 0);
  EXPECT_LT(orbitals.norm_residual, GetParam().residual);
  EXPECT_NEAR(orbitals.electron_count(), GetParam().electrons, 1e-4);
  const std::string habit = GetParam().habit;
  EXPECT_EQ(orbitals.convention == "Molden", habit.empty()) << orbitals.convention;
  EXPECT_NE(orbitals.convention.find(habit), std::string::npos) << orbitals.convention;
  EXPECT_EQ(habit.empty(), molecule.warnings.empty());
}

// Electrons from MANIFEST.tsv.
INSTANTIATE_TEST_SUITE_P(files, MoldenProducer,
                         testing::Values(Producer{"molden/F.molden", "primitives", 9, 1e-8},
                                         Producer{"molden/be_cisd_321g_psi4_singlet.molden", "", 4, 1e-8},
                                         Producer{"molden/benzene.molden", "", 42, 5e-5},
                                         Producer{"molden/c3h3+.molden", "", 20, 1e-6},
                                         Producer{"molden/h2o.molden.input", "ORCA", 10, 1e-8},
                                         Producer{"molden/h2o_ccpvdz_cfour.molden", "CFOUR", 4, 1e-8},
                                         Producer{"molden/h2o_dimer.molden", "", 20, 1e-6},
                                         Producer{"molden/h2o_psi4_1.3.2_6-31G_d_cart.molden", "Psi4", 10, 1e-8},
                                         Producer{"molden/h_donly_sph_cfour.molden", "CFOUR", 0, 1e-8},
                                         Producer{"molden/h_fonly_cart_cfour.molden", "CFOUR", 0, 1e-8},
                                         Producer{"molden/h_gonly_cart_cfour.molden", "CFOUR", 0, 1e-8},
                                         Producer{"molden/he2_ghost_psi4_1.0.molden", "", 2, 1e-8},
                                         Producer{"molden/li2.molden.input.gz", "|m| = 3", 5, 1e-7},
                                         Producer{"molden/molpro_H2O_MRCI.mol", "", 10, 1e-6},
                                         Producer{"molden/neon_turbomole_def2-qzvp.molden", "Turbomole", 10, 1e-8},
                                         Producer{"molden/nh3_molden_cart.molden", "", 10, 5e-5},
                                         Producer{"molden/nh3_molden_pure.molden", "", 10, 5e-5},
                                         Producer{"molden/nh3_molpro2012.molden", "", 10, 1e-6},
                                         Producer{"molden/nh3_orca.molden", "ORCA", 10, 1e-8},
                                         Producer{"molden/nh3_psi4.molden", "primitives", 10, 1e-8},
                                         Producer{"molden/nh3_psi4_1.0.molden", "", 10, 1e-8},
                                         Producer{"molden/nh3_psi4_1.3.2_aug_cc_pvqz_cart.molden", "Psi4", 10, 1e-8},
                                         Producer{"molden/nh3_turbomole.molden", "Turbomole", 10, 1e-8},
                                         Producer{"molden/nwchem_01.molden.gz", "", 14, 1e-8},
                                         Producer{"molden/orca_cuh_cc_pvqz_pure.molden", "|m| = 3", 30, 1e-8},
                                         Producer{"molden/psi4_cuh_cc_pvqz_pure.molden", "does not declare", 30, 1e-8},
                                         Producer{"gold_psi4_kr/kr.molden", "", 36, 1e-8},
                                         Producer{"gold_psi4_threonine/threonine.molden", "Psi4", 64, 1e-8},
                                         Producer{"xtb/c60_gfn2.molden.gz", "primitives", 240, 1e-6},
                                         Producer{"xtb/threonine_gfn2.molden", "primitives", 48, 1e-8}));

}  // namespace
}  // namespace isolume
